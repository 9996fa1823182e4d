/** What the surface of an approval put before the person: recorded with it, and without the whole text there is none (I06). */
import type { Offered, OfferedExtent } from "../../protocol/approvals.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { Submission } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import type { PlanContext } from "../actors.ts";

type Stated = { offered?: OfferedExtent | undefined };

/** Only a surface that knows that something was missing says so. */
export const refuseNotOffered = ({ offered }: Stated, { planId, digest }: Submission): Refused | undefined =>
  offered === "part" ? { refused: { ...NOT_OFFERED.refused, details: { plan_id: planId, digest } } } : undefined;

const NOT_OFFERED = refuse(
  "APPROVAL_NOT_OFFERED",
  "The whole plan did not arrive where you decide. Read it with /plan view, then type the accepting command, or decide on the page.",
);

/** Who says nothing, such as an older client, can have it on request: whoever may decide may read it. */
export function offeredOf({ offered }: Stated, { digest }: Submission, { actor }: PlanContext): Offered {
  return {
    surface: actor.kind === "operator" ? actor.surface : actor.kind,
    extent: offered === "whole" ? "whole" : "on-request",
    digest,
  };
}
