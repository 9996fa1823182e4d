import type { CallGrant } from "../../../protocol/plan-mode.ts";
import { defuseLine } from "../../../plugins/sdk.ts";
import { rfc3339 } from "./rfc3339.ts";

const TOOL_CHARS_MAX = 128;

/** Tells the agent how to use a person's one-off yes: the arguments are those that the person read, byte for byte. */
export function grantedText(questionId: string, { call, untilMs }: CallGrant): string {
  return [
    "[QUESTION_ANSWER]",
    `question_id: ${questionId}`,
    "option: allow-once",
    `A person allows one call of ${defuseLine(call.tool, TOOL_CHARS_MAX)}, with exactly the arguments that they were shown, once, until ${rfc3339(untilMs)}.`,
    "Make that call now, unchanged. Any other call is judged as before; the session's mode is unchanged.",
    "[/QUESTION_ANSWER]",
  ].join("\n");
}
