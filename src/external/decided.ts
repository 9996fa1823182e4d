/** What people decided, read from the stored state of a run and told to the agent in its own words. */
import { z } from "zod";
import type { PendingQuestion, PlanModeState, Submission } from "../plan-mode/protocol/state.ts";
import type { PlanDecision, QuestionAnswer, RunState } from "../protocol/external/decisions.ts";
import type { JsonObject } from "../protocol/json.ts";
import { oneLine } from "../plugins/sdk.ts";
import type { ExternalRun } from "./external-runs.ts";
import { planAsText } from "./plan-texts.ts";

/** A run may change things only while an approved plan is carried out; whatever cannot be read is held. */
export function runStatus(plan: PlanModeState | undefined): RunState["status"] {
  if (plan === undefined || plan.held !== undefined) return "held";
  if (plan.now.phase === "executing") return "approved";
  if (plan.now.phase === "pending") return "pending";
  return plan.question === null ? "held" : "asking";
}

/** Whether a person wrote it, or changed its steps. */
export const isWritten = ({ edited, writtenBy }: Submission): boolean =>
  edited !== undefined || writtenBy !== undefined;

type Decided = Pick<PlanDecision, "outcome" | "edited" | "acceptEdits" | "message">;

/** `before`: the submission that was waited for; absent where nobody waited. */
export function decidedPlan({ session, plan }: ExternalRun, before: Submission | undefined): Decided {
  const { now } = plan;
  switch (now.phase) {
    case "executing": {
      const { submission, approval, decidedBy } = now;
      const isEdited = isWritten(submission);
      const edited = isEdited ? { edited: planAsText(submission.title, submission.steps) } : {};
      const changes = submission.edited?.changes ?? "";
      const message = isEdited
        ? `The plan was approved as a person wrote it. Carry out this one instead. ${changes}`.trim()
        : decidedBy.kind === "policy"
          ? `The plan is approved by a rule (${oneLine(decidedBy.name)}), not by a person: carry it out now.`
          : GO;
      return { outcome: "approved", ...edited, acceptEdits: approval === "edited", message };
    }
    case "pending":
      return before === undefined || before.approvalId === now.submission.approvalId
        ? { outcome: "pending", message: WAITS }
        : { outcome: "withdrawn", message: "Another plan took the place of this one." };
    case "rejected": {
      const injected = session.injections.findLast(
        ({ kind, approvalId }) => kind === "plan_decision" && approvalId === now.submission.approvalId,
      );
      return { outcome: "rejected", message: injected?.text ?? (now.feedback || "The plan was rejected.") };
    }
    case "timed_out":
      return { outcome: "expired", message: "Nobody decided in time. Submit the plan again when somebody is there." };
    case "exploring":
    case "off":
      return { outcome: "withdrawn", message: "The plan was withdrawn: a person ended it. Nothing may be changed." };
  }
}

const GO = "The plan is approved: carry it out now.";
const WAITS =
  "The plan is before a person, who decides on the page or in a chat. Nothing may be changed until then: wait, or ask again later.";

const Ended = z.object({
  type: z.string(),
  answer: z.string().optional(),
  reason: z.string().optional(),
  said: z.string().optional(),
});

/** `ended`: the event by which the question ended, if it passed while somebody waited. */
export function answeredQuestion(
  { plan, session }: ExternalRun,
  { questionId }: PendingQuestion,
  ended: JsonObject | undefined,
): Pick<QuestionAnswer, "outcome" | "answer" | "message"> {
  if (plan.question?.questionId === questionId) {
    return { outcome: "pending", message: "The question is before a person: wait, or ask again later." };
  }
  const { data } = Ended.safeParse(ended);
  if (data?.answer !== undefined) return { outcome: "answered", answer: data.answer, message: data.answer };
  if (data?.reason === "declined" || data?.reason === "deferred") {
    return { outcome: "declined", message: unanswered(data) };
  }
  const queued = data === undefined ? queuedAnswer(session) : undefined;
  if (queued !== undefined) return { outcome: "answered", answer: queued, message: queued };
  return { outcome: "expired", message: "Nobody answered in time. Take the safer course, and say so." };
}

/** The answer of a person, where nothing was decided after it. */
export function latestAnswer({ session }: Pick<ExternalRun, "session">): string | undefined {
  const last = session.injections.findLast(({ kind }) => kind === "question_answer" || kind === "plan_decision");
  return last?.kind === "question_answer" ? last.text : undefined;
}

/** For whoever was not there when it was given. */
const queuedAnswer = ({ injections }: ExternalRun["session"]): string | undefined =>
  injections.findLast(({ kind }) => kind === "question_answer")?.text;

const unanswered = ({ reason, said }: z.infer<typeof Ended>): string =>
  `The person did not answer (${reason}).${said === undefined ? "" : ` They say: ${said}`} Take the safer course.`;
