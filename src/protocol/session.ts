/**
 * The session: one conversation with one agent, as it is stored and as it changes.
 *
 *   turn:  idle ──message · injection──▶ requested ──lease taken──▶ running ──finish──▶ idle (or requested again)
 *                                                        └──node died──▶ running under a new epoch
 *
 * The transcript is not in here: its entries are events. A session's row stays small however long it talks.
 */
import { z } from "zod";
import { AttachmentRef, ATTACHMENTS_MAX, NewAttachment } from "./attachment.ts";
import { callCommands, CallerCommand } from "./calls/call-commands.ts";
import { callerEvents } from "./calls/caller-events.ts";
import { CallerRef, CALLERS_MAX, OpenCall, SessionCaller } from "./calls/caller.ts";
import { GateRefusal } from "./gate.ts";
import { MessageId, SessionId, TurnId } from "./ids.ts";
import { Injection } from "./injection.ts";
import { Json, JsonObject } from "./json.ts";
import { LocalizedLines } from "./localized/localized-lines.ts";
import { CallStatus, Entry, Kept, SUMMARY_CHARS_MAX, ToolCall, Usage } from "./transcript-entry.ts";

export { SliceGrant } from "./calls/call-commands.ts";
export { OpenCall } from "./calls/caller.ts";

export const TITLE_CHARS_MAX = 200;
export const MESSAGE_CHARS_MAX = 65_536;
const NOTICE_CHARS_MAX = 16_384;
export const INBOX_MAX = 50;
export const TIMERS_MAX = 32;
export const CALLS_PER_STEP_MAX = 64;
export const URGE_LEVELS = 3;
const NOTE_CHARS_MAX = 4_000;

/** `external`: the conversation of an agent that runs outside; the gateway asks no model in it, and judges its calls. */
export const SessionKind = z.enum(["chat", "subagent", "cron", "poller", "heartbeat", "hook", "external"]);
export type SessionKind = z.infer<typeof SessionKind>;

/** Only these have a person at their other end who could approve. */
export const hasPerson = (kind: SessionKind): boolean => kind === "chat" || kind === "external";

const QueuedMessage = z.strictObject({
  id: MessageId,
  text: z.string().min(1).max(MESSAGE_CHARS_MAX),
  from: z.string(),
  atMs: z.int(),
  attachments: z.array(AttachmentRef).max(ATTACHMENTS_MAX).optional(),
  /** A person wrote it, or a session above in a run that a person attended. */
  attended: z.boolean().optional(),
  /** A session above ordered it in a run that goes on with an approved plan and that nobody attends. */
  lent: z.boolean().optional(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** Who stands behind a turn (GA-14); absent: nobody. */
const backing = {
  /** A person's word or decision started it. */
  attended: z.boolean().optional(),
  /** It goes on with a plan cycle, and is not held while approved work of it is left. */
  continues: z.boolean().optional(),
  /** It works for an approved plan of a session above, and may change things only while that plan has work left. */
  lent: z.boolean().optional(),
};

export const Turn = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("idle") }),
  z.strictObject({ status: z.literal("requested"), turnId: TurnId, cause: z.string(), atMs: z.int(), ...backing }),
  z.strictObject({
    status: z.literal("running"),
    turnId: TurnId,
    node: z.string(),
    leaseUntilMs: z.int(),
    startedAtMs: z.int(),
    attempt: z.int().positive(),
    /** The model may make no further request in this turn (it submitted a plan, or asked a question). */
    ending: z.boolean(),
    aborting: z.boolean(),
    /** Something asked for a turn while this one ran. */
    again: z.boolean(),
    /** How that turn is backed, apart from the messages that wait for it. */
    againAttended: z.boolean().optional(),
    againContinues: z.boolean().optional(),
    againLent: z.boolean().optional(),
    ...backing,
    /** A mutating call was claimed in this turn. */
    mutated: z.boolean().optional(),
    calls: z.array(OpenCall).max(CALLS_PER_STEP_MAX),
  }),
]);
export type Turn = z.infer<typeof Turn>;
export type TurnIn<Status extends Turn["status"]> = Extract<Turn, { status: Status }>;

