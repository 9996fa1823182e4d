/** Whether somebody who decided, or the log-in or passkey that they decided with, was revoked since: then it counts no more. */
import type { By } from "../../../protocol/actor.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { PlanContext } from "../actors.ts";

type Revocations = Pick<PlanContext, "revoked">;
type Signed = { by: By; passkey?: string | undefined };

export const isRevoked = ({ by, passkey }: Signed, { revoked }: Revocations): boolean =>
  revoked !== undefined && [by.id, by.device, passkey].some((id) => id !== undefined && revoked.has(id));

/** The rule by which `/plan auto on` approves. */
export const AUTO_RULE = "auto";

/** Whether one of those is gone by whose word the plan is carried out. A rule rests on whoever switched it on. */
export function isApproverRevoked({ now, autoBy }: PlanModeState, revocations: Revocations): boolean {
  if (now.phase !== "executing") return false;
  const { decidedBy, passkey, signatures = [], amendments = [] } = now;
  const isByRule = decidedBy.kind === "policy" && decidedBy.id === AUTO_RULE;
  const by = isByRule && autoBy !== undefined ? autoBy.by : decidedBy;
  const amenders = amendments.flatMap((one) => [one, ...(one.signatures ?? [])]);
  return [{ by, passkey }, ...signatures, ...amenders].some((one) => isRevoked(one, revocations));
}
