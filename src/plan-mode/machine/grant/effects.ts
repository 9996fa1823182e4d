/** Effects of a grant that is given, spent or denied: texts for the agent, and audit facts. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { type Effect, never } from "../../../plugins/sdk.ts";
import { auditEffect, byKey, presenceKey } from "../effect-parts.ts";
import { deniedText, grantedText } from "../text/grant-text.ts";

type GrantEvent = PlanEventOf<"grant.given"> | PlanEventOf<"grant.spent"> | PlanEventOf<"grant.denied">;

export function grantEffects(state: PlanModeState, event: GrantEvent): Effect[] {
  switch (event.type) {
    case "grant.given": {
      const { grant, questionId } = event;
      const { id, call, by, untilMs } = grant;
      const given = auditEffect("grant.given", { grantId: id, ...call, untilMs, by: byKey(by), ...presenceKey(event) });
      return [tell(state, questionId, grantedText(questionId, grant)), given];
    }
    case "grant.spent":
      return [auditEffect("grant.spent", { grantId: event.grantId })];
    case "grant.denied": {
      const { call, questionId, by } = event;
      return [
        tell(state, questionId, deniedText(questionId, call)),
        auditEffect("grant.denied", { ...call, by: byKey(by) }),
      ];
    }
    default:
      return never(event);
  }
}

/** Replaces the plain answer, because it has the same id. */
function tell({ now }: PlanModeState, questionId: string, text: string): Effect {
  const cycle = now.phase === "off" ? {} : { cycleId: now.cycle.id };
  const { question_answer: priority } = INJECTION_PRIORITIES;
  return {
    kind: "inject",
    injection: { id: `question-answer:${questionId}`, kind: "question_answer", text, priority, ...cycle },
  };
}
