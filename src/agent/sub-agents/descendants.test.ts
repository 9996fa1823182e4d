import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import { byAlice } from "../../../test/kit/engine.ts";
import { PLAN_MODE, spawn, write } from "../../../test/kit/family.ts";
import { scriptedModel, type ScriptStep } from "../../../test/kit/scripted-model.ts";
import { answer } from "../../../test/kit/scripted-turn.ts";
import { turnWorld, type TurnWorldGiven } from "../../../test/kit/turn-world.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import { MessageId, type SessionId } from "../../protocol/ids.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";
import { SUB_AGENTS_SLICE, SubAgentsState } from "./protocol/sub-agents.ts";
import { subAgentsPlugin } from "./plugin.ts";

describe("a child of a child", () => {
  const submit: ScriptStep = { calls: [{ tool: "exit_plan_mode", args: { title: "T", plan: [{ step: "one" }] } }] };

  /** Three levels, told apart by their tasks: the root, `middle` below it, `deep` below that. */
  function levels(
    scripts: Record<"root" | "middle" | "deep", ScriptStep[]>,
    given: Omit<TurnWorldGiven, "model"> = {},
  ) {
    const model = scriptedModel(({ sessionId: id, entries }) => {
      const [first] = entries;
      const task = id === sessionId || first?.kind !== "input" ? "" : first.text;
      const level = task === "" ? "root" : task.startsWith("deep") ? "deep" : "middle";
      const step = scripts[level].shift();
      if (step === undefined) throw new Error(`no step left for ${level}`);
      return step;
    });
    const settings = { planMode: PLAN_MODE };
    const made = turnWorld({ plugins: [planModePlugin, subAgentsPlugin], settings, ...given, model });
    const below = async (id: SessionId) =>
      SubAgentsState.parse((await made.engine.session(id))?.slices[SUB_AGENTS_SLICE]).children;
    const plan = (command: object) =>
      made.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command: command as never }, byAlice);
    return { ...made, model, below, plan };
  }

  const never = new Promise<void>(() => undefined);

  it("[SB-01, SB-03] keeps the child running for the root, also after a restart, and the root's plan unapproved", async () => {
    const before = levels({
      root: [submit, spawn("middle"), answer("waiting")],
      middle: [spawn("deep"), answer("I have handed it on.")],
      deep: [{ until: never }],
    });
    await before.open();
    await before.plan({ type: "enter", reason: "" });
    await before.send("plan it");
    await before.settle();
    const { now } = PlanModeState.parse((await before.session()).slices["planMode"]);
    if (now.phase !== "pending") throw new Error("no plan waits");
    await before.send("have somebody look first");
    void before.settle();
    await before.model.asked(6); // the root three times, the middle twice, the deep one

    const after = levels(
      { root: [answer("noted")], middle: [answer("It is done below.")], deep: [write, answer("Refused.")] },
      { store: before.store, clock: before.clock, node: "node-2", workspace: before.workspace },
    );
    const [middle] = await after.below(sessionId);
    if (middle === undefined) throw new Error("no child");
    const approve = { type: "decide", approval: { action: "approve", approvalId: now.submission.approvalId } };
    expect(await after.engine.session(middle.id)).toMatchObject({ turn: { status: "idle" } });
    expect(middle).toMatchObject({ status: "running" });
    expect(await after.plan(approve)).toMatchObject({
      ok: false,
      refusal: { code: "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS", details: { subagents: [middle.id] } },
    });

    await after.settle();
    const [deep] = await after.below(middle.id);
    if (deep === undefined) throw new Error("no grandchild");
    expect((await after.entries(deep.id)).find((entry) => entry.kind === "result")).toMatchObject({
      status: "refused",
      content: { rule: "plan-mode/read-only (inherited)", matched: `effect=write of ${sessionId}` },
    });
    expect(existsSync(join(after.workspace, "out.txt"))).toBe(false);
    expect(await after.below(sessionId)).toMatchObject([{ id: middle.id, status: "ended", outcome: "done" }]);
    const returns = (await after.entries()).flatMap((entry) => (entry.kind === "input" ? [entry.text] : []));
    expect(returns.filter((text) => text.includes("[SUBAGENT_RETURN]"))).toEqual([
      expect.stringContaining("> It is done below."),
    ]);
    expect(await after.plan(approve)).toMatchObject({ ok: true });
  });

  it("[SB-01, SB-03] that a person writes to makes its parent run again for the root", async () => {
    const made = levels({
      root: [spawn("middle"), answer("waiting"), answer("noted")],
      middle: [spawn("deep"), answer("handed on"), answer("done")],
      deep: [answer("seen")],
    });
    await made.open();
    await made.send("go");
    await made.settle();
    const [middle] = await made.below(sessionId);
    if (middle?.status !== "ended") throw new Error("the child has not ended");
    const [deep] = await made.below(middle.id);
    if (deep === undefined) throw new Error("no grandchild");
    const command = { type: "message.send", messageId: MessageId.parse("msg_deep"), text: "once more" } as const;
    await made.engine.dispatch(deep.id, command, byAlice);
    for (let level = 0; level < 2; level++) {
      for (const { id, sessionId: from, effect } of await made.store.pendingEffects({ id: 0, limit: 10 })) {
        if (effect.kind !== "report-to-parent") continue;
        await made.subAgents.perform({ sessionId: from, effect });
        await made.store.effectDone(id);
      }
    }
    expect(await made.below(sessionId)).toMatchObject([{ id: middle.id, status: "running" }]);
  });

  it("[SB-04] is stopped with the child that is stopped, and its return does not wake that child; a new order does", async () => {
    const made = levels({
      root: [spawn("middle"), answer("waiting"), answer("noted"), answer("noted")],
      middle: [spawn("deep"), answer("handed on"), answer("begun anew")],
      deep: [{ until: never }],
    });
    const carryStops = async () => {
      for (const { sessionId: from, effect } of await made.store.pendingEffects({ id: 0, limit: 10 }))
        if (effect.kind === "stop-child") await made.subAgents.perform({ sessionId: from, effect });
    };
    await made.open();
    await made.send("go");
    const settling = made.settle();
    await made.model.asked(5);
    const [middle] = await made.below(sessionId);
    if (middle === undefined) throw new Error("no child");
    await made.subAgents.perform({ sessionId, effect: { kind: "stop-child", childId: middle.id } });
    await carryStops();
    await settling;
    expect(await made.below(middle.id)).toMatchObject([{ status: "ended", outcome: "aborted" }]);
    expect(await made.below(sessionId)).toMatchObject([{ status: "ended" }]);
    expect(made.model.requests.filter((request) => request.sessionId === middle.id)).toHaveLength(2);

    const send = { type: "send", childId: middle.id, text: "middle, once more" };
    const order = { type: "slice.apply", slice: SUB_AGENTS_SLICE, command: send } as const;
    await made.engine.dispatch(sessionId, order, { actor: { kind: "agent", sessionId } });
    await made.settle();
    expect(made.model.requests.filter((request) => request.sessionId === middle.id)).toHaveLength(3);
    expect(await made.below(sessionId)).toMatchObject([{ status: "ended", outcome: "done" }]);
  });
});
