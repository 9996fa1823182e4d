/**
 * The one parser of what people type: `/plan …` and the frozen lines `[plan-mode] approve|reject plan_id=…`.
 * Strict: a word too many is an error with usage, never another action; nothing else that is typed decides anything.
 */
import { FEEDBACK_CHARS_MAX, REASON_CHARS_MAX } from "../../protocol/plan-mode.ts";
import { PlanId } from "../../protocol/ids.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { isBlank } from "../../plugins/sdk.ts";
import { parseNote, type TypedNote } from "./parse-note.ts";

export const PLAN_USAGE: readonly string[] = [
  "/plan status — mode, approval and progress",
  "/plan view — the plan and its steps",
  "/plan on — enter plan mode",
  "/plan off — leave plan mode",
  "/plan restate — show again what waits for you",
  "/plan auto on|off — approve submitted plans by rule",
  "/plan accept [edits] — approve the waiting plan",
  "/plan revise <feedback> — send the plan back",
  "/plan answer <choice> — answer the waiting question, by number, id or text",
  "/plan decline [reason] — say that you will not answer the waiting question",
  "/plan defer [reason] — say that you will not answer it now",
  "/plan notes — what people noted on the plan",
  "/plan note <where> <text> — note something on the plan, a section or a step",
  "/plan resolve <n> — close a note",
  "/plan diff — what the last revision changed, and which notes it answers",
];

const BARE_VERBS = ["status", "view", "on", "off", "restate", "notes", "diff"] as const;
const LATER_VERBS = ["self-test"];

export type PlanCommand =
  | { verb: (typeof BARE_VERBS)[number] }
  | { verb: "auto"; enabled: boolean }
  | { verb: "accept"; edits: boolean }
  | { verb: "revise"; feedback: string }
  | { verb: "answer"; choice: string }
  | { verb: "decline" | "defer"; reason: string }
  | { verb: "note"; note: TypedNote }
  | { verb: "settle"; n: number }
  | { verb: "resolve"; planId: PlanId; decision: "approve" | "reject"; reason?: string };

/** Takes what follows `/plan`, the whole of it, or a `[plan-mode]` line. */
export function parsePlanCommand(text: string): PlanCommand | Refused {
  const typed = text.trim();
  if (/^\[plan-mode\]/i.test(typed)) return parseLine(typed);
  const args = typed.replace(/^\/plan(?:@\S*)?(?=\s|$)/i, "").trim();
  const [word, rest] = splitOnce(args);
  const verb = word.toLowerCase();
  const bare = BARE_VERBS.find((name) => name === verb) ?? (verb === "" ? "status" : undefined);
  if (bare !== undefined) return rest === "" ? { verb: bare } : tooMuch(bare, rest);
  return parseVerb(verb, rest);
}

function parseVerb(verb: string, rest: string): PlanCommand | Refused {
  const option = rest.toLowerCase();
  switch (verb) {
    case "auto":
      return option === "on" || option === "off"
        ? { verb, enabled: option === "on" }
        : refuse("COMMAND_USAGE", "Say /plan auto on or /plan auto off.");
    case "accept":
      return option === "" || option === "edits" ? { verb, edits: option === "edits" } : tooMuch(verb, rest);
    case "revise":
      return needsText(rest, "Say what should change: /plan revise <feedback>.") ?? { verb, feedback: rest };
    case "answer":
      return needsText(rest, "Say which: /plan answer <number, id or text>.") ?? { verb, choice: rest };
    case "decline":
    case "defer":
      return rest.length <= REASON_CHARS_MAX
        ? { verb, reason: rest }
        : refuse("COMMAND_USAGE", `At most ${REASON_CHARS_MAX} characters, please.`);
    case "note":
    case "resolve":
      return parseReview(verb, rest);
    default:
      return LATER_VERBS.includes(verb)
        ? refuse("COMMAND_USAGE", `/plan ${verb} is not available in this version.`)
        : usage(`There is no /plan ${verb}.`);
  }
}

function parseReview(verb: "note" | "resolve", rest: string): PlanCommand | Refused {
  if (verb === "note") {
    const note = parseNote(rest);
    return "refused" in note ? note : { verb, note };
  }
  const n = Number(/^n?(\d{1,5})$/i.exec(rest)?.[1] ?? 0);
  return n > 0 ? { verb: "settle", n } : refuse("COMMAND_USAGE", "Say which note: /plan resolve <number>.");
}

const LINE = /^\[plan-mode\]\s+(approve|reject)(?:\s+([\s\S]*))?$/i;
const FIELDS = /^plan_id=(\S+)(?:\s+([\s\S]+))?$/;
const REASON = /^reason=([\s\S]*)$/;

function parseLine(typed: string): PlanCommand | Refused {
  const [line, decision = "", given = ""] = LINE.exec(typed) ?? [];
  if (line === undefined) return lineUsage();
  const [fields, id = "", rest = ""] = FIELDS.exec(given.trim()) ?? [];
  if (fields === undefined) return refuse("APPROVAL_ID_REQUIRED", "Name the plan that you decide on: plan_id=<id>.");
  const planId = PlanId.safeParse(id);
  if (!planId.success) return refuse("COMMAND_USAGE", `"${id}" is not the id of a plan; it starts with pln_.`);
  return decision.toLowerCase() === "approve" ? approveLine(planId.data, rest) : rejectLine(planId.data, rest);
}

const approveLine = (planId: PlanId, rest: string): PlanCommand | Refused =>
  rest === "" ? { verb: "resolve", planId, decision: "approve" } : lineUsage();

function rejectLine(planId: PlanId, rest: string): PlanCommand | Refused {
  const [field, reason = ""] = REASON.exec(rest) ?? [];
  if (rest !== "" && field === undefined) return lineUsage();
  const missing = needsText(reason, "Say what should change: reason=<feedback>.");
  return missing ?? { verb: "resolve", planId, decision: "reject", reason: reason.trim() };
}

function needsText(text: string, message: string): Refused | undefined {
  if (isBlank(text)) return refuse("COMMAND_USAGE", message);
  return text.length > FEEDBACK_CHARS_MAX
    ? refuse("COMMAND_USAGE", `At most ${FEEDBACK_CHARS_MAX} characters, please.`)
    : undefined;
}

function splitOnce(text: string): [string, string] {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, rest];
}

const tooMuch = (verb: string, rest: string): Refused =>
  refuse("COMMAND_USAGE", `"${rest.slice(0, 80)}" is too much after /plan ${verb}. Usage: ${usageOf(verb)}`);
const usageOf = (verb: string): string => PLAN_USAGE.find((line) => line.split(" ", 2)[1] === verb) ?? "/plan";
const usage = (problem: string): Refused =>
  refuse("COMMAND_USAGE", `${problem} Usage:\n${PLAN_USAGE.map((line) => `  ${line}`).join("\n")}`);
const lineUsage = (): Refused =>
  refuse(
    "COMMAND_USAGE",
    "Write [plan-mode] approve plan_id=<id>, or [plan-mode] reject plan_id=<id> reason=<feedback>.",
  );