export const Timer = z.strictObject({
  key: z.string().max(128),
  atMs: z.int(),
  slice: z.string(),
  command: JsonObject,
});
export type Timer = z.infer<typeof Timer>;

/** What a session took so far, all models together. Answers without a known price are counted, not guessed. */
export const Spent = Usage.omit({ model: true, costUsd: true }).extend({
  costUsd: z.number().nonnegative(),
  answers: z.int().nonnegative(),
  answersWithoutPrice: z.int().nonnegative(),
});
export type Spent = z.infer<typeof Spent>;

export const Session = z.strictObject({
  id: SessionId,
  agentId: z.string().min(1).max(64),
  kind: SessionKind,
  parentId: SessionId.optional(),
  role: z.string().max(64).optional(),
  surface: z.string().max(64),
  /** The account of that surface which the session came in by; absent where the surface has none. */
  instance: z.string().max(256).exactOptional(),
  workspace: z.string(),
  /** Chosen by somebody who may only choose below `workspaces.roots`: it must lie there whenever it is used. */
  rooted: z.boolean().exactOptional(),
  title: z.string().max(TITLE_CHARS_MAX),
  archived: z.boolean(),
  createdAtMs: z.int(),
  updatedAtMs: z.int(),
  /** Grows each time a node takes the turn's lease; a write that carries an older one is refused. */
  epoch: z.int().nonnegative(),
  entryCount: z.int().nonnegative(),
  /** The first transcript entry that still counts; a reset moves it, nothing is erased. */
  historyFrom: z.int().nonnegative(),
  /** Entries up to here are summarised: what the model is sent begins behind them. */
  compactedTo: z.int().nonnegative().optional(),
  turnCount: z.int().nonnegative(),
  spent: Spent.optional(),
  /** The stamp of the newest report to the session above this one. */
  reported: z.int().nonnegative().optional(),
  /** The number of the newest order of the session above that was taken up or called off; all before it are settled too. */
  ordered: z.int().positive().optional(),
  /** The session above stopped it: nothing but a new order of that session, or what a person writes or decides here, begins a turn. */
  stopped: z.boolean().optional(),
  /** Turns in a row that nobody but the gateway asked for. */
  unattendedTurns: z.int().nonnegative().optional(),
  turn: Turn,
  /** The last turn failed, and none has ended well since. */
  failed: z.literal(true).exactOptional(),
  /** Who else makes calls here; absent where nobody does. */
  callers: z.array(SessionCaller).max(CALLERS_MAX).exactOptional(),
  /** The epoch of the last lease that a caller took. It never goes back, so that an old caller stays fenced off. */
  callerEpoch: z.int().positive().exactOptional(),
  inbox: z.array(QueuedMessage).max(INBOX_MAX),
  injections: z.array(Injection),
  timers: z.array(Timer).max(TIMERS_MAX),
  slices: z.record(z.string(), Json),
});
export type Session = z.infer<typeof Session>;

/** Texts around a turn's input, in the order in which they are sent. */
export const PREPARED_TEXTS_MAX = 16;
export const PREPARED_CHARS_MAX = 32_768;
const preparedTexts = z
  .array(z.string().min(1))
  .max(PREPARED_TEXTS_MAX)
  .refine((texts) => texts.join("").length <= PREPARED_CHARS_MAX, `at most ${PREPARED_CHARS_MAX} characters in all`);
const Prepared = z.strictObject({ before: preparedTexts, after: preparedTexts });
export type Prepared = z.infer<typeof Prepared>;

const onTurn = { turnId: TurnId, epoch: z.int() };

const created = {
  sessionId: SessionId,
  agentId: z.string().min(1).max(64),
  kind: SessionKind,
  parentId: SessionId.optional(),
  role: z.string().max(64).optional(),
  surface: z.string().max(64),
  instance: z.string().max(256).exactOptional(),
  workspace: z.string(),
  rooted: z.boolean().exactOptional(),
  title: z.string().max(TITLE_CHARS_MAX),
};

