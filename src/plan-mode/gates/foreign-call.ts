/**
 * A tool of somebody else's against the accept-edits rules (AE-02…AE-04). Nobody here knows what it does, so it is held
 * for what can be seen:
 *
 * - it says of itself that it destroys (MCP's `destructiveHint: true`). MCP takes a missing hint for "destroys" as well;
 *   here a missing hint says nothing, because most servers give none and every ordinary write would be held;
 * - its name does: `delete_file`, `bulk_delete`, `dropTable`; not `get_deleted_items`, not `dropdown_select`;
 * - its arguments hold a command, a database statement or a path that the same rules would hold in a tool of ours. They
 *   are told by the names of the arguments, because free text may mention anything.
 */
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { EditPlace } from "../shell/shell-gate.ts";
import type { EditCallVerdict, HeldInEdits } from "./edit-verdict.ts";
import { shellGate } from "./loaded-shell-gate.ts";

const DEPTH_MAX = 4;
const TEXTS_MAX = 200;

/** With its server; what follows is its own name. */
const FOREIGN = /^mcp__.+?__/;
/** As the first of several words: alone it orders nothing else. */
const READING = /^(?:get|list|search|read|find|describe|show|view|count|query|fetch|check|lookup|explain)[_.-]/;
/** As a word, or at the beginning of words run together; a participle or a noun of the actor is no order. */
const DESTROYS =
  /^(?:delete|remove|purge|destroy|erase|truncate|wipe|uninstall|unlink|terminate|obliterate)(?!d$|r$|rs$|al$)|^(?:drop|rm|rmdir|flush|flushall|flushdb|del)$|^drop(?:table|database|schema|index|collection|column|view|user|role|all)/;

const COMMAND = /^(?:command|cmd|commandline|command_line|script|shell|bash)$/i;
const STATEMENT = /^(?:sql|query|statement|stmt|queries|statements)$/i;
const PATH =
  /^(?:path|paths|file|files|filename|file_path|filepath|dest|destination|target|target_path|new_path|newpath|to|directory|folder|output|out|output_path)$/i;

const ALLOWED: EditCallVerdict = { allowed: true };

export const isForeign = (tool: string): boolean => FOREIGN.test(tool);

export function judgeForeign({ tool, args }: { tool: string; args: JsonObject }, place: EditPlace): EditCallVerdict {
  if (nameDestroys(tool)) return destroys("tool-name", tool);
  for (const { name, text } of textsIn(args)) {
    const verdict = judgeText(name, text, place);
    if (!verdict.allowed) return { ...verdict, matched: `${name}: ${verdict.matched}` };
  }
  return ALLOWED;
}

/** A tool that declares itself destructive, whatever it is called. */
export const declaredDestructive = (tool: string): HeldInEdits => destroys("destructive-hint", tool);

const destroys = (code: string, matched: string): HeldInEdits => ({
  allowed: false,
  class: "destructive",
  code,
  matched,
  reason: "This tool removes or erases something. Ask the person with ask_user_question before doing it.",
});

function nameDestroys(tool: string): boolean {
  const name = tool.replace(FOREIGN, "").toLowerCase();
  return !READING.test(name) && name.split(/[_.-]/).some((word) => DESTROYS.test(word));
}

function judgeText(name: string, text: string, place: EditPlace): EditCallVerdict {
  if (COMMAND.test(name)) return shellGate().judgeAcceptEdits({ tool: "exec", command: text }, place);
  if (STATEMENT.test(name)) return shellGate().sqlDestroys(text) ? destroys("sql", text.slice(0, 200)) : ALLOWED;
  if (!PATH.test(name)) return ALLOWED;
  return shellGate().judgeAcceptEdits({ tool: "write", path: text.replace(/^file:\/\//, "") }, place);
}

type NamedText = { name: string; text: string };

/** Every text with the name that it stands under; one in a list has the name of the list. */
function textsIn(args: JsonObject): NamedText[] {
  const found: NamedText[] = [];
  const look = (name: string, value: Json | undefined, depth: number): void => {
    if (depth > DEPTH_MAX || found.length >= TEXTS_MAX) return;
    if (typeof value === "string") found.push({ name, text: value });
    else if (Array.isArray(value)) for (const item of value) look(name, item, depth + 1);
    else if (value !== null && typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) look(key, inner, depth + 1);
    }
  };
  for (const [name, value] of Object.entries(args)) look(name, value, 1);
  return found;
}
