/** How a request is refused: the gateway's own codes, and the shape. A plugin's codes stand in its folder. */
import { z } from "zod";
import { Json } from "./json.ts";
import { LocalizedLines } from "./localized/localized-lines.ts";
import { messageOf, type LocalizedText } from "./localized/localized-text.ts";

/** Every way in which the gateway itself refuses. Codes are wire contract: add, never rename. */
export const REFUSAL_CODES = [
  // the request
  "INVALID_REQUEST",
  "UNKNOWN_METHOD",
  "UNSUPPORTED_VERSION",
  "HANDSHAKE_REQUIRED",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "RATE_LIMITED",
  "IDEMPOTENCY_KEY_REUSED",
  // the session
  "SESSION_NOT_FOUND",
  "SESSION_EXISTS",
  "SESSION_ARCHIVED",
  "SESSION_BUSY",
  "QUEUE_FULL",
  "TURN_NOT_RUNNING",
  "LEASE_LOST",
  "CALL_NOT_OPEN",
  "CALL_ALREADY_CLAIMED",
  "TIMER_GONE",
  "UNKNOWN_SLICE",
  "ENTRY_TOO_LARGE",
  // the gate, and what people decide on cards
  "PLAN_MODE_BLOCKED",
  "PERMISSION_DENIED",
  "APPROVAL_STALE",
  "APPROVAL_UNKNOWN",
  "APPROVAL_EXPIRED",
  "APPROVAL_ALREADY_SIGNED",
  "APPROVER_NOT_LISTED",
  "PRESENCE_REQUIRED",
  "PRESENCE_INVALID",
  // commands
  "COMMAND_UNKNOWN",
  "COMMAND_USAGE",
  "COMMAND_RESERVED",
  "COMMAND_TAKEN",
  "ACTION_UNKNOWN",
  // plugins
  "PLUGIN_DISABLED",
  "PLUGIN_FAILED",
  "PLUGIN_STATE_CHANGED",
  "PLUGIN_STATE_INVALID",
  "PLUGIN_UNKNOWN",
  "PLUGIN_INVALID",
  "PLUGIN_NOT_AGREED",
  // the machine
  "CONFIG_INVALID",
  "STORE_UNAVAILABLE",
  "STORE_FULL",
  "DRAINING",
  "INTERNAL",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Of a plugin from outside: its id stands in front, so that none has a code of the gateway or of another plugin. */
export type PluginRefusalCode = `${string}.${string}`;

const CODE = /^(?:[a-z][a-z0-9-]{0,63}\.)?[A-Z][A-Z0-9_]{0,63}$/;

export const Refusal = z.strictObject({
  /** One of the gateway's, of a bundled plugin's, or `<plugin>.<CODE>`. Whoever does not know it shows the message. */
  code: z.string().regex(CODE),
  /** One sentence for whoever reads it: what is wrong and what to do. */
  message: z.string(),
  /** What the lines of the message mean, for surfaces that speak other languages. */
  said: LocalizedLines.exactOptional(),
  /** True when the same request may succeed later, unchanged. */
  retry: z.boolean().optional(),
  details: z.record(z.string(), Json).optional(),
});
export type Refusal = z.infer<typeof Refusal>;

export type Refused = { refused: Refusal };

/** Their code alone does not tell a person what is wrong: whoever refuses says it so that it can be translated. */
const LOCALIZED_CODES = [
  "QUEUE_FULL",
  "APPROVER_NOT_LISTED",
  "PRESENCE_REQUIRED",
  "PRESENCE_INVALID",
  "COMMAND_UNKNOWN",
  "COMMAND_USAGE",
  "PLUGIN_DISABLED",
  "PLUGIN_FAILED",
  "PLUGIN_UNKNOWN",
  "PLUGIN_INVALID",
  "PLUGIN_NOT_AGREED",
] as const satisfies readonly RefusalCode[];
type LocalizedCode = (typeof LOCALIZED_CODES)[number];

/** With the gateway's codes and `Own` ones, of which `OwnLocalized` always carry a text that can be translated. */
export type Refuse<Own extends string, OwnLocalized extends string = never> = <Code extends RefusalCode | Own>(
  code: Code,
  words: Code extends LocalizedCode | OwnLocalized ? LocalizedText : LocalizedText | string,
  details?: Refusal["details"],
) => Refused;

/** For a plugin with codes of its own. */
export function createRefuse<Own extends string, OwnLocalized extends string = never>(): Refuse<Own, OwnLocalized> {
  return (code: string, words: LocalizedText | string, details?: Refusal["details"]) => {
    const message = typeof words === "string" ? { message: words } : messageOf(words);
    return { refused: details === undefined ? { code, ...message } : { code, ...message, details } };
  };
}

export const refuse: Refuse<PluginRefusalCode> = createRefuse<PluginRefusalCode>();

/** For code that can only stop: the exception carries the refusal to the code that answers the request. */
export class RefusalError extends Error {
  override name = "RefusalError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}
