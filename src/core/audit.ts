/** Derives the audit facts of the session's own events. */
import type { CallerRef, SessionCaller } from "../protocol/calls/caller.ts";
import type { OwnFact } from "../protocol/audit.ts";
import type { FactType } from "../protocol/localized/fact-types.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { EventOf, SessionEvent } from "../protocol/session.ts";

/** The audit facts of one event of the session itself; slices ask for theirs by an `audit` effect. */
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
      return [fact(event.type, { callId, tool, argsDigest, by, ...callerIn(event) })];
    }
    case "call.refused": {
      const { callId, refusal } = event;
      return [fact(event.type, { callId, tool: refusal.tool_name, rule: refusal.rule, ...callerIn(event) })];
    }
    case "call.closed": {
      const { callId, tool, status } = event;
      return status === "refused" ? [] : [fact(event.type, { callId, tool, status, ...callerIn(event) })];
    }
    case "caller.opened":
      return [fact(event.type, openedDetail(event.caller))];
    case "caller.resumed":
      return [fact(event.type, { callerId: event.callerId, epoch: event.epoch, parentCallId: event.parent.callId })];
    case "caller.closed":
      return [fact(event.type, { ...callerIn(event), ending: event.ending })];
    default:
      return [];
  }
}

const fact = (type: FactType, detail: JsonObject): OwnFact => ({ type, detail });

const claimDetail = ({ callId, tool, argsDigest, epoch, under, caller }: EventOf<"call.claimed">): JsonObject => ({
  callId,
  tool,
  argsDigest,
  epoch,
  under,
  ...(caller === undefined ? {} : { caller }),
});

const callerIn = ({ caller }: { caller?: CallerRef }): JsonObject => (caller === undefined ? {} : { caller });

const openedDetail = (caller: SessionCaller): JsonObject => ({
  caller: { id: caller.id, kind: caller.kind },
  epoch: caller.epoch,
  ...(caller.kind === "cell" ? { parentCallId: caller.parent.callId } : { connection: caller.connection }),
});
