import { expect, it } from "vitest";
import { inPhase } from "../../../test/kit/plan-session.ts";
import { someKept } from "../../protocol/kept-text.ts";
import { createDocumentText } from "./serialise.ts";

const session = (texts: string[]) => ({ ...inPhase("exploring").session(), slices: { own: { texts } } });
const long = Array.from({ length: 100 }, (_, n) => `${n} `.repeat(200));

it("a session's document is its JSON, while it is small, when it grows large and when it is small again", () => {
  const documentText = createDocumentText();
  const states = [["short"], long, [...long, "one more"], long.slice(1), ["short again"], ["and again"]].map(session);
  expect(states.map(documentText)).toEqual(states.map((state) => JSON.stringify(state)));
  const kept = states.map(({ slices }) => someKept(slices));
  expect(kept).toEqual([false, false, true, true, false, false]); // what was large is taken for large the next time
});