const OwnCommand = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("session.create"), ...created }),
  z.strictObject({ type: z.literal("session.rename"), title: z.string().min(1).max(TITLE_CHARS_MAX) }),
  z.strictObject({ type: z.literal("session.archive"), archived: z.boolean() }),
  z.strictObject({ type: z.literal("session.reset") }),
  z.strictObject({ type: z.literal("session.delete") }),
  /** Of the session above: ends the turn and empties the queues; orders with a smaller number are called off. */
  z.strictObject({ type: z.literal("session.stop"), order: z.int().positive().optional() }),
  z.strictObject({
    type: z.literal("message.send"),
    messageId: MessageId,
    text: z.string().min(1).max(MESSAGE_CHARS_MAX),
    attachments: z.array(NewAttachment).max(ATTACHMENTS_MAX).optional(),
    /** Believed of nobody but the session above: the run in which it ordered this may change things. */
    attended: z.boolean().optional(),
    /** Likewise: that run goes on with an approved plan, and nobody attends it. */
    lent: z.boolean().optional(),
    /** Likewise: which of its orders to this session it is. */
    order: z.int().positive().optional(),
    /** The first message of a conversation: where the session is not there yet, it is created in the same commit. */
    creates: z.strictObject(created).exactOptional(),
  }),
  /** A line for the people who read along; the model does not see it. */
  z.strictObject({
    type: z.literal("notice.add"),
    text: z.string().min(1).max(NOTICE_CHARS_MAX),
    said: LocalizedLines.exactOptional(),
  }),
  z.strictObject({ type: z.literal("injection.add"), injection: Injection, wake: z.boolean() }),
  z.strictObject({
    type: z.literal("turn.start"),
    turnId: TurnId,
    node: z.string(),
    leaseUntilMs: z.int(),
    /** The caller holds the whole state exclusively, so a lease of another node can only be a dead one's. */
    sole: z.boolean(),
    /** What was put together for this turn beforehand; recorded with its input, so that a retry sends the same bytes. */
    prepared: Prepared.optional(),
  }),
  z.strictObject({ type: z.literal("turn.renew"), ...onTurn, leaseUntilMs: z.int() }),
  z.strictObject({
    type: z.literal("turn.say"),
    ...onTurn,
    text: z.string(),
    calls: z.array(ToolCall).max(CALLS_PER_STEP_MAX),
    usage: Usage.optional(),
    kept: Kept.optional(),
  }),
  z.strictObject({
    type: z.literal("turn.finish"),
    ...onTurn,
    outcome: z.enum(["done", "aborted", "failed"]),
    message: z.string(),
    said: LocalizedLines.exactOptional(),
  }),
  z.strictObject({ type: z.literal("turn.abort") }),
  /** Takes what people wrote meanwhile into the turn that runs. */
  z.strictObject({ type: z.literal("turn.steer"), ...onTurn }),
  /** Presses an agent that only announced what it will do. */
  z.strictObject({ type: z.literal("turn.urge"), ...onTurn, level: z.int().min(1).max(URGE_LEVELS) }),
  z.strictObject({
    type: z.literal("turn.compact"),
    ...onTurn,
    upTo: z.int().positive(),
    summary: z.string().min(1).max(SUMMARY_CHARS_MAX),
    /** What the turn under way was asked, where that lies before the cut. */
    asked: z.string().max(SUMMARY_CHARS_MAX),
  }),
  /** Tells the people who watch something about this turn; the model does not see it. */
  z.strictObject({
    type: z.literal("turn.note"),
    ...onTurn,
    text: z.string().min(1).max(NOTE_CHARS_MAX),
    said: LocalizedLines.exactOptional(),
  }),
  ...callCommands(onTurn),
  z.strictObject({ type: z.literal("timer.fire"), key: z.string(), atMs: z.int() }),
  z.strictObject({ type: z.literal("slice.apply"), slice: z.string(), command: JsonObject }),
  /** Sweeps out what a plugin that is gone left behind: its slice, the slice's timers, and queued texts of its kind. */
  z.strictObject({ type: z.literal("slice.drop"), slice: z.string(), injectionKind: z.string() }),
]);
/** Orders to a session. Each is answered with events or with a refusal; none is answered with both. */
export const SessionCommand = z.union([OwnCommand, CallerCommand]);
export type SessionCommand = z.infer<typeof SessionCommand>;
export type CommandOf<Type extends SessionCommand["type"]> = Extract<SessionCommand, { type: Type }>;

