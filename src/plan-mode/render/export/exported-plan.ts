/** What every exported form of a plan contains. */
import { progressOf } from "../../../protocol/card/card.ts";
import type { PlanBody, PlanRevision, PlanSeen, PlanStep } from "../../protocol/plan.ts";
import type { Note, PlanDecided } from "../../protocol/review.ts";
import { lastAboutPlan, type STEP_DECISIONS } from "../../protocol/step/step-decisions.ts";
import { evidenceLine, proofLine, scopeLines } from "../../protocol/step/step-lines.ts";
import { oneLine } from "../../../plugins/sdk.ts";
import { numberRanges } from "../../machine/stage/number-ranges.ts";
import { rfc3339 } from "../../machine/text/rfc3339.ts";
import type { LocalizedText } from "../../../protocol/localized/localized-text.ts";
import { localized } from "../../texts/localized.ts";

/** What an export holds, in whichever form. */
export type ExportedPlan = {
  plan: PlanRevision;
  notes: readonly Note[];
  decisions: readonly PlanDecided[];
  /** The steps as far as they were carried out; the revision itself stays as it was signed. */
  progress?: readonly PlanStep[];
  /** Its session is gone, and with it every way to decide. */
  sessionDeleted?: true;
} & PlanSeen;

/** How the plan stands, in a sentence: whoever opens a link sees what became of it. */
export function stateLine(exported: ExportedPlan): string {
  const { plan, progress, decisions } = exported;
  if (progress !== undefined) {
    const { done, cancelled, all } = progressOf(progress);
    const state = done + cancelled === all ? "Carried out" : "Approved, not all of it carried out";
    return `${state}: ${done} of ${all} steps done${cancelled === 0 ? "" : `, ${cancelled} cancelled`}.`;
  }
  const last = lastAboutPlan(decisions, plan.planId);
  if (isOrphaned(exported)) return "Not decided; its session was deleted, so nothing can be decided any more.";
  return last === undefined ? "Submitted; nobody has decided yet." : `Decided: ${STATES[last.decision]}.`;
}

const STATES: Readonly<Record<Exclude<PlanDecided["decision"], (typeof STEP_DECISIONS)[number]>, string>> = {
  signed: "signed; more signatures are needed",
  approved: "approved",
  standing: "signed for the later runs of its job",
  edited: "approved, allowing edits",
  rejected: "sent back",
  timed_out: "the time to decide ran out",
};

/** How it is decided, while nobody has, or why it cannot be any more. */
export function decidingWords(exported: ExportedPlan): LocalizedText | undefined {
  if (isOrphaned(exported)) return localized("sessionDeleted");
  const isUndecided = exported.progress === undefined && decisionLines(exported).length === 0;
  return isUndecided ? localized("decideWith") : undefined;
}

/** Its session went before the last word about it was said. */
function isOrphaned({ plan, progress, decisions, sessionDeleted }: ExportedPlan): boolean {
  if (sessionDeleted === undefined || progress !== undefined) return false;
  const last = lastAboutPlan(decisions, plan.planId)?.decision;
  return last === undefined || last === "signed";
}

/** What people added to the scope of the plan while it was carried out. */
export const amendmentLines = ({ amendments = [] }: ExportedPlan): string[] =>
  amendments.map(({ n, add, by, atMs, digest }) => {
    const what = scopeLines(add).join("; ");
    return `${n}. ${oneLine(what)}, by ${oneLine(by.name)} at ${rfc3339(atMs)} (digest ${digest})`;
  });

/** What proves each criterion of a step, and what was seen of it: claimed and proven are different (UI-12). */
export function proofLines({ evidence = [] }: PlanSeen, { step, proof = [] }: PlanStep): ReadonlyMap<string, string> {
  return new Map(
    proof.map((one) => {
      const seen = evidence.findLast((found) => found.step === step.trim() && found.criterion === one.criterion);
      const excerpt = seen?.kind === "command" ? oneLine(seen.excerpt).trim() : "";
      const shown = seen === undefined ? "nothing seen" : evidenceLine(seen);
      return [one.criterion, `${proofLine(one)} — ${shown}${excerpt === "" ? "" : `; output ends: ${excerpt}`}`];
    }),
  );
}

/** The plan as it is shown: with the steps as they stand, where it was carried out. */
export const shownBody = ({ plan: { body }, progress }: ExportedPlan): PlanBody =>
  progress === undefined ? body : { ...body, plan: [...progress] };

/** Which bytes these are, and since when. */
export function identity({ plan, progress }: ExportedPlan): [name: string, value: string][] {
  return [
    ["Steps", progress === undefined ? "as submitted" : "as carried out; the digest is of the plan as submitted"],
    ["Plan", plan.planId],
    ["Revision", String(plan.revision)],
    ["Author", oneLine(plan.author?.name ?? "the agent")],
    ["Submitted", rfc3339(plan.submittedAtMs)],
    ["Digest (SHA-256)", plan.digest],
  ];
}

/** Decisions about this very revision, oldest first. */
export const decisionLines = ({ plan, decisions }: ExportedPlan): string[] =>
  decisions
    .filter(({ planId }) => planId === plan.planId)
    .map(({ decision, steps, by, surface, atMs, feedback }) => {
      const said = feedback === undefined || feedback === "" ? "" : `: ${oneLine(feedback)}`;
      const whose = by.kind === "policy" ? `a rule, not a person (${oneLine(by.name)})` : oneLine(by.name);
      const what = decision === "released" ? "accepted" : decision;
      const where = surface === undefined ? "" : ` (${oneLine(surface)})`;
      return `${rfc3339(atMs)} ${what}${aboutSteps(steps)} by ${whose}${where}${said}`;
    });

const aboutSteps = (steps: readonly number[] | undefined): string =>
  steps === undefined ? "" : ` ${steps.length === 1 ? "step" : "steps"} ${numberRanges(steps)}`;
