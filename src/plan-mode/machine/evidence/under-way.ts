/** No step is closed on proofs while something may still change the work: a call that has begun, or a sub-agent (BY-04). */
import type { Refused } from "../../../protocol/refusal.ts";
import type { PlanStep } from "../../protocol/plan.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PlanPhase } from "../../protocol/state.ts";
import type { PlanContext } from "../actors.ts";
import { runningChildren } from "../sub-agents/sub-agent-gate.ts";
import { standingOf } from "../../protocol/step/proof-standing.ts";
import { asksForProof } from "./refuse-unproven.ts";

export function refuseUnderWay(
  now: PlanPhase,
  steps: readonly PlanStep[],
  context: Pick<PlanContext, "session">,
): Refused | undefined {
  if (now.phase !== "executing" || !asksForProof(now)) return undefined;
  const closed = new Set(now.steps.filter(({ status }) => status === "completed").map(({ step }) => step.trim()));
  const closing = steps.find(
    ({ step, status, proof = [] }) =>
      status === "completed" &&
      !closed.has(step.trim()) &&
      proof.some(({ criterion }) => standingOf(now, step, criterion) !== "waived"),
  );
  const why = closing === undefined ? undefined : underWay(context);
  if (closing === undefined || why === undefined) return undefined;
  return refuse(
    "STEP_NOT_PROVEN",
    `The step "${closing.step}" was not closed: ${why}, and may still change what was proven. Wait for it, make the calls that prove the step after that, then close it.`,
    { step: closing.step, missing: [] },
  );
}

function underWay({ session }: Pick<PlanContext, "session">): string | undefined {
  const own = session.turn.status === "running" ? session.turn.calls : [];
  const open = [...own, ...(session.callers ?? []).flatMap(({ calls }) => calls)].find(({ claimed }) => claimed);
  if (open !== undefined) return `the call ${open.callId} of ${open.tool} is running`;
  const children = runningChildren({ session });
  if (children === "unknown") return "whether sub-agents work cannot be told";
  const [child] = children;
  return child === undefined ? undefined : `the sub-agent ${child.id} works`;
}
