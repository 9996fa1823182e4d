/**
 * One line of `holdpoint gate check`: a tool call as JSON in, a verdict as JSON out, by the gateway's own rules. Nothing
 * is loaded here that an ordinary command line does not need; the tools are asked for by name when one comes up.
 */
import type { ToolKind } from "../../protocol/gate.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { judgeInEdits } from "../../plan-mode/gates/edit-call.ts";
import { COMMAND_TOOL, judgeInPlan } from "../../plan-mode/gates/plan-call.ts";
import { editPlaceOf, folderOf, realpath } from "../../plan-mode/gates/real-place.ts";
import type { EditPlace } from "../../plan-mode/shell/shell-gate.ts";
import { kindByName } from "../../tools/name-convention.ts";

const ARGS_CHARS_MAX = 200_000;
const REAL_PATHS_MAX = 10_000;

/** How a tool's own declaration classifies one call. */
export type ToolFacts = { kind: ToolKind; effect: "read" | "write" };

export type Surroundings = {
  cwd: string;
  home: string;
  /** Undefined when there is no such tool. */
  toolFacts(tool: string, args: JsonObject): Promise<ToolFacts | undefined>;
};

type Call = { id: unknown; tool: string; args: JsonObject; mode: "plan" | "accept-edits"; cwd: string; home: string };

export type LineVerdict = {
  id: unknown;
  allowed: boolean;
  code: string;
  tool_kind: ToolKind;
  canonical?: string;
  hint: string;
};
export type BadLine = { id: unknown; line: number; allowed: false; code: "bad-line"; error: string };

/** The tools that nearly every line names, so that judging them loads no tool at all; a test holds this to the truth. */
export const KNOWN: Readonly<Record<string, ToolFacts>> = {
  [COMMAND_TOOL]: { kind: "bash", effect: "write" }, // decided by its command
  read: { kind: "read_only", effect: "read" },
  write: { kind: "file_edit", effect: "write" },
  edit: { kind: "file_edit", effect: "write" },
  apply_patch: { kind: "file_edit", effect: "write" },
};

/** Answers at once where it can: a promise for every line would cost more than most verdicts. */
export function judgeLine(
  text: string,
  number: number,
  around: Surroundings,
): LineVerdict | BadLine | Promise<LineVerdict> {
  const call = parseLine(text, around);
  if (typeof call === "string") return { id: idOf(text), line: number, allowed: false, code: "bad-line", error: call };
  const known = Object.hasOwn(KNOWN, call.tool) ? KNOWN[call.tool] : undefined;
  const mayBeTooLong = text.length > ARGS_CHARS_MAX; // measured exactly only where it can matter
  if (known !== undefined) return judgeCall(call, known, mayBeTooLong);
  return around.toolFacts(call.tool, call.args).then((facts) => judgeCall(call, facts, mayBeTooLong));
}

function judgeCall(call: Call, facts: ToolFacts | undefined, mayBeTooLong: boolean): LineVerdict {
  const { id, args } = call;
  const tool_kind = facts?.kind ?? kindByName(call.tool);
  if (mayBeTooLong && JSON.stringify(args).length > ARGS_CHARS_MAX) {
    const hint = `The arguments may hold ${ARGS_CHARS_MAX} characters. Do it in smaller parts.`;
    return { id, allowed: false, code: "too-long", tool_kind, hint };
  }
  return { id, ...(call.mode === "plan" ? inPlan(call, facts) : inEdits(call)), tool_kind };
}

type Verdict = Omit<LineVerdict, "id" | "tool_kind">;

function inPlan({ tool, args, cwd, home }: Call, facts: ToolFacts | undefined): Verdict {
  if (facts === undefined) {
    return { allowed: false, code: "unknown-tool", hint: "There is no such tool; what is unknown is blocked." };
  }
  const verdict = judgeInPlan({ tool, effect: facts.effect, args }, { cwd: folderOf(cwd, args), home });
  const { code, canonical } = verdict;
  const shown = canonical === undefined ? {} : { canonical };
  return { allowed: verdict.allowed, code, ...shown, hint: verdict.allowed ? "" : verdict.hint };
}

function inEdits({ tool, args, cwd, home }: Call): Verdict {
  const verdict = judgeInEdits({ tool, args }, placeAt(folderOf(cwd, args), home));
  return verdict.allowed
    ? { allowed: true, code: "allowed", hint: "" }
    : { allowed: false, code: verdict.code, hint: verdict.reason };
}

let lastPlace: EditPlace | undefined;

/** Most lines stand where the one before stood: what is known of a place is found out once. */
function placeAt(cwd: string, home: string): EditPlace {
  if (lastPlace?.cwd !== cwd || lastPlace.home !== home) {
    lastPlace = { ...editPlaceOf({ cwd, home }), realpath: rememberedPath };
  }
  return lastPlace;
}

/** Thousands of lines name the same few folders; within one run the file system is looked at once for each. */
const realPaths = new Map<string, string | null>();

function rememberedPath(path: string): string | undefined {
  const known = realPaths.get(path);
  if (known !== undefined) return known ?? undefined;
  if (realPaths.size >= REAL_PATHS_MAX) realPaths.clear();
  const found = realpath(path);
  realPaths.set(path, found ?? null);
  return found;
}

/** What is wrong with the line, or the call that it describes. */
function parseLine(text: string, { cwd, home }: Surroundings): Call | string {
  const line = parsed(text);
  if (!isFields(line))
    return 'Expected one JSON object, such as {"tool": "exec", "args": {"command": "ls"}, "mode": "plan"}.';
  const { tool, args, mode = "plan" } = line;
  if (typeof tool !== "string" || tool === "") return "tool: expected the name of a tool.";
  if (!isFields(args)) return "args: expected an object.";
  if (mode !== "plan" && mode !== "accept-edits") return 'mode: expected "plan" or "accept-edits".';
  const place = placeOf(line, { cwd, home });
  return place === undefined ? "cwd and home: expected texts." : { id: line["id"] ?? null, tool, args, mode, ...place };
}

function placeOf(line: JsonObject, otherwise: { cwd: string; home: string }): typeof otherwise | undefined {
  const { cwd = otherwise.cwd, home = otherwise.home } = line;
  return typeof cwd === "string" && typeof home === "string" ? { cwd, home } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function idOf(text: string): unknown {
  const line = parsed(text);
  return isFields(line) ? (line["id"] ?? null) : null;
}

/** Whatever JSON.parse makes of braces holds JSON. */
const isFields = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
