import { expect, it } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import { family } from "../../../test/kit/family.ts";
import { answer } from "../../../test/kit/scripted-turn.ts";
import { SUB_AGENTS_SLICE } from "./protocol/sub-agents.ts";

it("[SB-01, SB-03] a message that overtakes the start of its child does not make the child count as gone", async () => {
  const made = family({ parent: [answer("noted")], child: [answer("seen")] });
  await made.open();
  const order = async (command: { type: string; task?: string; childId?: string; text?: string }) =>
    made.engine.dispatch(
      sessionId,
      { type: "slice.apply", slice: SUB_AGENTS_SLICE, command },
      { actor: { kind: "agent", sessionId } },
    );
  await order({ type: "spawn", task: "look" });
  await order({ type: "send", childId: await made.childId(), text: "and there" });
  const pending = await made.store.pendingEffects({ id: 0, limit: 10 });
  for (const { effect } of pending.toReversed()) {
    if (effect.kind === "tell-child" || effect.kind === "start-child")
      await made.subAgents.perform({ sessionId, effect });
  }
  expect(await made.children()).toMatchObject([{ status: "running" }]);
  await made.settle();
  expect(await made.children()).toMatchObject([{ status: "ended", outcome: "done" }]);
});
