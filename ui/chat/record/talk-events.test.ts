import { beforeAll, expect, it } from "vitest";
import type { Happening } from "../../state/record/timeline.ts";
import { loadLocalized, speak, withTexts } from "../../i18n/t.ts";
import { talkEvents } from "./talk-events.ts";

beforeAll(async () => {
  await speak(["en"]);
  await withTexts(async () => undefined, "run");
  await loadLocalized();
});

const by = { kind: "operator", id: "opr_ann", name: "Ann" };
let cursor = 0;
const happened = (event: string, payload: Happening["payload"]): Happening => {
  cursor += 1;
  return { cursor, atMs: cursor * 1_000, event, payload };
};
const entry = (n: number) => happened("entry.appended", { n, entry: { kind: "assistant", text: "Hi." } });

it("[UI-13] puts decisions, answers and notes behind the entry after which they were made", () => {
  const told = talkEvents([
    happened("plan.rejected", { by, feedback: "Blue, **please**." }),
    entry(7),
    happened("question.answered", { by, answer: "Navy", optionId: "navy" }),
    happened("note.added", { note: { by, text: "Which blue?" } }),
    happened("plan.updated", { steps: [] }),
    entry(9),
    happened("plan.approved", { by }),
  ]);
  expect(told.map(({ afterN, title, text }) => [afterN, title, text])).toEqual([
    [6, "Ann asked for changes", "Blue, **please**."],
    [7, "Ann answered", "Navy"],
    [7, "Ann wrote a note on the plan", "Which blue?"],
    [9, "Ann approved the plan", ""],
  ]);
});
