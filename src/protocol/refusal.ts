/** How a request is refused: the codes and the shape. */
import { z } from "zod";
import { Json } from "./json.ts";
import { LocalizedLines } from "./localized/localized-lines.ts";
import { messageOf, type LocalizedText } from "./localized/localized-text.ts";

/** Every way a request can be answered "no". Codes are wire contract: add, never rename. */
export const RefusalCode = z.enum([
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
  // plan mode
  "PLAN_MODE_DISABLED",
  "PLAN_MODE_BLOCKED",
  "PLAN_NOT_ACTIVE",
  "PLAN_INVALID",
  "PLAN_NOT_FOUND",
  "PERMISSION_DENIED",
  "APPROVAL_NOT_PENDING",
  "APPROVAL_ID_REQUIRED",
  "APPROVAL_STALE",
  "APPROVAL_SUPERSEDED",
  "APPROVAL_UNKNOWN",
  "APPROVAL_PENDING",
  "APPROVAL_ALREADY_DECIDED",
  "APPROVAL_EXPIRED",
  "APPROVAL_DIGEST_MISMATCH",
  "FEEDBACK_REQUIRED",
  "QUESTION_NOT_PENDING",
  "QUESTION_PENDING",
  "QUESTION_STALE",
  "ANSWER_INVALID",
  "STEP_NOT_VERIFIED",
  "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS",
  "PLAN_APPROVAL_GATE_STATE_UNAVAILABLE",
  "PLAN_APPROVAL_BLOCKED_BY_THREADS",
  "APPROVAL_ALREADY_SIGNED",
  "APPROVER_NOT_LISTED",
  "NOTE_INVALID",
  "NOTE_NOT_FOUND",
  "NOTES_FULL",
  "SHARE_NOT_FOUND",
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
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

export const Refusal = z.strictObject({
  code: RefusalCode,
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
const SAID_CODES = [
  "QUEUE_FULL",
  "ANSWER_INVALID",
  "APPROVER_NOT_LISTED",
  "NOTE_INVALID",
  "NOTE_NOT_FOUND",
  "NOTES_FULL",
  "COMMAND_UNKNOWN",
  "COMMAND_USAGE",
  "PLUGIN_DISABLED",
  "PLUGIN_FAILED",
  "PLUGIN_UNKNOWN",
  "PLUGIN_INVALID",
  "PLUGIN_NOT_AGREED",
] as const satisfies readonly RefusalCode[];
type SaidCode = (typeof SAID_CODES)[number];

export function refuse<Code extends RefusalCode>(
  code: Code,
  words: Code extends SaidCode ? LocalizedText : LocalizedText | string,
  details?: Refusal["details"],
): Refused;
export function refuse(code: RefusalCode, words: LocalizedText | string, details?: Refusal["details"]): Refused {
  const message = typeof words === "string" ? { message: words } : messageOf(words);
  return { refused: details === undefined ? { code, ...message } : { code, ...message, details } };
}
