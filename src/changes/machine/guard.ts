/** Holds changing calls while a rollback is under way, and while a plan is paused or stopped because it drifted. */
import type { GatedCall, GuardVerdict } from "../../plugins/sdk.ts";
import type { ChangesState } from "../protocol/state.ts";
import type { ChangesContext } from "./decide.ts";
import { executingPlan } from "./executing-plan.ts";

export function guardChanges(
  { cycle, rollback }: ChangesState,
  call: GatedCall,
  { session }: ChangesContext,
): GuardVerdict {
  if (rollback !== undefined) return held(call, ROLLING_BACK);
  if (cycle === undefined || (cycle.level !== "paused" && cycle.level !== "stopped")) return { allowed: true };
  const plan = executingPlan(session);
  if (plan?.cycleId !== cycle.cycleId) return { allowed: true }; // another plan, or none: the gate of plan mode decides
  return held(call, cycle.level === "paused" ? PAUSED : STOPPED);
}

type Why = { rule: string; matched: string; hint: string };

const ROLLING_BACK: Why = {
  rule: "changes/rollback",
  matched: "a rollback is under way",
  hint: "Wait for it to end, then read the files again.",
};
const PAUSED: Why = {
  rule: "changes/drift-paused",
  matched: "files that no step of the plan names were changed",
  hint: "End your turn and say why these files were needed: a person lets the plan go on, or not.",
};
const STOPPED: Why = {
  rule: "changes/drift-stopped",
  matched: "too many files that no step of the plan names were changed",
  hint: "End your turn and say why these files were needed: it takes another plan to go on.",
};

const held = ({ tool, kind }: GatedCall, { rule, matched, hint }: Why): GuardVerdict => ({
  allowed: false,
  refusal: {
    tool_name: tool,
    tool_kind: kind,
    hint,
    entered_at: null,
    entered_reason: null,
    rule,
    matched,
    message: `${tool} was not run: ${matched}. ${hint}`,
  },
});
