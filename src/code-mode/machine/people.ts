/** What people were asked and decided, read off the facts of plan mode: a cell that asked goes on with the answer. */
import type { SliceEvent } from "../../protocol/session.ts";
import type { z } from "../../plugins/sdk.ts";
import { PlanModeEvent } from "../../plan-mode/protocol/event.ts";
import { isAbout } from "./evolve.ts";
import type { PendingQuestion } from "../../plan-mode/protocol/state.ts";
import type { AskedPerson, CodeModeEvent, CodeModeState, Decided } from "../protocol/state.ts";

const PLAN_MODE_SLICE = "planMode";
const WORDS_CHARS_MAX = 20_000;

type Fact = { slice: string; event: SliceEvent };

/** The events of plan mode that are looked at, each by what it says about something that was asked. */
const WATCHED: ReadonlySet<string> = new Set([
  "question.asked",
  "question.answered",
  "question.closed",
  "plan.submitted",
  "plan.approved",
  "plan.rejected",
  "plan.timed_out",
]);

export function followPeople(state: CodeModeState, { slice, event }: Fact): CodeModeEvent[] {
  if (slice !== PLAN_MODE_SLICE || !WATCHED.has(event.type)) return [];
  const parsed = Seen.safeParse(event);
  return parsed.success ? said(parsed.data).filter((one) => isWanted(state, one)) : [];
}

const Seen: z.ZodType<PlanModeEvent> = PlanModeEvent;

function said(event: PlanModeEvent): CodeModeEvent[] {
  switch (event.type) {
    case "question.asked":
      return [{ type: "person.asked", asked: askedIn(event.question) }];
    case "question.answered":
      return [decided(event.questionId, answerOf(event))];
    case "question.closed":
      return [decided(event.questionId, { allowed: false, closed: event.reason, ...words(event.said) })];
    case "plan.submitted":
      return [
        {
          type: "person.asked",
          asked: { id: event.submission.planId, about: "plan", approvalId: event.submission.approvalId },
        },
      ];
    case "plan.approved":
      return [decided(event.approvalId, { allowed: true })];
    case "plan.rejected":
      return [decided(event.approvalId, { allowed: false, ...words(event.feedback) })];
    case "plan.timed_out":
      return [decided(event.approvalId, { allowed: false, closed: "timed_out" })];
    default:
      return [];
  }
}

const askedIn = ({ questionId: id, call }: PendingQuestion): Omit<AskedPerson, "decided"> =>
  call === undefined ? { id, about: "question" } : { id, about: "call", tool: call.tool };

const DENY = "deny";
const answerOf = ({ answer, optionId }: Extract<PlanModeEvent, { type: "question.answered" }>): Decided => ({
  allowed: optionId !== DENY,
  optionId,
  ...words(answer),
});

const words = (text: string | undefined): { answer?: string } =>
  text === undefined || text === "" ? {} : { answer: text.slice(0, WORDS_CHARS_MAX).toWellFormed() };
const decided = (id: string, how: Decided): CodeModeEvent => ({ type: "person.decided", id, decided: how });

/** What nobody asked here while code mode was on is nobody's answer. */
const isWanted = ({ asked: known = [] }: CodeModeState, event: CodeModeEvent): boolean =>
  event.type !== "person.decided" || known.some((one) => isAbout(one, event.id));
