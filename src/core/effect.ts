import type { AuditFact } from "../protocol/audit.ts";
import type { ApprovalId, CycleId, MessageId, SessionId, TurnId } from "../protocol/ids.ts";
import type { Injection } from "../protocol/injection.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { Said } from "../protocol/said/say.ts";

/** An immutable document kept beside the session, such as one revision of a plan. */
export type Artifact = { kind: string; id: string; digest: string; body: Json };

/**
 * Everything that a slice may ask for. The list is closed. All of it commits with the event that asked:
 * the first group turns into further events of the session, the second into rows beside it.
 */
export type Effect =
  | { kind: "inject"; injection: Omit<Injection, "createdAtMs"> }
  /** All that wait under a cycle, or only those of one decision in it. */
  | { kind: "cancel-injections"; cycleId: CycleId; approvalId?: ApprovalId }
  /**
   * Attended when a person caused it. A slice that recorded a person's word earlier says so by `attended`; `continues`:
   * it goes on with the slice's approved work, if there is any (`drive`) when something is to be changed.
   */
  | { kind: "request-turn"; cause: string; attended?: boolean; continues?: boolean }
  | { kind: "end-turn" }
  /** A line for people; `said` tells what it means, where its words are the house's own and not frozen. */
  | { kind: "notify"; text: string; said?: Said[] }
  | { kind: "set-timer"; key: string; atMs: number; command: JsonObject }
  | { kind: "clear-timer"; key: string }
  | { kind: "write-artifact"; artifact: Artifact }
  | { kind: "audit"; fact: AuditFact }
  /** Work outside the session for the plugin that owns the slice. It may be carried out twice. */
  | { kind: "carry-out"; order: JsonObject }
  | ChildOrder;

/**
 * Orders to a session below this one. Each may be carried out twice and then does nothing the second time. Whether the
 * run that gives an order is held is filled in by the core: what a held run orders is held too.
 */
export type ChildOrder =
  | { kind: "start-child"; childId: SessionId; title: string; messageId: MessageId; text: string; attended?: boolean }
  | { kind: "tell-child"; childId: SessionId; messageId: MessageId; text: string; attended?: boolean }
  | { kind: "stop-child"; childId: SessionId }
  /** Nobody needs it any more: it is deleted. */
  | { kind: "drop-child"; childId: SessionId };

/** How a session below another one came to rest, or that it works again; what has the greater `stamp` is newer. */
export type ChildReport = {
  kind: "report-to-parent";
  parentId: SessionId;
  stamp: number;
  /** The turn that ended, if one did. */
  turnId: TurnId | null;
  outcome: "running" | "done" | "aborted" | "failed" | "empty" | "gone";
  message: string;
};

/** Work that outlives the commit: carried out at least once by the engine, keyed so that a repeat does no harm. */
export type OutboxEffect = { kind: "run-turn"; turnId: TurnId } | ChildOrder | ChildReport | SliceWork;

/** What a slice asked to be done outside, under the name of the slice. */
export type SliceWork = { kind: "carry-out"; slice: string; order: JsonObject };
