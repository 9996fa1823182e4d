/** The closed list of effects that a slice can ask for. */
import type { AuditFact } from "../protocol/audit.ts";
import type { ApprovalId, CycleId, MessageId, SessionId, TurnId } from "../protocol/ids.ts";
import type { Injection } from "../protocol/injection.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { LocalizedLine } from "../protocol/localized/localized-text.ts";

/** An immutable document kept beside the session, such as one revision of a plan. */
export type Artifact = { kind: string; id: string; digest: string; body: Json };

/**
 * Everything that a slice may ask for. The list is closed. All of it commits with the event that asked:
 * the first group turns into further events of the session, the second into rows beside it.
 */
export type Effect =
  | { kind: "inject"; injection: Omit<Injection, "createdAtMs"> }
  /** All queued injections of a cycle, or only those of one decision in it. */
  | { kind: "cancel-injections"; cycleId: CycleId; approvalId?: ApprovalId }
  /**
   * Attended when a person caused it. A slice that recorded a person's decision earlier sets `attended`. `continues`:
   * the turn carries on with the slice's approved work, and may change something only while there is some
   * (`continuation`); `lent`: the same, of a session above.
   */
  | { kind: "request-turn"; cause: string; attended?: boolean; continues?: boolean; lent?: boolean }
  | { kind: "end-turn" }
  /**
   * A line for people; `said` holds its message keys, where the text is the gateway's own and not frozen. `logged`: the
   * line is also written to the gateway's log, once it is committed.
   */
  | { kind: "notify"; text: string; said?: LocalizedLine[]; logged?: boolean }
  | { kind: "set-timer"; key: string; atMs: number; command: JsonObject }
  | { kind: "clear-timer"; key: string }
  | { kind: "write-artifact"; artifact: Artifact }
  | { kind: "audit"; fact: AuditFact }
  /**
   * Work outside the session, for the worker of the slice; it may be performed twice. Orders of one session and slice are
   * performed one after another. Those with the same `key` in one session are performed once.
   */
  | { kind: "perform"; order: Order; key?: string }
  | ChildOrder;

/**
 * Orders to a child session. Each may be performed twice and then does nothing the second time. Who stands
 * behind the run that gives an order is filled in by the core: what a held run orders is held too. `order` numbers what
 * is ordered of one child, because rows may be performed in any order; rows of earlier versions have no number.
 */
export type ChildOrder =
  | ({ kind: "start-child"; title: string } & ChildMessage)
  | ({ kind: "tell-child" } & ChildMessage)
  | { kind: "stop-child"; childId: SessionId; order?: number }
  /** No longer needed: the child session is deleted. */
  | { kind: "drop-child"; childId: SessionId };

/** What a slice can still ask for when its session goes. */
export type LastOrder = ChildOrder | Extract<Effect, { kind: "perform" }>;

type ChildMessage = {
  childId: SessionId;
  messageId: MessageId;
  text: string;
  order?: number;
  attended?: boolean;
  lent?: boolean;
};

/** How a child session came to rest, or that it works again; of two reports the greater `stamp` is newer. */
export type ChildReport = {
  kind: "report-to-parent";
  parentId: SessionId;
  stamp: number;
  /** All orders up to this number were taken up or called off when it was written; absent: none had a number. */
  order?: number;
  /** The turn that ended, if one did. */
  turnId: TurnId | null;
  outcome: "running" | "done" | "aborted" | "failed" | "empty" | "gone";
  message: string;
};

/** Work that outlives the commit: the engine performs it at least once, with a key that makes repeating it harmless. */
export type OutboxEffect = { kind: "run-turn"; turnId: TurnId } | ChildOrder | ChildReport | SliceWork;

/** Work that a slice orders; `do` names its kind, by which a worker is found. */
export type Order = JsonObject & { do: string };

/** An order with the name of its slice and the time at which it was given; rows of earlier versions have no time. */
export type SliceWork = { kind: "perform"; slice: string; order: Order; key?: string; atMs?: number };