/** A slice's own fact: its `type` is the public name (`plan.submitted`), the rest belongs to the slice. */
export type SliceEvent = { type: string } & JsonObject;
export const SliceEvent = JsonObject.refine(
  (event) => typeof event["type"] === "string",
  "an event has a type",
) as z.ZodType<SliceEvent>;

/** Facts, in the past tense. Appended once, never edited. */
export const SessionEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("session.created"), session: Session }),
  z.strictObject({ type: z.literal("session.renamed"), title: z.string() }),
  z.strictObject({ type: z.literal("session.archived"), archived: z.boolean() }),
  z.strictObject({ type: z.literal("session.reset") }),
  z.strictObject({ type: z.literal("session.deleted") }),
  z.strictObject({ type: z.literal("session.stopped"), order: z.int().positive().optional() }),
  /** The session above gave a numbered order, or a person wrote to a session that was stopped. */
  z.strictObject({ type: z.literal("session.ordered"), order: z.int().positive().optional() }),
  z.strictObject({ type: z.literal("message.queued"), message: QueuedMessage }),
  z.strictObject({ type: z.literal("injection.queued"), injection: Injection }),
  z.strictObject({
    type: z.literal("injection.dropped"),
    id: z.string(),
    reason: z.enum(["evicted", "cancelled", "expired"]),
  }),
  z.strictObject({ type: z.literal("turn.requested"), turnId: TurnId, cause: z.string(), ...backing }),
  z.strictObject({
    type: z.literal("turn.started"),
    turnId: TurnId,
    epoch: z.int(),
    node: z.string(),
    leaseUntilMs: z.int(),
  }),
  z.strictObject({
    type: z.literal("turn.taken-over"),
    turnId: TurnId,
    epoch: z.int(),
    node: z.string(),
    leaseUntilMs: z.int(),
  }),
  z.strictObject({ type: z.literal("turn.renewed"), leaseUntilMs: z.int() }),
  z.strictObject({ type: z.literal("turn.steered"), turnId: TurnId, messageIds: z.array(MessageId) }),
  z.strictObject({ type: z.literal("turn.continued"), unattendedTurns: z.int().positive() }),
  z.strictObject({ type: z.literal("turn.ending") }),
  z.strictObject({ type: z.literal("turn.aborting"), by: z.string() }),
  z.strictObject({
    type: z.literal("turn.finished"),
    turnId: TurnId,
    outcome: z.enum(["done", "aborted", "failed", "empty"]),
    message: z.string(),
    said: LocalizedLines.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("turn.said"),
    turnId: TurnId,
    calls: z.array(ToolCall.pick({ callId: true, tool: true })),
  }),
  z.strictObject({
    type: z.literal("call.claimed"),
    callId: z.string(),
    tool: z.string(),
    argsDigest: z.string(),
    /** Of the lease under which it was claimed: the turn's, or the caller's. */
    epoch: z.int(),
    caller: CallerRef.exactOptional(),
    /** Per slice, what the call was allowed by: for plan mode the approval and the digest of its plan. */
    under: JsonObject,
  }),
  z.strictObject({
    type: z.literal("call.closed"),
    callId: z.string(),
    tool: z.string(),
    status: CallStatus,
    caller: CallerRef.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("call.rewritten"),
    callId: z.string(),
    tool: z.string(),
    args: JsonObject,
    argsDigest: z.string(),
    by: z.string(),
    caller: CallerRef.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("call.refused"),
    callId: z.string(),
    refusal: GateRefusal,
    /** The policy that refused, or the slice whose guard did. */
    by: z.string().exactOptional(),
    caller: CallerRef.exactOptional(),
  }),
  ...callerEvents,
  z.strictObject({ type: z.literal("entry.appended"), n: z.int().positive(), entry: Entry }),
  z.strictObject({ type: z.literal("timer.set"), timer: Timer }),
  z.strictObject({ type: z.literal("timer.cleared"), key: z.string() }),
  z.strictObject({ type: z.literal("slice.changed"), slice: z.string(), event: SliceEvent }),
  z.strictObject({ type: z.literal("slice.dropped"), slice: z.string() }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
export type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;
