/** Effects of notes: a permanent record, and an audit fact. They wake no agent, because they are sent with the decision. */
import { Json } from "../../../protocol/json.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { PlanDecided, ReviewEvent, ReviewRecord } from "../../protocol/review.ts";
import { digestOf, type Effect, never } from "../../../plugins/sdk.ts";
import type { PlanContext } from "../actors.ts";
import { cycleIdOf } from "../plan/cycle.ts";
import { auditEffect, byKey } from "../effect-parts.ts";

/** Records of reviews are artifacts of this kind. */
export const REVIEW_RECORD = "plan-review";

export function reviewEffects(state: PlanModeState, event: ReviewEvent): Effect[] {
  return [...keep(state, event), ...audited(event)];
}

/** A decision, with the surface on which the person made it. */
export const keepDecision = (
  state: PlanModeState,
  fact: PlanDecided,
  { actor }: Pick<PlanContext, "actor">,
): Effect[] =>
  keep(state, actor.kind === "operator" && actor.id === fact.by.id ? { ...fact, surface: actor.surface } : fact);

/** Named by its content: the same fact twice is one record. */
function keep(state: PlanModeState, fact: ReviewEvent | PlanDecided): Effect[] {
  const cycleId = cycleIdOf(state);
  if (cycleId === undefined) return [];
  const record: ReviewRecord = { cycleId, fact };
  const body = Json.parse(record);
  const digest = digestOf(body);
  return [{ kind: "write-artifact", artifact: { kind: REVIEW_RECORD, id: `${cycleId}:${digest}`, digest, body } }];
}

function audited(event: ReviewEvent): Effect[] {
  switch (event.type) {
    case "note.added": {
      const { id, n, kind, text, anchor, planId, by } = event.note;
      return [
        auditEffect("note.added", { noteId: id, n, kind, text, anchor: Json.parse(anchor), planId, by: byKey(by) }),
      ];
    }
    case "note.replied":
      return [auditEffect("note.replied", { noteId: event.noteId, text: event.reply.text, by: byKey(event.reply.by) })];
    case "note.resolved":
    case "note.reopened":
      return [auditEffect(event.type, { noteId: event.noteId, by: byKey(event.by) })];
    case "notes.moved":
      return [
        auditEffect("notes.moved", {
          planId: event.planId,
          addressed: event.addressed,
          standing: event.moves.map(({ noteId, standing }) => ({ noteId, standing })),
        }),
      ];
    default:
      return never(event);
  }
}
