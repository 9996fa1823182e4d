/** What the agent reads after a person allowed or denied one call. */
import type { CallGrant, HeldCall } from "../../protocol/state.ts";
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

export function deniedText(questionId: string, { tool }: HeldCall): string {
  return [
    "[QUESTION_ANSWER]",
    `question_id: ${questionId}`,
    "option: deny",
    `A person said no to this call of ${defuseLine(tool, TOOL_CHARS_MAX)}: it was not run and stays blocked.`,
    "Do not make it again in another form. Take another course, or ask the person what they want instead.",
    "[/QUESTION_ANSWER]",
  ].join("\n");
}
