/**
 * Every method of the RPC, with the scope it needs and the shapes it takes and gives. Validation, the typed client,
 * docs/PROTOCOL.md and the JSON Schema are all made from this table.
 */
import { z } from "zod";
import { Scope } from "./actor.ts";
import { Attachment, AttachmentRef, ATTACHMENTS_MAX, SentAttachment } from "./attachment.ts";
import { AuditRow, AuditVerdict } from "./audit.ts";
import { CardSchema } from "./card/card-schema.ts";
import { OperatorId, SessionId, TurnId } from "./ids.ts";
import { Json, JsonObject } from "./json.ts";
import { PluginId } from "./plugin/plugin-manifest.ts";
import { PluginList, PluginView } from "./plugin/plugin-packages.ts";
import { FactWordingsSchema } from "./localized/fact-wording-schema.ts";
import { LocalizedLines } from "./localized/localized-lines.ts";
import { MESSAGE_CHARS_MAX, Session, SessionKind, TITLE_CHARS_MAX } from "./session.ts";
import { method } from "./wire/method.ts";
import { health } from "./wire/health.ts";
import { CONFIG_METHODS } from "./wire/config-methods.ts";
import { PAIR_METHODS } from "./wire/pair-methods.ts";
import { PUSH_METHODS } from "./wire/push-methods.ts";
import { PASSKEY_METHODS } from "./wire/passkey-methods.ts";
import { SESSION_DEFAULTS } from "./wire/session-defaults.ts";
import { patchPlace } from "./wire/session-patch.ts";
import { Stats } from "./wire/stats.ts";
import { Entry } from "./transcript-entry.ts";
import { StuckOrder } from "./wire/stuck-order.ts";
import { TimerView } from "./wire/timer-view.ts";
import { UiDescriptor } from "./wire/ui-descriptor.ts";

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
  /** `normal`, or the mode that a plugin puts it in: `plan`, `executing`. Absent from gateways before modes were listed. */
  mode: z.string().exactOptional(),
  /** Its agent could not go on, such as because the model does not answer; absent: it could, or was not asked. */
  failed: z.literal(true).exactOptional(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** What `sessions.changed` carries: how these sessions look now, and which are no more. */
export type SessionsChanged = { sessions: SessionSummary[]; deleted: SessionId[] };

/** A session as clients see it: without what only the engine needs. */
export const SessionView = Session.omit({ injections: true, timers: true, inbox: true, workspace: true }).extend({
  workspace: z.string(),
  waiting: Waiting.nullable(),
  /** As in `sessions.list`. */
  mode: z.string().exactOptional(),
  queuedMessages: z.int(),
  /** What plugins show of their state: `<plugin>.<namespace>`. */
  plugins: z.record(z.string(), z.record(z.string(), Json)).optional(),
  /** What people decide, answer or should know in it, what waits first. Absent from gateways before cards. */
  cards: z.array(CardSchema).optional(),
  /** What its slices offer under the present settings, by slice. Absent from gateways before it. */
  controls: z.record(z.string(), z.record(z.string(), Json)).optional(),
});
export type SessionView = z.infer<typeof SessionView>;

export const HistoryItem = z.strictObject({ n: z.int(), atMs: z.int(), entry: Entry });
export type HistoryItem = z.infer<typeof HistoryItem>;

/** What the lines of a text of the house mean, for surfaces that speak other languages. */
const said = LocalizedLines.exactOptional();
const commandReply = z.strictObject({ kind: z.literal("command"), message: z.string(), said });

const CommandView = z.strictObject({
  name: z.string(),
  description: z.string(),
  usage: z.array(z.string()),
  pluginId: z.string(),
  /** Needed for the command as a whole; a subcommand may need others. */
  requiredScopes: z.array(Scope),
  /** Whether the caller's token suffices for the command or for one of its subcommands. */
  allowed: z.boolean(),
  acceptsArgs: z.boolean(),
  subcommands: z.array(
    z.strictObject({ name: z.string(), description: z.string(), requiredScopes: z.array(Scope), allowed: z.boolean() }),
  ),
});
export type CommandView = z.infer<typeof CommandView>;

const TokenView = z.strictObject({
  id: OperatorId,
  name: z.string(),
  scopes: z.array(Scope),
  createdAtMs: z.int(),
  revokedAtMs: z.int().nullable(),
  /** Null for a token; otherwise the log-in of one browser, in the name of the operator whose link it used. */
  device: z.strictObject({ operatorId: OperatorId, seenAtMs: z.int(), expiresAtMs: z.int() }).nullable(),
});

const pluginResult = z.strictObject({ plugin: PluginView });
const agree = z
  .string()
  .max(128)
  .optional()
  .describe("The askDigest of the plugin: you agree to exactly what it names.");

export const METHODS = {
  connect: method("public", "The handshake: must be the first request on a connection.", () => ({
    params: z.strictObject({
      minProtocol: z.int(),
      maxProtocol: z.int(),
      client: z.strictObject({
        name: z.string().max(64),
        version: z.string().max(32),
        surface: z.string().max(32).default("api").describe("Not looked at: the credential settles it."),
      }),
      /** A program shows its token; a page shows the secret of its tab, and its browser the cookie that belongs to it. */
      auth: z.union([
        z.strictObject({ token: z.string().min(1).max(512) }),
        z.strictObject({ tabSecret: z.string().min(1).max(512) }),
      ]),
      /** May narrow what the token allows, never widen it. */
      scopes: z.array(Scope).optional(),
      resume: z.strictObject({ cursor: z.int().nonnegative(), sessionIds: z.array(SessionId).max(100) }).optional(),
    }),
    result: z.strictObject({
      protocol: z.int(),
      server: z.strictObject({ name: z.string(), version: z.string() }),
      connectionId: z.string(),
      operator: z.strictObject({
        id: OperatorId,
        name: z.string(),
        scopes: z.array(Scope),
        /** Which of `tokens.list` this browser is. */
        device: OperatorId.optional(),
      }),
      /** Durable events up to here are not sent again. */
      cursor: z.int().nonnegative(),
      /** False when the missed events are too many to replay: read the sessions again instead. */
      resumed: z.boolean(),
      limits: z.strictObject({ frameBytesMax: z.int(), requestsPerSecond: z.int() }),
    }),
  })),
  health,
  status: method("operator.read", "What the gateway is doing.", () => ({
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
      /** How many sessions are in each mode, the normal one left out: `{plan: 2, executing: 1}`. */
      modes: z.record(z.string(), z.int()).exactOptional(),
      home: z.string(),
      /** What somebody should see to: plugins that are on and cannot be used, or were switched off by themselves. */
      notes: z.array(z.string()),
      /** Work that slices ordered and that does not come to an end, oldest first. */
      stuckOrders: z.array(StuckOrder).exactOptional(),
    }),
  })),
  "sessions.create": method(
    "operator.write",
    "Starts a session. A role other than the configured one needs operator.approvals.",
    () => ({
      params: z.strictObject({
        idempotencyKey,
        agentId: z.string().min(1).max(64).optional().describe("Another than the bound one needs operator.admin."),
        title: z.string().trim().max(TITLE_CHARS_MAX).default(""),
        workspace: z.string().min(1).max(4096).optional().describe("Below workspaces.roots; admins choose freely."),
        role: z.string().max(64).optional(),
      }),
      result: z.strictObject({ session: SessionView }),
    }),
  ),
  ...SESSION_DEFAULTS,
  "sessions.list": method("operator.read", "Sessions, last changed first, a page at a time.", () => ({
    params: z.strictObject({
      cursor,
      limit,
      archived: z.boolean().default(false),
      waiting: z.boolean().optional().describe("true: only those that wait for a person."),
      search: z.string().max(200).optional(),
    }),
    result: z.strictObject({ sessions: z.array(SessionSummary), nextCursor: z.string().nullable() }),
  })),
  "sessions.get": method("operator.read", "One session as it is stored now.", () => ({
    params: z.strictObject({ sessionId }),
    result: z.strictObject({ session: SessionView }),
  })),
  "sessions.patch": method(
    "operator.read",
    "The one way to change a session. Decisions, plan mode and the permission mode need operator.approvals, title and archive operator.write.",
    () => ({
      params: z.looseObject(patchPlace),
      result: z.strictObject({ reply: Json, session: SessionView.nullable() }),
    }),
  ),
  "sessions.reset": method(
    "operator.write",
    "Forgets the conversation and starts anew under the same name. Plan mode, if on, stays on.",
    () => ({
      params: z.strictObject({ sessionId, idempotencyKey }),
      result: z.strictObject({ session: SessionView }),
    }),
  ),
  "sessions.delete": method("operator.admin", "Removes a session; its audit rows stay.", () => ({
    params: z.strictObject({ sessionId, idempotencyKey }),
    result: none,
  })),
  "sessions.subscribe": method(
    "operator.read",
    "Sends this session's events on this connection, missed ones first.",
    () => ({
      params: z.strictObject({ sessionId, afterCursor: z.int().nonnegative().optional() }),
      result: z.strictObject({
        /** Durable events of this session up to here are not sent again. */
        cursor: z.int().nonnegative(),
        /** False when the missed events are too many to replay: read the session again instead. */
        resumed: z.boolean(),
      }),
    }),
  ),
  "sessions.unsubscribe": method("operator.read", "Stops sending this session's events.", () => ({
    params: z.strictObject({ sessionId }),
    result: none,
  })),
  "sessions.watch": method(
    "operator.read",
    "Sends `sessions.changed` on this connection whenever sessions change, a burst gathered into one, and `plugins.changed` whenever a plugin comes, goes or needs attention. List them again after a reconnect.",
    () => ({ params: none, result: none }),
  ),
  "chat.send": method(
    "operator.read",
    "Says something to the agent (operator.write), or runs a command: text that begins with a slash, with the scopes it needs.",
    () => ({
      params: z
        .strictObject({
          sessionId,
          idempotencyKey,
          text: z.string().trim().max(MESSAGE_CHARS_MAX),
          attachments: z.array(SentAttachment).max(ATTACHMENTS_MAX).optional(),
        })
        .refine(({ text, attachments = [] }) => text !== "" || attachments.length > 0, {
          path: ["text"],
          message: "say something, or attach a file",
        }),
      result: z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("message"), messageId: z.string(), queued: z.boolean() }),
        commandReply,
      ]),
    }),
  ),
  "chat.history": method("operator.read", "The transcript, newest page last.", () => ({
    params: z.strictObject({ sessionId, before: z.int().positive().nullable().default(null), limit }),
    result: z.strictObject({ items: z.array(HistoryItem), more: z.boolean() }),
  })),
  "chat.attachment": method("operator.read", "An image that somebody attached to a message, in base64.", () => ({
    params: z.strictObject({ sessionId, id: AttachmentRef.shape.id }),
    result: z.strictObject({ attachment: Attachment }),
  })),
  "chat.abort": method("operator.write", "Stops the running turn and its tools.", () => ({
    params: z.strictObject({ sessionId, idempotencyKey }),
    result: none,
  })),
  "commands.list": method("operator.read", "The slash commands, also of plugins that are not loaded yet.", () => ({
    params: none,
    result: z.strictObject({ commands: z.array(CommandView) }),
  })),
  "commands.complete": method("operator.read", "What a line that begins with a slash may go on with.", () => ({
    params: z.strictObject({ text: z.string().max(500) }),
    result: z.strictObject({
      completions: z.array(z.strictObject({ text: z.string(), description: z.string(), said })),
    }),
  })),
  "commands.run": method("operator.read", "Runs a slash command in a session, with the scopes that it needs.", () => ({
    params: z.strictObject({
      sessionId,
      idempotencyKey,
      name: z.string().min(1).max(64),
      args: z.string().trim().max(MESSAGE_CHARS_MAX).default(""),
    }),
    result: commandReply,
  })),
  "sessions.action": method(
    "operator.read",
    "Runs an action of a plugin in a session, with the scopes that it needs.",
    () => ({
      params: z.strictObject({
        sessionId,
        idempotencyKey,
        pluginId: PluginId,
        action: z.string().min(1).max(64),
        params: JsonObject.default({}),
      }),
      result: z.strictObject({ message: z.string(), said }),
    }),
  ),
  "ui.descriptors": method(
    "operator.read",
    "What plugins contribute to a page, as far as the caller may see it.",
    () => ({
      params: none,
      result: z.strictObject({
        plugins: z.array(z.strictObject({ pluginId: PluginId, descriptors: z.array(UiDescriptor) })),
      }),
    }),
  ),
  "ui.texts": method(
    "operator.read",
    "What plugins from outside say, in one language; English where they lack it.",
    () => ({
      params: z.strictObject({ language: z.string().min(2).max(16) }),
      result: z.strictObject({
        plugins: z.array(
          z.strictObject({
            pluginId: PluginId,
            texts: z.record(z.string(), z.string()),
            /** Its facts in the audit chain, by type, and how they are worded with these texts. */
            facts: FactWordingsSchema.exactOptional(),
          }),
        ),
      }),
    }),
  ),
  "sessions.timeline": method(
    "operator.read",
    "What happened in a session, newest page last: as the events that were sent, with long texts and lists cut short.",
    () => ({
      params: z.strictObject({ sessionId, before: z.int().positive().nullable().default(null), limit }),
      result: z.strictObject({
        items: z.array(
          z.strictObject({ cursor: z.int(), atMs: z.int(), event: z.string(), payload: z.record(z.string(), Json) }),
        ),
        /** Where the page before this one ends; null when there is none. A page may be short while there are more. */
        before: z.int().nullable(),
      }),
    }),
  ),
  "sessions.turn": method(
    "operator.read",
    "The log of one turn by its number, as `[plan-mode] exited … (full plan in turn log #n)` names it.",
    () => ({
      params: z.strictObject({ sessionId, turn: z.int().positive().optional().describe("Absent: the last one.") }),
      result: z.strictObject({ turn: z.int(), turnId: TurnId, items: z.array(HistoryItem), more: z.boolean() }),
    }),
  ),
  "sessions.timers": method("operator.read", "What will happen by itself, earliest first.", () => ({
    params: z.strictObject({ sessionId: sessionId.optional(), limit }),
    result: z.strictObject({ timers: z.array(TimerView) }),
  })),
  stats: method("operator.read", "How plans and refusals went lately, counted from the newest audit rows.", () => ({
    params: none,
    result: Stats,
  })),
  "plugins.list": method("operator.read", "Plugins, and what is wrong with them.", () => ({
    params: z.strictObject({
      check: z.boolean().default(false).describe("true: also compare their files with what was installed and trusted."),
    }),
    result: PluginList,
  })),
  "plugins.info": method("operator.read", "One plugin: what it asks for, and how it stands.", () => ({
    params: z.strictObject({ id: PluginId }),
    result: pluginResult,
  })),
  "plugins.install": method(
    "operator.admin",
    "Installs a plugin from a folder, an archive or a package, or another version of it. No code of it is run.",
    () => ({
      params: z.strictObject({ from: z.string().min(1).max(4_096), enable: z.boolean().default(false), agree }),
      result: pluginResult,
    }),
  ),
  "plugins.enable": method("operator.admin", "Switches a plugin on.", () => ({
    params: z.strictObject({ id: PluginId, agree }),
    result: pluginResult,
  })),
  "plugins.disable": method("operator.admin", "Switches a plugin off; what it kept in sessions is removed.", () => ({
    params: z.strictObject({ id: PluginId }),
    result: pluginResult,
  })),
  "plugins.remove": method(
    "operator.admin",
    "Removes a plugin and what is recorded about it; its settings stay.",
    () => ({
      params: z.strictObject({ id: PluginId }),
      result: pluginResult,
    }),
  ),
  "plugins.trust": method(
    "operator.admin",
    "Trusts exactly these files of a plugin: they run inside the gateway and may hold the gate.",
    () => ({ params: z.strictObject({ id: PluginId, agree }), result: pluginResult }),
  ),
  "plugins.own": method("operator.admin", "Hands a command over to this plugin, from the one that has it.", () => ({
    params: z.strictObject({ id: PluginId, command: z.string().min(1).max(64) }),
    result: pluginResult,
  })),
  "plugins.untrust": method("operator.admin", "Takes the trust back.", () => ({
    params: z.strictObject({ id: PluginId }),
    result: pluginResult,
  })),
  "audit.list": method(
    "operator.read",
    "Audit rows in order, from a number on; or with `before` the newest below it.",
    () => ({
      params: z.strictObject({
        afterSeq: z.int().nonnegative().default(0),
        before: z
          .int()
          .positive()
          .nullable()
          .optional()
          .describe("null: the newest of all. `afterSeq` does not count then."),
        limit,
        sessionId: SessionId.optional(),
      }),
      result: z.strictObject({ rows: z.array(AuditRow) }),
    }),
  ),
  "audit.verify": method("operator.read", "Proves that no audit row was altered or removed.", () => ({
    params: none,
    result: z.strictObject({ verdict: AuditVerdict }),
  })),
  ...CONFIG_METHODS,
  "tokens.create": method("operator.admin", "Makes a token for an operator; its secret is shown this once.", () => ({
    params: z.strictObject({ name: z.string().trim().min(1).max(64), scopes: z.array(Scope).min(1) }),
    result: z.strictObject({ token: TokenView, secret: z.string() }),
  })),
  "tokens.link": method(
    "operator.read",
    "Makes a one-time link: the browser that opens it is logged in as you, with your scopes or fewer.",
    () => ({
      params: z.strictObject({ scopes: z.array(Scope).min(1).optional() }),
      result: z.strictObject({
        /** Goes behind the address of the page: `#login=…`. */
        fragment: z.string(),
        /** The address of the page. */
        page: z.string().exactOptional(),
        expiresAtMs: z.int(),
      }),
    }),
  ),
  "tokens.list": method("operator.admin", "Operators' tokens and browsers' log-ins, without their secrets.", () => ({
    params: none,
    result: z.strictObject({ tokens: z.array(TokenView) }),
  })),
  "tokens.revoke": method("operator.admin", "Revokes a token and ends its connections.", () => ({
    params: z.strictObject({ id: OperatorId }),
    result: z.strictObject({ token: TokenView }),
  })),
  ...PASSKEY_METHODS,
  ...PAIR_METHODS,
  ...PUSH_METHODS,
  "backup.create": method(
    "operator.admin",
    "Writes a consistent copy of the store beside it, while everything runs.",
    () => ({
      params: z.strictObject({ path: z.string().max(4096).optional() }),
      result: z.strictObject({ path: z.string(), bytes: z.int() }),
    }),
  ),
} as const;

export type MethodName = keyof typeof METHODS;
export type ParsedParamsOf<Name extends MethodName> = z.output<(typeof METHODS)[Name]["params"]>;
export type ResultOf<Name extends MethodName> = z.output<(typeof METHODS)[Name]["result"]>;
