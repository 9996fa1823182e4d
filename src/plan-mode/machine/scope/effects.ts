/** Effects of an amendment: text for the agent, a line for people, an audit fact. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import { Json } from "../../../protocol/json.ts";
import { type Effect, defuseLine } from "../../../plugins/sdk.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { localized } from "../../texts/localized.ts";
import { auditEffect, byKey, notifyEffect } from "../effect-parts.ts";
import { scopeLines } from "../../protocol/step/step-lines.ts";

const LINE_CHARS_MAX = 1_000;

export function amendedEffects({ now }: PlanModeState, event: PlanEventOf<"plan.amended">): Effect[] {
  const { amendment, approvalId, planId, questionId } = event;
  const { n, add, digest, by } = amendment;
  const what = scopeLines(add).join("; ");
  return [
    {
      kind: "inject",
      injection: {
        id: `question-answer:${questionId}`, // in place of the plain answer
        kind: "question_answer",
        text: amendedText(questionId, what),
        priority: INJECTION_PRIORITIES.question_answer,
        ...(now.phase === "off" ? {} : { cycleId: now.cycle.id }),
      },
    },
    notifyEffect(localized("planAmended", { n, name: by.name, what: defuseLine(what, LINE_CHARS_MAX) })),
    auditEffect("plan.amended", {
      approvalId,
      planId,
      n,
      add: Json.parse(add),
      digest,
      by: byKey(by),
    }),
  ];
}

const amendedText = (questionId: string, what: string): string =>
  [
    "[QUESTION_ANSWER]",
    `question_id: ${questionId}`,
    "option: amend",
    `A person amended the plan: its scope now also holds ${defuseLine(what, LINE_CHARS_MAX)}.`,
    "Make the call again. Everything else that the plan does not declare is held as before.",
    "[/QUESTION_ANSWER]",
  ].join("\n");
