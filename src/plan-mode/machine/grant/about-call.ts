/** Fields that every refusal of a call by plan mode has in common. */
import type { PlanPhase } from "../../protocol/state.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";
import { rfc3339 } from "../text/rfc3339.ts";

/** The fields of a refusal that do not depend on its reason. */
export const aboutCall = (now: PlanPhase, { tool, kind }: Pick<GatedCall, "tool" | "kind">) => ({
  tool_name: tool,
  tool_kind: kind,
  entered_at: now.phase === "off" ? null : rfc3339(now.cycle.enteredAtMs),
  entered_reason: now.phase === "off" ? null : now.cycle.reason,
});
