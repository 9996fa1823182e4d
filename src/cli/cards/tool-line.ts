/** One tool call in one line: what was done to what, or why it was not. */
import { z } from "zod";
import { GateRefusal } from "../../protocol/gate.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { CallStatus, ToolCall } from "../../protocol/transcript-entry.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { clip } from "../text/width.ts";
import { hang } from "../text/wrap.ts";
import { MARKS } from "./marks.ts";

/** Plan tools have cards and lines of their own. */
const SHOWN_ELSEWHERE = new Set([
  "exit_plan_mode",
  "ask_user_question",
  "update_plan",
  "enter_plan_mode",
  "plan_mode_status",
]);

const TELLING = ["path", "file_path", "file", "pattern", "command", "code", "query", "url", "name", "reason"];
const REASON_CHARS_MAX = 300;

export type FinishedCall = { call: ToolCall; status: CallStatus; content: Json };

/** `read src/x.ts`: the tool and the one argument that tells most. */
export function callText({ tool, args }: Pick<ToolCall, "tool" | "args">): string {
  const value = TELLING.map((name) => args[name]).find((item) => typeof item === "string" && item !== "");
  return sanitiseLine(typeof value === "string" ? `${tool} ${value}` : tool);
}

export function toolLines({ call, status, content }: FinishedCall, look: Look): string[] {
  const { paint, columns } = look;
  const text = callText(call);
  switch (status) {
    case "ok":
      return SHOWN_ELSEWHERE.has(call.tool) ? [] : [paint.quiet(clip(`  ${MARKS.tool} ${text}`, columns))];
    case "refused":
      return [
        ...hang(`  ${MARKS.held} `, `${text}: held`, columns).map(paint.waiting),
        ...hang("    ", refusalText(content), columns).map(paint.quiet),
      ];
    case "error":
      return hang(`  ${MARKS.bad} `, `${text}: ${errorText(content)}`, columns).map(paint.bad);
    case "unknown":
      return hang(`  ${MARKS.unknown} `, `${text}: the outcome is unknown; it was not run again`, columns).map(
        paint.bad,
      );
    case "skipped":
      return [paint.quiet(clip(`  ${MARKS.note} ${text}: not run`, columns))];
  }
}

function refusalText(content: Json): string {
  const refusal = GateRefusal.safeParse(content);
  if (!refusal.success) return errorText(content);
  const { message, hint } = refusal.data;
  return sanitiseLine(hint === "" || message.includes(hint) ? message : `${message} ${hint}`);
}

/** What a tool said about its failure, whichever of the usual fields it used. */
function errorText(content: Json): string {
  const said = typeof content === "string" ? content : firstText(content);
  const text = sanitiseLine(said ?? `it failed${exitIn(content)}`);
  return text.length > REASON_CHARS_MAX ? `${text.slice(0, REASON_CHARS_MAX)}…` : text;
}

function exitIn(content: Json): string {
  const { data } = Ended.safeParse(content);
  return data === undefined ? "" : ` (exit code ${data.exitCode})`;
}
const Ended = z.looseObject({ exitCode: z.int() });

function firstText(content: Json): string | undefined {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return undefined;
  const fields: JsonObject = content;
  const found = ["message", "error", "reason", "text"]
    .map((name) => fields[name])
    .find((value) => typeof value === "string");
  return typeof found === "string" ? found : undefined;
}
