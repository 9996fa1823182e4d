/** What an approval rests on: the revision as it was submitted, whose digest is computed anew before each decision. */
import { Json, type JsonObject } from "../../../protocol/json.ts";
import { canonicalJson, digestOf, type RestsOn } from "../../../plugins/sdk.ts";
import { PlanModeCommand } from "../../protocol/command.ts";
import { PlanRevision } from "../../protocol/plan.ts";
import type { PlanModeState, Submission } from "../../protocol/state.ts";
import { submissionOf } from "../plan/cycle.ts";

/** Rejecting rests on nothing, so that people get rid of a plan whose text was altered. */
export function restsOn(state: PlanModeState, command: JsonObject): RestsOn[] {
  const parsed = PlanModeCommand.safeParse(command);
  const submission = submissionOf(state);
  if (submission === undefined || !parsed.success || !unlocks(parsed.data)) return [];
  const isIntact: RestsOn["isIntact"] = (body, digest) =>
    digest === submission.digest && isSubmitted(body, submission, isDecidable(state));
  return [{ kind: "plan", id: submission.planId, isIntact }];
}

function unlocks(command: PlanModeCommand): boolean {
  switch (command.type) {
    case "decide":
      return command.approval.action === "approve" || command.approval.action === "edit";
    case "resolve":
      return command.decision === "approve";
    default:
      return command.type === "approve-edition";
  }
}

const isDecidable = ({ now }: PlanModeState): boolean => now.phase === "pending" || now.phase === "rejected";

/**
 * Steps move on while the plan is carried out, and are compared only before. Digest and steps are taken of the body as it is
 * stored, which is JSON already; the parsed one says whether it has the shape of a plan.
 */
function isSubmitted(stored: Json, { approvalId, digest, title, steps }: Submission, withSteps: boolean): boolean {
  const revision = PlanRevision.safeParse(stored);
  const body = fieldOf(stored, "body");
  const kept = fieldOf(body, "plan");
  if (!revision.success || body === undefined || kept === undefined) return false;
  const { data } = revision;
  return (
    data.approvalId === approvalId &&
    data.digest === digest &&
    digestOf(body) === digest &&
    data.body.title === title &&
    (!withSteps || canonicalJson(kept) === canonicalJson(Json.parse(steps)))
  );
}

const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
