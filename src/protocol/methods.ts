/**
 * Every method of the RPC, with the scope it needs and the shapes it takes and gives. Validation, the typed client,
 * docs/PROTOCOL.md and the JSON Schema are all made from this table.
 */
import { z } from "zod";
import { Scope } from "./actor.ts";
import { AuditRow, AuditVerdict } from "./audit.ts";
import { OperatorId, PlanId, SessionId } from "./ids.ts";
import { Json, JsonObject } from "./json.ts";
import { PlanApproval } from "./plan-mode.ts";
import { PlanRevision } from "./plan.ts";
import { MESSAGE_CHARS_MAX, Session, SessionKind, TITLE_CHARS_MAX } from "./session.ts";
import { Entry } from "./transcript.ts";

const LIST_LIMIT_MAX = 200;

const limit = z.int().min(1).max(LIST_LIMIT_MAX).default(50);
const cursor = z.string().max(256).nullable().default(null);
const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .describe("The same key with the same request gets the first answer again.");
const sessionId = SessionId;
const none = z.strictObject({});

export const Waiting = z.strictObject({
  kind: z.enum(["approval", "question"]),
  id: z.string(),
  title: z.string(),
  sinceMs: z.int(),
  deadlineMs: z.int().nullable(),
});

export const SessionSummary = z.strictObject({
  id: SessionId,
  agentId: z.string(),
  kind: SessionKind,
  title: z.string(),
  archived: z.boolean(),
  createdAtMs: z.int(),
  updatedAtMs: z.int(),
  waiting: Waiting.nullable(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** A session as clients see it: without what only the engine needs. */
export const SessionView = Session.omit({ injections: true, timers: true, inbox: true, workspace: true }).extend({
  workspace: z.string(),
  waiting: Waiting.nullable(),
  queuedMessages: z.int(),
});
export type SessionView = z.infer<typeof SessionView>;

/** Exactly one change per patch, told apart by its field. */
const SessionPatch = z.union([
  z.strictObject({ sessionId, idempotencyKey, planApproval: PlanApproval }),
  z.strictObject({ sessionId, idempotencyKey, planMode: z.enum(["plan", "normal"]).nullable() }),
  z.strictObject({ sessionId, idempotencyKey, title: z.string().trim().min(1).max(TITLE_CHARS_MAX) }),
  z.strictObject({ sessionId, idempotencyKey, archived: z.boolean() }),
]);

export const HistoryItem = z.strictObject({ n: z.int(), atMs: z.int(), entry: Entry });
export type HistoryItem = z.infer<typeof HistoryItem>;

const TokenView = z.strictObject({
  id: OperatorId,
  name: z.string(),
  scopes: z.array(Scope),
  createdAtMs: z.int(),
  revokedAtMs: z.int().nullable(),
});

const method = <Params extends z.ZodType, Result extends z.ZodType>(
  scope: Scope | "public",
  summary: string,
  shapes: { params: Params; result: Result },
) => ({ scope, summary, ...shapes });

export const METHODS = {
  connect: method("public", "The handshake: must be the first request on a connection.", {
    params: z.strictObject({
      minProtocol: z.int(),
      maxProtocol: z.int(),
      client: z.strictObject({
        name: z.string().max(64),
        version: z.string().max(32),
        surface: z.string().max(32).default("api"),
      }),
      auth: z.strictObject({ token: z.string().min(1).max(512) }),
      /** May narrow what the token allows, never widen it. */
      scopes: z.array(Scope).optional(),
      resume: z.strictObject({ cursor: z.int().nonnegative(), sessionIds: z.array(SessionId).max(100) }).optional(),
    }),
    result: z.strictObject({
      protocol: z.int(),
      server: z.strictObject({ name: z.string(), version: z.string() }),
      connectionId: z.string(),
      operator: z.strictObject({ id: OperatorId, name: z.string(), scopes: z.array(Scope) }),
      /** Durable events up to here are not sent again. */
      cursor: z.int().nonnegative(),
      /** False when the missed events are too many to replay: read the sessions again instead. */
      resumed: z.boolean(),
      limits: z.strictObject({ frameBytesMax: z.int(), requestsPerSecond: z.int() }),
    }),
  }),
  health: method("operator.read", "Whether the gateway and its store can work.", {
    params: none,
    result: z.strictObject({
      ready: z.boolean(),
      store: z.strictObject({ writable: z.boolean(), detail: z.string() }),
    }),
  }),
  status: method("operator.read", "What the gateway is doing.", {
    params: none,
    result: z.strictObject({
      version: z.string(),
      node: z.string(),
      pid: z.int(),
      uptimeMs: z.int(),
      store: z.string(),
      model: z.string(),
      connections: z.int(),
      runningTurns: z.int(),
      waiting: z.int(),
      home: z.string(),
    }),
  }),
  "sessions.create": method(
    "operator.write",
    "Starts a session. A role other than the configured one needs operator.approvals.",
    {
      params: z.strictObject({
        idempotencyKey,
        agentId: z.string().min(1).max(64).default("main"),
        title: z.string().trim().max(TITLE_CHARS_MAX).default(""),
        workspace: z.string().min(1).max(4096).optional(),
        role: z.string().max(64).optional(),
      }),
      result: z.strictObject({ session: SessionView }),
    },
  ),
  "sessions.list": method("operator.read", "Sessions, last changed first, a page at a time.", {
    params: z.strictObject({
      cursor,
      limit,
      archived: z.boolean().default(false),
      waiting: z.boolean().optional().describe("true: only those that wait for a person."),
      search: z.string().max(200).optional(),
    }),
    result: z.strictObject({ sessions: z.array(SessionSummary), nextCursor: z.string().nullable() }),
  }),
  "sessions.get": method("operator.read", "One session as it is stored now.", {
    params: z.strictObject({ sessionId }),
    result: z.strictObject({ session: SessionView }),
  }),
  "sessions.patch": method(
    "operator.read",
    "The one way to change a session. Decisions and plan mode need operator.approvals, title and archive operator.write.",
    {
      params: SessionPatch,
      result: z.strictObject({ reply: Json, session: SessionView.nullable() }),
    },
  ),
  "sessions.reset": method(
    "operator.write",
    "Forgets the conversation and starts anew under the same name. Plan mode, if on, stays on.",
    {
      params: z.strictObject({ sessionId, idempotencyKey }),
      result: z.strictObject({ session: SessionView }),
    },
  ),
  "sessions.delete": method("operator.admin", "Removes a session; its audit rows stay.", {
    params: z.strictObject({ sessionId, idempotencyKey }),
    result: none,
  }),
  "sessions.subscribe": method("operator.read", "Sends this session's events on this connection, missed ones first.", {
    params: z.strictObject({ sessionId, afterCursor: z.int().nonnegative().optional() }),
    result: z.strictObject({
      /** Durable events of this session up to here are not sent again. */
      cursor: z.int().nonnegative(),
      /** False when the missed events are too many to replay: read the session again instead. */
      resumed: z.boolean(),
    }),
  }),
  "sessions.unsubscribe": method("operator.read", "Stops sending this session's events.", {
    params: z.strictObject({ sessionId }),
    result: none,
  }),
  "chat.send": method(
    "operator.read",
    "Says something to the agent (operator.write), or runs a command: text that begins with a slash, with the scopes it needs.",
    {
      params: z.strictObject({ sessionId, idempotencyKey, text: z.string().trim().min(1).max(MESSAGE_CHARS_MAX) }),
      result: z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("message"), messageId: z.string(), queued: z.boolean() }),
        z.strictObject({ kind: z.literal("command"), message: z.string() }),
      ]),
    },
  ),
  "chat.history": method("operator.read", "The transcript, newest page last.", {
    params: z.strictObject({ sessionId, before: z.int().positive().nullable().default(null), limit }),
    result: z.strictObject({ items: z.array(HistoryItem), more: z.boolean() }),
  }),
  "chat.abort": method("operator.write", "Stops the running turn and its tools.", {
    params: z.strictObject({ sessionId, idempotencyKey }),
    result: none,
  }),
  "plans.list": method("operator.read", "Plan revisions, newest first, of one session or of all.", {
    params: z.strictObject({ sessionId: SessionId.optional(), cursor, limit }),
    result: z.strictObject({ plans: z.array(PlanRevision), nextCursor: z.string().nullable() }),
  }),
  "plans.get": method("operator.read", "One plan revision, whole.", {
    params: z.strictObject({ planId: PlanId }),
    result: z.strictObject({ plan: PlanRevision }),
  }),
  "plans.revisions": method("operator.read", "All revisions of the cycle that a plan belongs to, oldest first.", {
    params: z.strictObject({ planId: PlanId }),
    result: z.strictObject({ plans: z.array(PlanRevision) }),
  }),
  "commands.list": method("operator.read", "The slash commands.", {
    params: none,
    result: z.strictObject({
      commands: z.array(z.strictObject({ name: z.string(), description: z.string(), usage: z.array(z.string()) })),
    }),
  }),
  "audit.list": method("operator.read", "Audit rows in order.", {
    params: z.strictObject({ afterSeq: z.int().nonnegative().default(0), limit, sessionId: SessionId.optional() }),
    result: z.strictObject({ rows: z.array(AuditRow) }),
  }),
  "audit.verify": method("operator.read", "Proves that no audit row was altered or removed.", {
    params: none,
    result: z.strictObject({ verdict: AuditVerdict }),
  }),
  "config.get": method("operator.read", "The configuration, or one value of it, secrets left out.", {
    params: z.strictObject({ path: z.string().max(200).optional() }),
    result: z.strictObject({ value: Json, file: z.string() }),
  }),
  "config.set": method("operator.admin", "Sets one value in the configuration file and applies it.", {
    params: z.strictObject({ path: z.string().min(1).max(200), value: Json }),
    result: z.strictObject({ applied: z.boolean(), restartNeeded: z.boolean() }),
  }),
  "config.unset": method("operator.admin", "Removes one value, so that its default holds again.", {
    params: z.strictObject({ path: z.string().min(1).max(200) }),
    result: z.strictObject({ applied: z.boolean(), restartNeeded: z.boolean() }),
  }),
  "config.schema": method("operator.read", "The JSON Schema of the configuration.", {
    params: none,
    result: z.strictObject({ schema: JsonObject }),
  }),
  "tokens.create": method("operator.admin", "Makes a token for an operator; its secret is shown this once.", {
    params: z.strictObject({ name: z.string().trim().min(1).max(64), scopes: z.array(Scope).min(1) }),
    result: z.strictObject({ token: TokenView, secret: z.string() }),
  }),
  "tokens.list": method("operator.admin", "The operators' tokens, without their secrets.", {
    params: none,
    result: z.strictObject({ tokens: z.array(TokenView) }),
  }),
  "tokens.revoke": method("operator.admin", "Revokes a token and ends its connections.", {
    params: z.strictObject({ id: OperatorId }),
    result: z.strictObject({ token: TokenView }),
  }),
  "backup.create": method("operator.admin", "Writes a consistent copy of the store beside it, while everything runs.", {
    params: z.strictObject({ path: z.string().max(4096).optional() }),
    result: z.strictObject({ path: z.string(), bytes: z.int() }),
  }),
} as const;

export type MethodName = keyof typeof METHODS;
export type ParamsOf<Name extends MethodName> = z.input<(typeof METHODS)[Name]["params"]>;
export type ParsedParamsOf<Name extends MethodName> = z.output<(typeof METHODS)[Name]["params"]>;
export type ResultOf<Name extends MethodName> = z.output<(typeof METHODS)[Name]["result"]>;
