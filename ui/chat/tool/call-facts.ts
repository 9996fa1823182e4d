/** One-line facts about a call, read from arguments and results that any tool or agent may have written. */
import type { GateRefusal } from "../../../src/protocol/gate.ts";
import type { Json, JsonObject } from "../../../src/protocol/json.ts";
import type { CallRow } from "../rows.ts";

const SHORT_CHARS_MAX = 160;
const BARE_CHARS_MAX = 60;

/** Names of arguments that describe a call best; without any of them all arguments are shown. */
const TELLING = [
  "command",
  "code",
  "pattern",
  "query",
  "path",
  "file_path",
  "url",
  "title",
  "question",
  "task",
  "text",
  "name",
];

export function shortCallArgs(args: JsonObject | undefined): string {
  if (args === undefined || Object.keys(args).length === 0) return "";
  const told = TELLING.map((name) => args[name]).find((value) => typeof value === "string" && value !== "");
  const text = typeof told === "string" ? told : bareArgs(args);
  const line = text
    .slice(0, SHORT_CHARS_MAX * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > SHORT_CHARS_MAX ? `${line.slice(0, SHORT_CHARS_MAX - 1)}…` : line;
}

/** Short JSON is readable as it is; long JSON is left out, because the whole is one click away. */
function bareArgs(args: JsonObject): string {
  const text = JSON.stringify(args);
  return text.length > BARE_CHARS_MAX ? "" : text;
}

/** Arguments and results as people read them: each name once, texts with their own lines, indented below it. */
export function textOf(content: Json): string {
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || Array.isArray(content))
    return JSON.stringify(content, null, 2);
  return Object.entries(content)
    .toSorted(([, a], [, b]) => Number(isLong(a)) - Number(isLong(b)))
    .map(([name, value]) => `${name}:${valueText(value)}`)
    .join("\n");
}

const isLong = (value: Json): boolean => typeof value === "string" && value.includes("\n");

/** The indent sets the lines of a text apart: none of them can be taken for another name. */
function valueText(value: Json): string {
  if (typeof value !== "string") return ` ${JSON.stringify(value, null, 2)}`;
  return isLong(value) ? `\n${value.replaceAll(/^/gm, "    ")}` : ` ${value}`;
}

/** Undefined where a result is no refusal of a gate. */
export function refusalIn(result: CallRow["result"]): GateRefusal | undefined {
  if (result?.status !== "refused") return undefined;
  const { content } = result;
  if (typeof content !== "object" || content === null || !("rule" in content) || !("message" in content))
    return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made it; a schema library is too large for a page
  return content as unknown as GateRefusal;
}

export type RuleFamily =
  | "read_only"
  | "grant"
  | "loop"
  | "unavailable"
  | "plugin"
  | "permission"
  | "sub_agent"
  | "command_plan"
  | "held"
  | "command";

/** The kind of rule that refused a call, for a plain explanation; the exact rule is shown beside it. */
export function familyOf({ rule, entered_at }: Pick<GateRefusal, "rule" | "entered_at">): RuleFamily {
  if (rule === "plan-mode/read-only") return "read_only";
  if (rule.startsWith("plan-mode/held")) return "held";
  if (rule === "plan-mode/grant-spent") return "grant";
  if (rule === "gate-unavailable") return "unavailable";
  if (rule.startsWith("loop/")) return "loop";
  if (rule.startsWith("hook/")) return "plugin";
  if (rule.startsWith("permission/")) return "permission";
  if (rule.startsWith("sub-agents/")) return "sub_agent";
  return entered_at === null ? "command" : "command_plan";
}

const textAt = (value: Json | undefined, key: string): string => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  const found = value[key];
  return typeof found === "string" ? found : "";
};

/** The sub-agent that `sessions_spawn` started. */
export function spawnedIn(result: CallRow["result"]): { id: string; title: string } | undefined {
  const id = textAt(result?.content, "session_id");
  return id === "" ? undefined : { id, title: textAt(result?.content, "title") };
}
