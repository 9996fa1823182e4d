/**
 * Keeps the gateway's own secrets out of what agents write: whole tokens, and keys that it knows by value. Narrower than
 * what is kept out of tool output, since what an agent writes may be a file: a name that only looks like a key stays.
 */
import type { Json, JsonObject } from "../../protocol/json.ts";
import { CENSOR } from "./censor.ts";
import { type Change, eachText, eachTextIn } from "./each-text.ts";
import { looksRandom } from "./shape.ts";

/** A whole token, alone: random letters in a link may well hold `hp_`. */
const OWN_TOKEN = /(?<![A-Za-z0-9_-])hp_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;
/** A text that ends like this may go on as a token. */
const BEGUN_TOKEN = /(?<![A-Za-z0-9_-])(?:h|hp|hp_[A-Za-z0-9_-]{0,43})$/;
const IN_WORD = /[A-Za-z0-9_-]/;
const TOKEN_CHARS_MAX = 47;
/** Keys of providers are longer; a shorter value may be a word that people write. */
const KEY_CHARS_MIN = 16;

export type AnswerRedaction = {
  text(given: string): string;
  /** Every text inside, names too. */
  json(given: Json): Json;
  args(given: JsonObject): JsonObject;
  /** Text as it streams: a piece that may be part of a secret is kept until more is known. */
  stream(): { push(chunk: string): string; end(): string };
};

export function createAnswerRedaction(values: () => Iterable<string>): AnswerRedaction {
  const keys = (): string[] => [...values()].filter(isKey).toSorted((a, b) => b.length - a.length);
  return {
    text: (given) => clean(given, keys()),
    json: (given) => eachText(given, cleaning(keys())),
    args: (given) => eachTextIn(given, cleaning(keys())),
    stream: () => cleanStream(keys()),
  };
}

const cleaning = (keys: readonly string[]): Change => ({ text: (given) => clean(given, keys) });

/** A stand-in that local models are given as a key, such as `not-needed-for-this-one`, is no secret. */
const isKey = (value: string): boolean => value.length >= KEY_CHARS_MIN && looksRandom(value) && !/\s/.test(value);

/** Keys first: beside one that was left out, a token stands alone. */
function clean(given: string, keys: readonly string[], isInWord = false): string {
  return withoutTokens(withoutKeys(given, keys), isInWord);
}

const withoutKeys = (given: string, keys: readonly string[]): string =>
  keys.reduce((rest, key) => (rest.includes(key) ? rest.replaceAll(key, CENSOR) : rest), given);

/** `isInWord`: what stands in front of the text belongs to its first word. */
const withoutTokens = (given: string, isInWord: boolean): string =>
  `${isInWord ? "_" : " "}${given}`
    .replace(OWN_TOKEN, (token) => (looksRandom(token.slice(3)) ? CENSOR : token))
    .slice(1);

function cleanStream(keys: readonly string[]): ReturnType<AnswerRedaction["stream"]> {
  let held = "";
  let isInWord = false; // what was shown last belongs to the word in which what is held begins
  return {
    push(chunk) {
      const whole = held + chunk;
      const known = Math.min(whole.length, ...keys.map((key) => begunKey(whole, key)));
      const head = withoutKeys(whole.slice(0, known), keys);
      const cut = begunToken(head, isInWord);
      const shown = withoutTokens(head.slice(0, cut), isInWord);
      held = head.slice(cut) + whole.slice(known);
      if (shown !== "") isInWord = IN_WORD.test(shown.at(-1) ?? "");
      return shown;
    },
    end() {
      const shown = clean(held, keys, isInWord);
      [held, isInWord] = ["", false];
      return shown;
    },
  };
}

/** Where something begins that may be a token and reaches the end; the length of the text where nothing does. */
function begunToken(given: string, isInWord: boolean): number {
  const text = `${isInWord ? "_" : " "}${given}`;
  const tail = text.slice(-TOKEN_CHARS_MAX - 1);
  const found = BEGUN_TOKEN.exec(tail);
  return found === null ? given.length : text.length - tail.length + found.index - 1;
}

function begunKey(text: string, key: string): number {
  for (let from = Math.max(0, text.length - key.length + 1); from < text.length; from += 1) {
    if (text[from] === key[0] && key.startsWith(text.slice(from))) return from;
  }
  return text.length;
}
