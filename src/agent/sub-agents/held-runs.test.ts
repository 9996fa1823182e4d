import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import { family, PLAN_MODE, spawn, write } from "../../../test/kit/family.ts";
import type { ScriptStep } from "../../../test/kit/scripted-model.ts";
import { answer } from "../../../test/kit/scripted-turn.ts";
import { PlanModeSettings, PlanModeState } from "../../protocol/plan-mode.ts";
import { SUB_AGENTS_SLICE } from "../../protocol/sub-agents.ts";

describe("a run that nobody attends", () => {
  const held = { rule: "unattended/held", matched: "no person started this turn" };
  const wake = (made: ReturnType<typeof family>) =>
    made.engine.dispatch(
      sessionId,
      {
        type: "injection.add",
        injection: { id: "i", kind: "scheduled_turn", text: "look", priority: 2, createdAtMs: 1 },
        wake: true,
      },
      { actor: { kind: "system", reason: "scheduler" } },
    );

  it("[GA-14] is refused by the policies, with plan mode off, and so is its sub-agent; a person's run is not", async () => {
    const scripts = () => ({
      parent: [write, spawn("try"), answer("waiting"), write, answer("noted")],
      child: [write, answer("refused")],
    });
    const tried = family(scripts(), { settings: { planMode: PlanModeSettings.parse({}) } });
    await tried.open();
    await wake(tried);
    await tried.settle();
    expect(await tried.results()).toEqual(["write: refused", "sessions_spawn: ok", "write: refused"]);
    expect(await tried.results(await tried.childId())).toEqual(["write: refused"]);
    for (const id of [sessionId, await tried.childId()]) {
      expect((await tried.entries(id)).find((entry) => entry.kind === "result")).toMatchObject({ content: held });
    }
    expect(existsSync(join(tried.workspace, "out.txt"))).toBe(false);

    const attended = family(scripts());
    await attended.open();
    await attended.send("do it");
    await attended.settle();
    expect(await attended.results()).toEqual(["write: ok", "sessions_spawn: ok", "write: ok"]);
    expect(await attended.results(await attended.childId())).toEqual(["write: ok"]);
  });

  it("[GA-14] cannot have a sub-agent of an earlier, attended run write for it", async () => {
    const made = family({
      parent: [spawn("look"), answer("waiting"), answer("ok"), answer("told it"), answer("noted")],
      child: [answer("seen"), write, answer("refused")],
    });
    await made.open();
    await made.send("look");
    await made.settle();
    const id = await made.childId();
    await wake(made);
    const { turn } = await made.session();
    if (turn.status !== "requested") throw new Error("no turn");
    const { turnId } = turn;
    await made.engine.dispatch(
      sessionId,
      { type: "turn.start", turnId, node: "node-1", leaseUntilMs: made.clock.now() + 1_000, sole: true },
      { actor: { kind: "agent", sessionId } },
    );
    const command = { type: "send", childId: id, text: "write it" };
    const by = { actor: { kind: "agent", sessionId } } as const;
    await made.engine.dispatch(sessionId, { type: "slice.apply", slice: SUB_AGENTS_SLICE, command }, by);
    await made.settle();
    expect(await made.results(id)).toEqual(["write: refused"]);
    expect(existsSync(join(made.workspace, "out.txt"))).toBe(false);
  });

  it("[GA-14] is approved by no rule: what it submits waits for a person", async () => {
    const submit: ScriptStep = { calls: [{ tool: "exit_plan_mode", args: { title: "T", plan: [{ step: "one" }] } }] };
    for (const settings of [PlanModeSettings.parse({ enabled: true, requireApproval: false }), PLAN_MODE]) {
      const made = family(
        { parent: [{ calls: [{ tool: "enter_plan_mode", args: { reason: "x" } }] }, submit], child: [] },
        { settings: { planMode: settings } },
      );
      await made.open();
      if (settings.requireApproval) await made.plan({ type: "decide", approval: { action: "auto", enabled: true } });
      await wake(made);
      await made.settle();
      expect(PlanModeState.parse((await made.session()).slices["planMode"]).now.phase).toBe("pending");
    }
  });
});
