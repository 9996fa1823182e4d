import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeated } from "../../test/kit/repetitions.ts";
import type { Json } from "./json.ts";
import {
  carriesParts,
  createKeptTexts,
  KEPT_CHARS_MIN,
  LARGE_CHARS_MIN,
  STAYED_AFTER,
  writeInParts,
} from "./kept-text.ts";

/** Names that are something else to JavaScript than to JSON. */
const key = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toJSON", "hasOwnProperty", "length", "", "0", "10", "2", "\u2028", '"'),
  fc.string({ unit: "binary", maxLength: 12 }),
);
/** Half characters too: what is stored may hold them, and `JSON.stringify` escapes them. */
const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 4 }).map((codes) => String.fromCharCode(...codes)),
  fc.string({ unit: "grapheme", minLength: 200, maxLength: 400 }), // long enough to be kept
);
const primitive = fc.oneof(
  words,
  fc.double(), // with NaN, -0 and the infinities
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);

/** An own field of any name: an assignment to `__proto__` would be none. */
function withFields(fields: readonly (readonly [string, unknown])[]): object {
  const made = {};
  for (const [name, value] of fields)
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  return made;
}

const { state, item } = fc.letrec<{ state: object; item: unknown }>((tie) => ({
  item: fc.oneof({ maxDepth: 6, depthSize: "medium" }, primitive, tie("state")),
  state: fc.oneof(
    fc.array(fc.tuple(key, tie("item")), { maxLength: 6 }).map(withFields),
    fc.array(tie("item"), { maxLength: 40 }),
  ),
}));

/** The same state but for one place in it; everything else is the very same object, as after a commit. */
function changedAt(value: unknown, path: readonly number[], now: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return now;
  const entries = Object.entries(value);
  const [name] = entries[first % Math.max(entries.length, 1)] ?? [];
  if (name === undefined) return now;
  const changed = entries.map(([at, part]) => [at, at === name ? changedAt(part, rest, now) : part] as const);
  return Array.isArray(value) ? changed.map(([, part]) => part) : withFields(changed);
}

const change = fc.record({ path: fc.array(fc.nat(50), { minLength: 1, maxLength: 6 }), now: item });

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Long enough to be kept. */
const long = (text: string): Json => ({ text: text.repeat(Math.ceil(KEPT_CHARS_MIN / text.length)) });

