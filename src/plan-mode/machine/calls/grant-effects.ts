/** A one-off yes and its use, as the agent, people and the audit chain hear of them. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { PlanEventOf, PlanModeState } from "../../../protocol/plan-mode.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import { audit, byKey } from "../effect-parts.ts";
import { grantedText } from "../text/grant-text.ts";

export function grantEffects(
  { now }: PlanModeState,
  event: PlanEventOf<"grant.given"> | PlanEventOf<"grant.spent">,
): Effect[] {
  if (event.type === "grant.spent") return [audit("grant.spent", { grantId: event.grantId })];
  const { grant, questionId } = event;
  const { id, call, by, untilMs } = grant;
  const cycle = now.phase === "off" ? {} : { cycleId: now.cycle.id };
  return [
    {
      // takes the place of the plain answer: same id
      kind: "inject",
      injection: {
        id: `question-answer:${questionId}`,
        kind: "question_answer",
        text: grantedText(questionId, grant),
        priority: INJECTION_PRIORITIES.question_answer,
        ...cycle,
      },
    },
    audit("grant.given", { grantId: id, ...call, untilMs, by: byKey(by) }),
  ];
}
