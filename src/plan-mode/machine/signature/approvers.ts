/** Who may decide on plans here, and whether two signatures are one person's. */
import type { Actor, By } from "../../../protocol/actor.ts";
import { covers, type Person, samePerson } from "../../../protocol/card/person.ts";
import type { ApprovalRules, Needs, Signature } from "../../protocol/approvals.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import type { Submission } from "../../protocol/state.ts";
import { byOf, type PlanContext } from "../actors.ts";

export { samePerson } from "../../../protocol/card/person.ts";

type Signer = Pick<PlanContext, "actor" | "settings">;

/** Where there is a list of approvers, only they may decide; reading and writing notes is open. */
export function refuseApprover({ actor, settings }: Signer): Refused | undefined {
  const { approvers } = settings.approvals;
  if (approvers === undefined || isListed(actor, settings.approvals)) return undefined;
  return refuse("APPROVER_NOT_LISTED", localized("approversAre", { names: approvers.join(", ") }), { approvers });
}

const isListed = (actor: Actor, rules: ApprovalRules): boolean =>
  actor.kind === "operator" && maySign({ id: actor.id, name: actor.name, scopes: actor.scopes }, rules);

export const maySign = (person: Person, { approvers }: ApprovalRules): boolean =>
  approvers === undefined || approvers.some((entry) => covers(entry, person));

/** Where it is asked for, somebody else signs what a person wrote into the plan. */
export function refuseAuthor({ edited, writtenBy }: Submission, signer: Signer): Refused | undefined {
  return refuseOwn(edited?.by ?? writtenBy, signer);
}

/** The same of what a person's own program asks for: a call, or more than the plan declares. */
export function refuseOwn(author: By | undefined, { actor, settings }: Signer): Refused | undefined {
  if (settings.approvals.notAuthor !== true || author === undefined || !samePerson(author, byOf(actor)))
    return undefined;
  return refuse("AUTHOR_NOT_APPROVER", localized("authorNotApprover"));
}

/** How many must sign, and which listed approvers have not; undefined where any one signature is enough. */
export function needsOf(rules: ApprovalRules, signatures: readonly Signature[]): Needs | undefined {
  const { quorum, approvers = [] } = rules;
  if (quorum === 1 && approvers.length === 0) return undefined;
  const signed = signatures.map(({ by, scopes }) => ({ ...by, scopes }));
  return { quorum, missing: approvers.filter((entry) => !signed.some((person) => covers(entry, person))) };
}
