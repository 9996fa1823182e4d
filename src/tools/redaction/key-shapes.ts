/**
 * Secrets that are known by their shape: operators' tokens, keys of common vendors, and the forms of `written-secrets.ts`.
 * The work is linear in the text: a candidate is judged by its first characters, and only what is accepted is followed to
 * its end.
 */
import { bodyOf, hasDigit, isMixed, looksRandom, type Shape } from "./shape.ts";
import { WRITTEN_SECRETS } from "./written-secrets.ts";

export type Span = { from: number; to: number };

const WORD = bodyOf("A-Za-z0-9_-");
const PLAIN_WORD = bodyOf("A-Za-z0-9_");
const ALNUM = bodyOf("A-Za-z0-9");
const IS_ALNUM = /[A-Za-z0-9]/;

const shape = (prefix: string, charsMin: number, body = WORD): Shape => ({
  prefix,
  body,
  accepts: (text, isAlone) => isAlone && text.length >= charsMin && looksRandom(text),
});

/** Tokens of this gateway: 43 characters. Part of one counts too, and one that something is written in front of. */
const OWN: Shape = {
  prefix: "hp_",
  body: WORD,
  accepts(text, isAlone) {
    if (text.length >= 43 && isAlone) return looksRandom(text);
    return text.length >= (isAlone ? 20 : 40) && hasDigit(text) && isMixed(text);
  },
};
/** `sk-…` of many vendors; a name such as `sk-loading-circle` has no long piece with digits in it. */
const PLAIN_SK: Shape = {
  prefix: "sk-",
  body: WORD,
  accepts: (text, isAlone) =>
    isAlone &&
    text.length >= 20 &&
    text.split(/[-_]/).some((piece) => piece.length >= 16 && /\d/.test(piece) && /[a-z]/i.test(piece)),
};
const AWS: Omit<Shape, "prefix"> = { body: bodyOf("0-9A-Z"), accepts: (text, isAlone) => isAlone && text.length >= 16 };

/** The longest prefix stands first: the first that fits is taken. */
export const SHAPES: readonly Shape[] = [
  OWN,
  shape("sk-ant-", 20),
  shape("sk-proj-", 20),
  shape("sk-svcacct-", 20),
  shape("sk-admin-", 20),
  shape("sk-or-v1-", 20),
  PLAIN_SK,
  shape("sk_live_", 16),
  shape("sk_test_", 16),
  shape("rk_live_", 16),
  shape("rk_test_", 16),
  shape("ghp_", 20, ALNUM),
  shape("gho_", 20, ALNUM),
  shape("ghu_", 20, ALNUM),
  shape("ghs_", 20, ALNUM),
  shape("ghr_", 20, ALNUM),
  shape("github_pat_", 20, PLAIN_WORD),
  shape("glpat-", 20),
  shape("xoxa-", 10),
  shape("xoxb-", 10),
  shape("xoxe-", 10),
  shape("xoxp-", 10),
  shape("xoxr-", 10),
  shape("xoxs-", 10),
  { prefix: "AKIA", ...AWS },
  { prefix: "ASIA", ...AWS },
  shape("AIza", 30),
  shape("npm_", 36, ALNUM),
  shape("hf_", 30, ALNUM),
  shape("gsk_", 40, ALNUM),
  shape("xai-", 40),
  shape("pplx-", 40),
  shape("nvapi-", 40),
  shape("r8_", 36, ALNUM),
  shape("tvly-", 20),
  shape("dop_v1_", 40, ALNUM),
  ...WRITTEN_SECRETS,
];

const PREFIXES = SHAPES.map(({ prefix }) => prefix).toSorted((a, b) => b.length - a.length);
const ANY_PREFIX = new RegExp(PREFIXES.join("|"), "g");
const BY_PREFIX: ReadonlyMap<string, Shape> = new Map(SHAPES.map((item) => [item.prefix, item]));

/** `begins`: where its prefix does, which may be a name that stays. `isOpen`: more of the text may belong to it. */
export type Candidate = Span & { begins: number; shape: Shape; isAccepted: boolean; isOpen: boolean };

/** In order. `before` is the character in front of the text, where that is known. */
export function* candidatesIn(text: string, before: string): Generator<Candidate> {
  ANY_PREFIX.lastIndex = 0;
  for (let at = 0; ;) {
    ANY_PREFIX.lastIndex = at;
    const found = ANY_PREFIX.exec(text);
    const known = found === null ? undefined : BY_PREFIX.get(found[0]);
    if (found === null || known === undefined) return;
    const start = found.index + known.prefix.length;
    const isAlone = !IS_ALNUM.test(found.index === 0 ? before : (text[found.index - 1] ?? ""));
    const judged = endOf(text, start, known.body.judged);
    if (!known.accepts(text.slice(start, judged), isAlone)) {
      at = found.index + 1;
      const isOpen = judged >= text.length;
      yield { begins: found.index, from: found.index, to: judged, shape: known, isAccepted: false, isOpen };
      continue;
    }
    const whole = endOfBody(text, judged, known);
    const span = known.span?.(text, start) ?? { from: found.index, to: whole, isOpen: whole >= text.length };
    at = Math.max(start, span.to);
    yield { begins: found.index, ...span, shape: known, isAccepted: true };
  }
}

export const endOfBody = (text: string, from: number, { body }: Shape): number => endOf(text, from, body.whole);

function endOf(text: string, from: number, run: RegExp): number {
  run.lastIndex = from;
  return from + (run.exec(text)?.[0].length ?? 0);
}

/** Where a prefix begins that the text ends within; its length where none does. */
export function unfinishedPrefix(text: string): number {
  const longest = PREFIXES[0]?.length ?? 0;
  for (let from = Math.max(0, text.length - longest + 1); from < text.length; from += 1) {
    const rest = text.slice(from);
    if (PREFIXES.some((prefix) => prefix.length > rest.length && prefix.startsWith(rest))) return from;
  }
  return text.length;
}
