/**
 * Who must sign a plan of a job's run: what holds in the session of the run and what holds where the job lives, both. A
 * run has a surface of its own, so that a binding's stricter rules would otherwise be left behind.
 */
import type { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import { isLooserPresence } from "../signature/is-looser.ts";
import { chargeIn } from "../../../scheduler/protocol/standing.ts";
import type { SliceContext } from "../../../plugins/sdk.ts";

type Place = { settings: PlanModeSettings; session: Pick<SliceContext<unknown>["session"], "slices" | "kind"> };

/** The context with the stricter rules; the same one where the session is no run of a job. */
export function withJobRules<Context extends Place>(context: Context): Context {
  const { kind, slices } = context.session;
  const rules = kind === "cron" || kind === "heartbeat" ? chargeIn(slices)?.approvals : undefined;
  if (rules === undefined) return context;
  const approvals = strictest(context.settings.approvals, rules);
  return { ...context, settings: { ...context.settings, approvals } };
}

/** Whoever signs must be on both lists; lists without a common entry let nobody sign. */
function strictest(a: ApprovalRules, b: ApprovalRules): ApprovalRules {
  const quorum = Math.max(a.quorum, b.quorum);
  const { approvers: own } = a;
  const approvers = own === undefined ? b.approvers : own.filter((entry) => b.approvers?.includes(entry) ?? true);
  const presence = isLooserPresence(a.presence, b.presence) ? a.presence : b.presence;
  const notAuthor = a.notAuthor === true || b.notAuthor === true;
  const risks = [...(a.risks ?? []), ...(b.risks ?? [])];
  const rules: Every<ApprovalRules> = { quorum, approvers, presence, notAuthor, risks };
  return rules;
}

/** Names each rule, so that one that is added does not compile until it is taken over here. */
type Every<Rules> = { [Name in keyof Rules]-?: Rules[Name] };
