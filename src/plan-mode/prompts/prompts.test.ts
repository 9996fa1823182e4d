import { describe, expect, it } from "vitest";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { ACCEPT_EDITS_PROMPT, EXECUTING_PROMPT } from "./executing.ts";
import { planPrompt } from "./plan-prompt.ts";
import { PLANNING_PROMPT } from "./planning.ts";
import { exitPlanMode } from "../tools/exit-plan-mode.ts";
import { updatePlan } from "../tools/update-plan.ts";
import { askUserQuestion } from "../tools/ask-user-question.ts";

const CONTEXT = { callId: "call_1", workspace: "/w", protectedFolders: [] };

describe("what an agent is told while it plans", () => {
  it.each([
    ["a title that narrates", "a title that tells what you did"],
    ["a bare list of files", "a bare list of files"],
    ["invented facts", "you have not read"],
    ["decisions put off", "implementation will decide"],
    ["wishes among the needs", "nice to have"],
    ["questions that seem to leave the mode", "A question does not leave plan mode"],
  ])("[IN-05] names %s", (_what, words) => {
    expect(PLANNING_PROMPT).toContain(words);
  });

  it("[IN-05] sets no upper length, and no number of steps", () => {
    expect(PLANNING_PROMPT).toContain("A plan has no upper length");
    expect(PLANNING_PROMPT).not.toMatch(/(?:at most|up to|usual|no more than|\b\d+|\bten)\s+(?:steps|are usual)/i);
  });

  it("[IN-05] names only tools that there are", () => {
    const named = new Set(PLANNING_PROMPT.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
    const known = ["ask_user_question", "update_plan", "sessions_spawn", "plan_mode_status", "exit_plan_mode"];
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("what an agent is told while it carries a plan out", () => {
  const place = (approval: string) => ({
    session: { slices: { [PLAN_MODE_SLICE]: { now: { mode: "executing", approval } } } } as never,
    settings: {},
  });

  it("[AE-05, IN-06] holds the three limits and when to ask, after an approval with edits and only then", () => {
    expect(planPrompt.text(place("edited"))).toBe(`${EXECUTING_PROMPT}\n\n${ACCEPT_EDITS_PROMPT}`);
    expect(planPrompt.text(place("approved"))).toBe(EXECUTING_PROMPT);
    for (const limit of ["removes or empties", "stops or restarts the gateway", "configuration of the gateway"])
      expect(ACCEPT_EDITS_PROMPT).toContain(limit);
    expect(ACCEPT_EDITS_PROMPT).toContain("ask_user_question");
    expect(ACCEPT_EDITS_PROMPT).toContain("95 %");
  });
});

describe("an error of a plan tool", () => {
  it("[TO-02] shows a title that would do", async () => {
    expect(await exitPlanMode.toCommand({ title: " ", plan: [{ step: "a" }] }, CONTEXT)).toMatchObject({
      error: expect.stringMatching(/^title: required.*Example: exit_plan_mode \{"title":"Fix /s),
    });
  });

  it("[TO-02] shows steps that would do", async () => {
    const [none, blank] = [
      await exitPlanMode.toCommand({ title: "t" }, CONTEXT),
      await updatePlan.toCommand({ plan: [{ step: " ", status: "pending" }] }, CONTEXT),
    ];
    expect(none).toMatchObject({ error: expect.stringContaining('Example: exit_plan_mode {"title":') });
    expect(blank).toMatchObject({ error: expect.stringContaining('Example: update_plan {"plan":[{"step":') });
  });

  it.each([exitPlanMode, updatePlan, askUserQuestion])(
    "[TO-02] $name shows an example that its own schema takes",
    (tool) => {
      expect(tool.input.safeParse(tool.example)).toMatchObject({ success: true });
    },
  );
});
