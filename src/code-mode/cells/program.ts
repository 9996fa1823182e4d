/** The input of `exec`: one program, under either of its two names. */
import type { Json, JsonObject } from "../../protocol/json.ts";
import { isBlank } from "../../plugins/sdk.ts";

/** As the document counts it; the transcript's own limit is lower and comes first. */
const CODE_CHARS_MAX = 1_048_576;

export type Program = { code: string; language: string };
export type BadInput = { problem: string };

const FIELDS: ReadonlySet<string> = new Set(["code", "command", "language"]);
const RIGHT = 'Call exec with {"code": "return 1 + 1"}.';

const isText = (value: Json | undefined): boolean => value === undefined || typeof value === "string";

export function readProgram(args: JsonObject): Program | BadInput {
  const unknown = Object.keys(args).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return { problem: `exec has no field "${unknown.slice(0, 64)}". ${RIGHT}` };
  const { code, command, language = "javascript" } = args;
  if (!isText(code) || !isText(command) || typeof language !== "string")
    return { problem: `The fields of exec are texts. ${RIGHT}` };
  const texts = [code, command].filter((text) => typeof text === "string" && !isBlank(text));
  const [program] = texts;
  if (typeof program !== "string") return { problem: `exec needs a program in code. ${RIGHT}` };
  if (texts.length === 2 && code !== command)
    return { problem: "code and command are two names of one program, and these two differ. Send code alone." };
  if (program.length > CODE_CHARS_MAX) return { problem: `A program may hold ${CODE_CHARS_MAX} characters.` };
  return { code: program, language };
}

/** A policy that changes one of the two names changes the program: the other follows. */
export function reconcileProgram(args: JsonObject, before: JsonObject): JsonObject {
  const { code, command } = args;
  if (code === undefined || command === undefined || code === command) return args;
  const changed = command === (before["command"] ?? before["code"]) ? code : command;
  return { ...args, code: changed, command: changed };
}

/** Whose hooks should not take it for a command of the shell. */
export function programWords({ language = "javascript" }: JsonObject): { toolKind: string; toolInputKind?: string } {
  const isKnown = language === "javascript" || language === "typescript";
  return { toolKind: "code_mode_exec", ...(isKnown ? { toolInputKind: language } : {}) };
}
