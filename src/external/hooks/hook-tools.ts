/**
 * What the tools of other agents mean to our gate. Their names hardly ever clash, so one table serves all; a tool that
 * nobody here knows counts as one that changes something.
 */
import { resolve } from "node:path";
import { digestOf } from "../../plugins/digest-of.ts";
import { z } from "zod";
import type { Json, JsonObject } from "../../protocol/json.ts";
import { quoted } from "./hook-program.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

const COMMANDS = list("bash shell run_shell_command exec_command local_shell");
const PATCHES = list("apply_patch patch");
const WRITES = list("write write_file create create_file");
const EDITS = list("edit multiedit notebookedit replace str_replace str_replace_editor edit_file");
/** They look something up, or keep a list for the model itself. */
const READS = list(`
  read grep glob ls list lsp notebookread todowrite todoread taskcreate taskget tasklist taskupdate taskoutput bashoutput
  toolsearch websearch webfetch enterplanmode enter_plan_mode
  view_image update_plan wait
  read_file read_many_files list_directory search_file_content grep_search google_web_search web_fetch write_todos todo_write
  get_internal_docs
  view report_intent read_bash fetch_copilot_cli_documentation
  codesearch`);
const PLANS = list("exitplanmode exit_plan_mode");
const QUESTIONS = list("askuserquestion request_user_input ask_user question ask_user_question");

const TEXT_CHARS_MAX = 2_000;
const COMMAND_CHARS_MAX = 100_000;

export type ToolMeaning =
  | { kind: "call"; tool: string; args: JsonObject }
  | { kind: "plan" }
  | { kind: "question" }
  | { kind: "unreadable" };

/** `cwd`: where the agent is; its paths are relative to it. */
export function toolMeaning({ name, input, cwd }: { name: string; input: JsonObject; cwd: string }): ToolMeaning {
  const known = name.toLowerCase();
  if (PLANS.has(known)) return { kind: "plan" };
  if (QUESTIONS.has(known)) return { kind: "question" };
  if (COMMANDS.has(known)) return command(input, cwd);
  if (PATCHES.has(known)) return patch(input);
  if (WRITES.has(known)) return fileChange("write", input, cwd);
  if (EDITS.has(known)) return fileChange("edit", input, cwd);
  if (READS.has(known)) return { kind: "call", tool: "read", args: { with: name, about: shortened(input) } };
  return { kind: "call", tool: name, args: { ...shortened(input) } };
}

function command({ command: given, directory, dir_path, workdir, ...rest }: JsonObject, cwd: string): ToolMeaning {
  const text = commandText(given);
  if (text.trim() === "" || text.length > COMMAND_CHARS_MAX || text.includes("\u0000")) return { kind: "unreadable" };
  const inside = [directory, dir_path, workdir].find((one) => typeof one === "string");
  const folder = typeof inside === "string" ? resolve(cwd, inside) : cwd;
  const isBackground = rest["run_in_background"] === true || rest["is_background"] === true;
  return {
    kind: "call",
    tool: "exec",
    args: { command: text, cwd: folder, ...(isBackground ? { about: { background: true } } : {}) },
  };
}

/** Words of a list are one word each, whatever they hold. */
function commandText(given: Json | undefined): string {
  if (typeof given === "string") return given;
  const words = z.array(z.string()).safeParse(given).data ?? [];
  return words.map(quoted).join(" ");
}

/** Codex calls the text of a patch a command. */
function patch(input: JsonObject): ToolMeaning {
  const text = ["patch", "patchText", "input", "command"]
    .map((name) => input[name])
    .find((one) => typeof one === "string");
  return typeof text === "string" && text !== ""
    ? { kind: "call", tool: "apply_patch", args: { patch: text } }
    : { kind: "unreadable" };
}

function fileChange(tool: "write" | "edit", input: JsonObject, cwd: string): ToolMeaning {
  const named = ["file_path", "filePath", "notebook_path", "path", "absolute_path"].map((name) => input[name]);
  const path = named.find((one) => typeof one === "string" && one !== "");
  if (typeof path !== "string") return { kind: "unreadable" };
  return { kind: "call", tool, args: { path: resolve(cwd, path), about: shortened(input) } };
}

/** As it is shown and stored; the digest of the whole tells two calls apart that begin alike. */
function shortened(input: JsonObject): JsonObject {
  const entries = Object.entries(input).slice(0, 50);
  const short = Object.fromEntries(entries.map(([key, value]): [string, Json] => [key, cut(value)]));
  return JSON.stringify(short) === JSON.stringify(input) ? input : { ...short, digest: digestOf(input) };
}

const cut = (value: Json): Json => {
  if (typeof value === "string") return value.length > TEXT_CHARS_MAX ? `${value.slice(0, TEXT_CHARS_MAX)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  const text = JSON.stringify(value);
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : value;
};
