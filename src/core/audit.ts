import type { OwnFact } from "../protocol/audit.ts";
import type { FactType } from "../protocol/said/fact-types.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { EventOf, SessionEvent } from "../protocol/session.ts";

/** Which of the session's own facts are kept in the audit chain; slices name theirs by an `audit` effect. */
export function auditOf(event: SessionEvent): OwnFact[] {
  switch (event.type) {
    case "session.created":
      return [fact(event.type, { kind: event.session.kind, surface: event.session.surface })];
    case "session.archived":
    case "session.reset":
    case "session.deleted":
      return [fact(event.type, {})];
    case "turn.taken-over":
      return [fact(event.type, { turnId: event.turnId, epoch: event.epoch })];
    case "turn.aborting":
      return [fact(event.type, { by: event.by })];
    case "call.claimed":
      return [fact(event.type, claimDetail(event))];
    case "call.rewritten": {
      const { callId, tool, argsDigest, by } = event;
      return [fact(event.type, { callId, tool, argsDigest, by })];
    }
    case "call.refused":
      return [fact(event.type, { callId: event.callId, tool: event.refusal.tool_name, rule: event.refusal.rule })];
    case "call.closed":
      return event.status === "refused"
        ? []
        : [fact(event.type, { callId: event.callId, tool: event.tool, status: event.status })];
    default:
      return [];
  }
}

const fact = (type: FactType, detail: JsonObject): OwnFact => ({ type, detail });

const claimDetail = ({ callId, tool, argsDigest, epoch, under }: EventOf<"call.claimed">): JsonObject => ({
  callId,
  tool,
  argsDigest,
  epoch,
  under,
});
