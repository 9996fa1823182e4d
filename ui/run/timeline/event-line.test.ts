import { z } from "zod";
import { beforeAll, describe, expect, it } from "vitest";
import { JsonObject } from "../../../src/protocol/json.ts";
import { PlanModeEvent } from "../../../src/plan-mode/protocol/event.ts";
import { messageOf, noticeOf } from "../../../src/protocol/localized/localized-text.ts";
import { localized } from "../../../src/scheduler/texts/localized.ts";
import { ChangesEvent } from "../../../src/changes/protocol/state.ts";
import { LibraryEvent } from "../../../src/library/protocol/library-state.ts";
import { SchedulerEvent } from "../../../src/scheduler/protocol/schedule.ts";
import { SessionEvent } from "../../../src/protocol/session.ts";
import { SubAgentsEvent } from "../../../src/agent/sub-agents/protocol/sub-agents.ts";
import { speak, loadLocalized, withTexts } from "../../i18n/t.ts";
import { callsIn, eventLineOf } from "./event-line.ts";

beforeAll(() => withTexts(() => speak(["en"]), "cards", "run", "localized"));

const lineIn = (event: string, payload: JsonObject) => {
  const line = eventLineOf({ event, payload });
  return line === undefined ? undefined : [line.kind, line.title, line.text];
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
      { refusal: { tool_name: "exec", rule: "plan-mode/read-only", message: "Blocked." } },
      [
        "refusals",
        "Run command was refused",
        "Held back: the session is in plan mode, where only reading is allowed until a plan is signed.",
      ],
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
      ["steps", "1 of 2 done", "Doing a"],
    ],
    ["note.added", { note: { by, text: "Why?" } }, ["decisions", "Alice wrote a note on the plan", "Why?"]],
    ["approval.reminded", { reminds: true, level: 0 }, [undefined, "People were reminded of what waits", ""]],
    ["approval.reminded", { reminds: false, level: 1 }, undefined],
    ["approval.put_off", { untilMs: 1 }, undefined],
    ["changes.listed", { paths: ["a.txt"] }, undefined],
    [
      "approval.undelivered",
      { place: "matrix", why: "no\u200Broom" },
      [undefined, "Could not be delivered", "matrix · no‹U+200B›room"],
    ],
    ["turn.finished", { outcome: "failed", message: "no key" }, [undefined, "The agent could not go on", "no key"]],
    ["turn.finished", { outcome: "done" }, undefined],
    ["turn.started", {}, undefined],
    ["deploy.\u202Estarted", {}, [undefined, "deploy.‹U+202E›started", ""]],
    ["constructor", {}, [undefined, "constructor", ""]],
  ])("[UI-10] %s", (event, payload, expected) => expect(lineIn(event, payload)).toEqual(expected));

  it("[UI-10, UI-12] a call is told by what it ran or wrote, under the name that people read", () => {
    const calls = [{ callId: "c1", tool: "exec", args: { command: "sh check.sh" } }];
    const entry = { kind: "assistant", text: "", calls };
    const about = callsIn([{ event: "entry.appended", payload: JsonObject.parse({ entry }) }]);
    const told = (event: string, payload: JsonObject) => {
      const line = eventLineOf({ event, payload }, about);
      return line === undefined ? undefined : [line.title, line.text];
    };
    expect(told("call.claimed", { callId: "c1", tool: "exec" })).toEqual(["Run command", "`sh check.sh`"]);
    expect(told("call.closed", { callId: "c1", tool: "exec", status: "error" })).toEqual([
      "Run command failed",
      "`sh check.sh`",
    ]);
    expect(told("call.claimed", { callId: "c2", tool: "mcp__x" })).toEqual(["mcp__x was run", ""]);
    expect(told("changes.recorded", { callId: "c1", files: 1 })).toBeUndefined();
    expect(told("changes.recorded", { callId: "c1", files: 0, failure: "disk" })).toEqual([
      "Changes without a snapshot",
      "",
    ]);
  });

  it("[UI-06] every fact of the house has words, or needs no telling", async () => {
    await speak(["de"]);
    const schemas = [SessionEvent, PlanModeEvent, SchedulerEvent, SubAgentsEvent, ChangesEvent, LibraryEvent];
    const built = schemas.map((schema) => (schema instanceof z.ZodLazy ? schema.unwrap() : schema));
    const events = built.flatMap(({ options }) => options.map(({ shape }) => [...shape.type.values][0] ?? ""));
    const raw = [...events, "plugin.committed"].filter((event) => lineIn(event, {})?.[1] === event);
    expect([events.length > 50, raw]).toEqual([true, []]);
    await speak(["en"]);
  });

  it("[UI-06] what the gateway said is told in the language of the person", async () => {
    await speak(["de"]);
    await loadLocalized();
    const finished = { outcome: "failed", ...messageOf(localized("modelAway", { model: "openai/x", status: "503" })) };
    expect(lineIn("turn.finished", JsonObject.parse(finished))?.[2]).toBe(
      "openai/x kann gerade nicht antworten (503).",
    );
    const notice = { kind: "notice", ...noticeOf(localized("jobFired", { name: "daily" })) };
    expect(lineIn("entry.appended", JsonObject.parse({ entry: notice }))?.[2]).toBe(
      "Der geplante Auftrag „daily“ hat einen Zug angestoßen.",
    );
    await speak(["en"]);
  });

  it("[UI-08] shows what a name or a text hides", () => {
    expect(lineIn("message.queued", { message: { from: "Al\u200Bice", text: "a\u202Eb" } })).toEqual([
      "messages",
      "Al‹U+200B›ice wrote",
      "a‹U+202E›b",
    ]);
  });

  it("[UI-10] holds whatever a payload is like", () => {
    for (const payload of [{}, { by: 3, note: null, steps: "x", refusal: [], submission: [1] }]) {
      expect(() => lineIn("plan.updated", payload)).not.toThrow();
      expect(() => lineIn("plan.submitted", payload)).not.toThrow();
      expect(() => lineIn("note.replied", payload)).not.toThrow();
    }
  });
});