describe("kept text", () => {
  it.each([
    ["and keeps all of it", undefined],
    ["and keeps little of it", 2_000],
  ])("[SC-01] is what JSON.stringify writes, of any state and of all that follow from it, %s", (_name, charsMax) => {
    const texts = createKeptTexts(charsMax);
    fc.assert(
      fc.property(state, fc.array(change, { maxLength: 8 }), (first, changes) => {
        let now: unknown = first;
        for (const { path, now: next } of [{ path: [], now: first }, ...changes]) {
          now = changedAt(now, path, next);
          if (!isObject(now)) return;
          expect(texts.textOf(now)).toBe(JSON.stringify(now));
          expect(texts.piecesOf(now).join("")).toBe(JSON.stringify(now));
          expect(texts.textOf({ reply: null, session: now })).toBe(JSON.stringify({ reply: null, session: now }));
        }
      }),
      repeated(300),
    );
  });

  it("of an unchanged part is written once, however often the state around it changes", () => {
    const texts = createKeptTexts();
    const notes = Array.from({ length: 20 }, (_, n) => long(`Note ${n}. `));
    const plan = { steps: notes };
    texts.textOf({ slices: { planMode: { plan, notes } } });
    const isWhole = [plan, plan.steps, ...notes].every((part) => texts.isKept(part));
    expect(isWhole).toBe(true);
    expect(texts.isKept({ ...plan })).toBe(false);
  });

  it("[SC-01] of a large part is kept when it stays, and not while it is one of those around a change", () => {
    const texts = createKeptTexts();
    const steps = [long("step ".repeat(LARGE_CHARS_MIN / 5))];
    const seen: boolean[][] = [];
    for (let n = 0; n <= STAYED_AFTER; n++) {
      const notes = [long(`note ${n} `.repeat(LARGE_CHARS_MIN / 7))];
      const session = { steps, notes };
      for (const written of [{ session }, { reply: null, session }])
        expect(texts.textOf(written)).toBe(JSON.stringify(written));
      seen.push([steps, notes].map((part) => texts.isKept(part)));
      expect([session, steps, notes].map((part) => texts.isLarge(part))).toEqual([true, true, true]);
    }
    expect(seen.at(0)).toEqual([false, false]);
    expect(seen.at(-1)).toEqual([true, false]);
  });

  it("[SC-01] in pieces never holds a large part that is new", () => {
    const texts = createKeptTexts();
    const notes = Array.from({ length: 200 }, (_, n) => long(`Note ${n}. `));
    const pieces = texts.piecesOf({ slices: { planMode: { notes } } });
    expect(pieces.join("")).toBe(JSON.stringify({ slices: { planMode: { notes } } }));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(LARGE_CHARS_MIN);
  });

  it("of one state is never another's, though both look the same but for what a reader may not see", () => {
    const texts = createKeptTexts();
    const [shown, hidden] = [long("for everybody "), long("for its plugin alone ")];
    const document = { id: "ses_1", slices: { planMode: shown, "plugin:own": hidden } };
    const view = { ...document, slices: { planMode: shown } };
    expect(texts.textOf(document)).toContain("for its plugin alone");
    expect(texts.textOf(view)).toBe(JSON.stringify(view));
    expect(texts.textOf(view)).not.toContain("for its plugin alone");
    const twin = { ...document, id: "ses_2", slices: { ...document.slices, planMode: long("for somebody else ") } };
    expect(texts.textOf(twin)).toBe(JSON.stringify(twin));
    expect(texts.textOf(document)).toBe(JSON.stringify(document));
  });

  it("cannot become untrue: a part whose text is kept cannot be changed in place, nor can anything in it", () => {
    const texts = createKeptTexts();
    const note = { text: "x".repeat(KEPT_CHARS_MIN), by: { name: "Alice" }, replies: [{ text: "why?" }] };
    const small = { text: "x" };
    texts.textOf({ note, small });
    expect(() => void (note.by.name = "Bob")).toThrow(TypeError);
    expect(() => note.replies.push({ text: "so" })).toThrow(TypeError);
    expect(() => void ((note.replies[0] ?? small).text = "no")).toThrow(TypeError);
    small.text = "y";
    expect(texts.textOf({ note, small })).toBe(JSON.stringify({ note, small }));
  });

  it("of what writes itself is left to JSON.stringify each time, and not kept", () => {
    const texts = createKeptTexts();
    const named = { toJSON: (name: string) => `${name} `.repeat(KEPT_CHARS_MIN) };
    const at = new Date(0);
    const value = { named, at, list: [named, at], deep: { at, filler: "x".repeat(KEPT_CHARS_MIN) }, none: () => 1 };
    expect(texts.textOf(value)).toBe(JSON.stringify(value));
    at.setTime(1);
    expect(texts.textOf(value)).toBe(JSON.stringify(value));
    expect([value.deep, value.list, named].map((part) => texts.isKept(part))).toEqual([false, false, false]);
    expect(texts.textOf(at)).toBe(JSON.stringify(at));
  });

  it("that is not used goes when there is too much, and what is used stays", () => {
    const texts = createKeptTexts(4 * KEPT_CHARS_MIN);
    const used = long("used ");
    const first = long("first ");
    texts.textOf({ used, first });
    for (let n = 0; n < 20; n++) texts.textOf({ used, other: long(`other ${n} `) });
    expect([texts.isKept(used), texts.isKept(first)]).toEqual([true, false]);
  });

  it("is looked for in answers that carry something large, and in no others", () => {
    const view = { id: "ses_1" };
    expect(carriesParts({ session: view })).toBe(false);
    writeInParts(view);
    expect(carriesParts({ session: view })).toBe(true);
    expect([carriesParts(view), carriesParts(null), carriesParts(undefined), carriesParts("x")]).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });
});
