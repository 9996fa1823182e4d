import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { speak } from "../../i18n/t.ts";
import { toldOf } from "./told.ts";

beforeAll(() => speak(["en"]));

const tell = (event: string, payload: JsonObject) => {
  const told = toldOf({ cursor: 1, atMs: 0, event, payload });
  return told === undefined ? undefined : [told.kind, told.title, told.text];
};
const by = { kind: "operator", id: "opr_1", name: "Alice" };

describe("a fact of a session, told", () => {
  it.each([
    ["message.queued", { message: { from: "Alice", text: "Paint it" } }, ["messages", "Alice wrote", "Paint it"]],
    ["entry.appended", { entry: { kind: "assistant", text: "Blue." } }, ["messages", "The agent said", "Blue."]],
    ["entry.appended", { entry: { kind: "assistant", text: " " } }, undefined],
    ["entry.appended", { entry: { kind: "input", text: "x" } }, undefined],
    [
      "call.refused",
      { refusal: { tool_name: "exec", message: "Blocked." } },
      ["refusals", "exec was refused", "Blocked."],
    ],
    [
      "plan.submitted",
      { submission: { title: "Shed", revision: 2 } },
      ["decisions", "Plan submitted, revision 2", "Shed"],
    ],
    ["plan.rejected", { by, feedback: "In green" }, ["decisions", "Alice asked for changes", "In green"]],
    [
      "plan.updated",
      { steps: [{ step: "a", status: "in_progress", activeForm: "Doing a" }], statuses: ["in_progress", "completed"] },
      ["steps", "1/2 done", "Doing a"],
    ],
    ["note.added", { note: { by, text: "Why?" } }, ["decisions", "Alice wrote a note on the plan", "Why?"]],
    ["turn.finished", { outcome: "failed", message: "no key" }, [undefined, "The agent could not go on", "no key"]],
    ["turn.finished", { outcome: "done" }, undefined],
    ["turn.started", {}, undefined],
    ["deploy.\u202Estarted", {}, [undefined, "deploy.⟦U+202E⟧started", ""]],
    ["constructor", {}, [undefined, "constructor", ""]],
  ])("[UI-10] %s", (event, payload, expected) => expect(tell(event, payload)).toEqual(expected));

  it("[UI-08] shows what a name or a text hides", () => {
    expect(tell("message.queued", { message: { from: "Al\u200Bice", text: "a\u202Eb" } })).toEqual([
      "messages",
      "Al⟦U+200B⟧ice wrote",
      "a⟦U+202E⟧b",
    ]);
  });

  it("[UI-10] holds whatever a payload is like", () => {
    for (const payload of [{}, { by: 3, note: null, steps: "x", refusal: [], submission: [1] }]) {
      expect(() => tell("plan.updated", payload)).not.toThrow();
      expect(() => tell("plan.submitted", payload)).not.toThrow();
      expect(() => tell("note.replied", payload)).not.toThrow();
    }
  });
});
