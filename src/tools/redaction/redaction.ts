/**
 * Keeps secrets out of what tools print: configured keys by their value, others by their shape, also when one arrives in
 * pieces. Everything else passes as it is. It sees what is written out; a key that was encoded first is not recognised.
 */
import type { Json } from "../../protocol/json.ts";
import { CENSOR } from "./censor.ts";
import { type Change, eachText } from "./each-text.ts";
import { type Candidate, candidatesIn, endOfBody, type Span, unfinishedPrefix } from "./key-shapes.ts";
import { type Shape } from "./shape.ts";
import { plainText, unfinishedColour } from "./plain-text.ts";

export { CENSOR } from "./censor.ts";

/** Shorter values would black out words that people use. */
const VALUE_CHARS_MIN = 8;

export type RedactedStream = {
  /** What may be shown now; a piece that may be part of a secret is kept until more is known. */
  push(chunk: string): string;
  /** The rest. */
  end(): string;
};

export type Redaction = {
  text(given: string): string;
  /** Every text inside, names too. */
  json(given: Json): Json;
  stream(): RedactedStream;
};

export function createRedaction(values: () => Iterable<string>): Redaction {
  const usable = (): string[] => [...values()].filter((value) => value.length >= VALUE_CHARS_MIN);
  return {
    text: (given) => redacted(given, usable()),
    json: (given) => eachText(given, redacting(usable())),
    stream: () => redactedStream(usable()),
  };
}

const redacting = (values: readonly string[]): Change => ({
  text: (given) => redacted(given, values),
  isKept: (owner, key) => key === "bytes" && owner["type"] === "image", // they are no text
});

export const redactKeys = (given: string): string => redacted(given, []);

function redacted(given: string, values: readonly string[], before = ""): string {
  const { text, at } = plainText(given);
  const found = { keys: [...candidatesIn(text, before)], values: [...valuesIn(text, values)] };
  return cutOut(given, inGiven(secretsIn(found), at));
}

function* valuesIn(text: string, values: readonly string[]): Generator<Span> {
  for (const value of values) {
    for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + value.length)) {
      yield { from, to: from + value.length };
    }
  }
}

function cutOut(given: string, spans: Span[]): string {
  if (spans.length === 0) return given;
  let out = "";
  let done = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (from >= done) out += `${given.slice(done, from)}${CENSOR}`;
    done = Math.max(done, to); // two that overlap are one gap
  }
  return out + given.slice(done);
}

function redactedStream(values: readonly string[]): RedactedStream {
  let held = "";
  let before = ""; // the last character in front of what is held
  let inside: Shape | undefined; // of a key whose end has not come yet

  /** Drops what still belongs to a key that was left out already. */
  function swallow(given: string): string {
    if (inside === undefined) return given;
    const { text, at } = plainText(given);
    const to = endOfBody(text, 0, inside);
    before = text[to - 1] ?? before;
    if (to < text.length) inside = undefined;
    return given.slice(to === 0 ? 0 : at(to - 1) + 1); // a colour behind it stays
  }
  return {
    push(chunk) {
      const whole = held + chunk;
      const ready = unfinishedColour(whole);
      const [given, rest] = [swallow(whole.slice(0, ready)), whole.slice(ready)];
      const { text, at } = plainText(given);
      const found = { keys: [...candidatesIn(text, before)], values: [...valuesIn(text, values)] };
      const open = openEnd(text, values, found);
      const cut = at(open.from);
      const ended = secretsIn(found).filter(({ to }) => to <= open.from);
      const shown = cutOut(given.slice(0, cut), inGiven(ended, at));
      inside ??= open.inside;
      before = text[(open.inside === undefined ? open.from : text.length) - 1] ?? before;
      held = open.inside === undefined ? given.slice(cut) + rest : rest;
      return open.inside === undefined ? shown : `${shown}${CENSOR}${given.slice(at(text.length - 1) + 1)}`;
    },
    end() {
      const shown = redacted(swallow(held), values, before);
      held = "";
      inside = undefined;
      return shown;
    },
  };
}

/** A key that goes on waits for its end so long; a longer one is left out at once, and the rest of it when it comes. */
const WAITING_CHARS_MAX = 1_024;

type OpenEnd = { from: number; inside?: Shape };

type Found = { keys: readonly Candidate[]; values: readonly Span[] };

const secretsIn = ({ keys, values }: Found): Span[] => [...keys.filter(({ isAccepted }) => isAccepted), ...values];

const inGiven = (spans: readonly Span[], at: (index: number) => number): Span[] =>
  spans.map(({ from, to }) => ({ from: at(from), to: at(to - 1) + 1 }));

/** Where something begins that reaches the end of the text, and may go on in the next piece; never in the middle of a secret. */
function openEnd(text: string, values: readonly string[], found: Found): OpenEnd {
  const open = unfinishedIn(text, values, found);
  if (open.from === text.length) return open;
  const latestFirst = secretsIn(found).toSorted((a, b) => b.to - a.to);
  const from = latestFirst.reduce((cut, span) => (span.from < cut && cut < span.to ? span.from : cut), open.from);
  return { ...open, from };
}

function unfinishedIn(text: string, values: readonly string[], { keys }: Found): OpenEnd {
  const value = Math.min(text.length, ...values.map((item) => unfinishedValue(text, item)));
  const unfinished = Math.min(unfinishedPrefix(text), value);
  for (const { begins: from, shape, isAccepted, isOpen } of keys) {
    if (!isOpen || from > unfinished) continue;
    const waits = shape.span !== undefined || text.length - from < WAITING_CHARS_MAX;
    return isAccepted && !waits ? { from, inside: shape } : { from };
  }
  return { from: unfinished };
}

function unfinishedValue(text: string, value: string): number {
  for (let from = Math.max(0, text.length - value.length + 1); from < text.length; from += 1) {
    if (text[from] === value[0] && value.startsWith(text.slice(from))) return from;
  }
  return text.length;
}
