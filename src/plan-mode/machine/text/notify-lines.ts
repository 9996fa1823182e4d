/** The lines that surfaces and dashboards read. Their format is frozen: add a line, never change one. */
import type { GateRefusal } from "../../../protocol/gate.ts";
import type { Loosening } from "../../protocol/hold.ts";
import type { PermissionMode } from "../../protocol/settings.ts";
import type { Cycle, PendingQuestion } from "../../protocol/state.ts";
import type { SignedPlan, StandingRun } from "../../protocol/job/standing.ts";
import type { By } from "../../../protocol/actor.ts";
import { ENGLISH } from "../../texts/en.ts";
import { rfc3339 } from "./rfc3339.ts";
import { defuse, firstChars, oneLine } from "../../../plugins/sdk.ts";

const EXCERPT_CHARS_MAX = 200;

/** Words of agents and people: on one line, and with no brackets that could pass for another of these lines. */
const shown = (text: string): string => oneLine(defuse(text));

export const enteredLine = (cycle: Cycle): string =>
  `[plan-mode] entered at ${rfc3339(cycle.enteredAtMs)} — reason: ${labelledReason(cycle)}`;

export const awaitingLine = (planId: string): string =>
  `[plan-mode] awaiting approval plan_id=${planId} (resolve via plan_mode_resolve { plan_id, decision: approve|reject })`;

export const approvedLine = (planId: string): string => `[plan-mode] approved plan_id=${planId}`;

/** Follows an approval that a rule gave, so that nobody takes it for a person's signature. */
export const policyLine = (planId: string, by: By): string =>
  `[plan-mode] policy plan_id=${planId} name=${shown(by.name)}`;

/** One of several that are needed. */
export const signedLine = (planId: string, { by, count, quorum }: { by: By; count: number; quorum: number }): string =>
  `[plan-mode] signed plan_id=${planId} by=${shown(by.name)} (${count} of ${quorum})`;

/** Signed for the later runs of a scheduled job. */
export const standingLine = ({ planId, runs, untilMs }: Pick<SignedPlan, "planId" | "runs" | "untilMs">): string =>
  `[plan-mode] standing plan_id=${planId} runs=${runs} until=${rfc3339(untilMs)}`;

/** A run of the job begins under it. */
export const standingRunLine = (planId: string, { jobId, n }: StandingRun): string =>
  `[plan-mode] run plan_id=${planId} job_id=${jobId} n=${n}`;

/** Used as the feedback where there are only notes. */
export const notesLine = (count: number): string => (count === 1 ? "1 note" : `${count} notes`);

export const rejectedLine = (planId: string, feedback: string): string =>
  `[plan-mode] rejected plan_id=${planId} reason=${shown(feedback)}`;

export const timedOutLine = (planId: string): string => `[plan-mode] approval timed out plan_id=${planId}`;

/** A place could not be shown what waits. */
export const undeliveredLine = ({
  approvalId,
  place,
  why,
}: {
  approvalId: string;
  place: string;
  why: string;
}): string => `[plan-mode] undelivered approval_id=${approvalId} to=${shown(place)} reason=${shown(why)}`;

/**
 * `turn`: the number of the turn in whose log the plan stands (`sessions.turn`, `holdpoint sessions log --turn`). Turns are
 * counted from 1; where there was no plan, 0 names none.
 */
export const exitedLine = (plan: string | undefined, turn: number): string =>
  plan === undefined
    ? "[plan-mode] exited — plan: none… (full plan in turn log #0)"
    : `[plan-mode] exited — plan: ${firstChars(shown(plan), EXCERPT_CHARS_MAX)}… (full plan in turn log #${turn})`;

/** A person switched plan mode off while the plan was carried out; `exited` stood in the log since the approval. */
export const leftLine = (planId: string): string => `[plan-mode] left plan_id=${planId}`;

/** Enough of a plan to know it again. */
export const planExcerpt = (title: string, steps: readonly { step: string }[]): string =>
  firstChars([title, ...steps.map(({ step }) => step)].filter((text) => text !== "").join("; "), EXCERPT_CHARS_MAX);

export const refusedLine = (refusal: Pick<GateRefusal, "tool_name" | "tool_kind">): string =>
  `[plan-mode] refused tool=${shown(refusal.tool_name)} kind=${refusal.tool_kind}`;

export const autoLine = (enabled: boolean): string =>
  enabled
    ? "[plan-mode] auto on — submitted plans are approved by rule, without a person"
    : "[plan-mode] auto off — submitted plans wait for a person";

export const heldLine = (by: By): string => `[plan-mode] held by=${shown(by.name)} — only reading until /plan lift`;

export const liftedLine = (by: By): string => `[plan-mode] lifted by=${shown(by.name)}`;

/** One of several signatures on something that loosens the gate. */
export const looseningLine = (
  what: Loosening,
  { by, count, quorum }: { by: By; count: number; quorum: number },
): string => {
  const name = what.kind === "permission" ? `permissions ${what.mode}` : what.kind;
  return `[plan-mode] signed ${name} by=${shown(by.name)} (${count} of ${quorum})`;
};

export const permissionLine = (mode: PermissionMode): string =>
  `[plan-mode] permissions ${mode} — ${PERMISSION_MEANINGS[mode]}`;

/** For people. */
export const PERMISSION_MEANINGS: Readonly<Record<PermissionMode, string>> = {
  default: ENGLISH.meaning_default,
  ask: ENGLISH.meaning_ask,
  accept: ENGLISH.meaning_accept,
  bypass: ENGLISH.meaning_bypass,
};

export const askedLine = ({ questionId, question }: PendingQuestion): string =>
  `[plan-mode] question question_id=${questionId} — ${firstChars(shown(question), EXCERPT_CHARS_MAX)}`;

export const answeredLine = (questionId: string, answer: string): string =>
  `[plan-mode] answered question_id=${questionId} answer=${firstChars(shown(answer), EXCERPT_CHARS_MAX)}`;

export const unansweredLine = (questionId: string, reason: string): string =>
  `[plan-mode] question closed question_id=${questionId} reason=${reason}`;

function labelledReason({ reason, enteredBy }: Cycle): string {
  const source = { agent: "model", operator: "operator", policy: "", system: "" }[enteredBy.kind];
  if (source === "" || reason === source) return shown(reason);
  return `${source}: ${shown(reason)}`;
}
