/**
 * The one parser of what people type: `/plan …` and the frozen lines `[plan-mode] approve|reject plan_id=…`.
 * Strict: a word too many is an error with usage, never another action; nothing else that is typed decides anything.
 */
import { FEEDBACK_CHARS_MAX, REASON_CHARS_MAX, WRITTEN_CHARS_MAX } from "../protocol/command.ts";
import { WAIVER_CHARS_MAX } from "../protocol/step/evidence.ts";
import { StandingTerms } from "../protocol/job/standing.ts";
import { NOTE_CHARS_MAX } from "../protocol/review.ts";
import { Archetype } from "../protocol/template/archetype.ts";
import { PlanId } from "../../protocol/ids.ts";
import type { Refused } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import { ENGLISH } from "../texts/en.ts";
import { lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { isBlank } from "../../plugins/sdk.ts";
import { DECISION_CODE } from "../machine/signature/decision-code.ts";
import { parseRanges } from "../machine/stage/number-ranges.ts";
import { parseNote, type TypedNote } from "./parse-note.ts";

const VERBS = [
  "status",
  "view",
  "on",
  "off",
  "restate",
  "auto",
  "accept",
  "revise",
  "answer",
  "decline",
  "defer",
  "notes",
  "note",
  "resolve",
  "reply",
  "reopen",
  "diff",
  "lift",
  "skip",
  "hold",
  "confirm",
  "waive",
  "write",
  "template",
  "archetype",
  "self-test",
] as const;
type Verb = (typeof VERBS)[number];

/** Keys of texts hold no hyphens. */
const usageKey = (verb: Verb) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one verb with a hyphen has its key in the table
  `usage_plan_${verb.replaceAll("-", "_")}` as `usage_plan_${Exclude<Verb, "self-test">}` | "usage_plan_self_test";

export const PLAN_USAGE: readonly string[] = VERBS.map((verb) => ENGLISH[usageKey(verb)]);

/** What the line of usage says behind its dash. */
export const described = (usage: string): string => usage.split(" — ")[1] ?? "";

const BARE_VERBS = ["status", "on", "off", "restate", "notes", "lift", "self-test"] as const;

export type PlanCommand =
  | { verb: Exclude<(typeof BARE_VERBS)[number], "self-test"> }
  | { verb: "self-test" }
  /** `step`: only this one, counted from 1. */
  | { verb: "view"; step?: number }
  /** Numbers of revisions; without the second: the last one, without both: the last with the one before it. */
  | { verb: "diff"; from?: number; to?: number }
  | { verb: "auto"; enabled: boolean }
  /** Without a name: which there are. */
  | { verb: "template"; skill?: string }
  /** Null: none; absent: which there are. */
  | { verb: "archetype"; archetype?: Archetype | null }
  | { verb: "accept"; edits: boolean; code?: string; standing?: StandingTerms; steps?: number[] }
  | { verb: "skip" | "hold"; steps: number[] }
  | { verb: "write"; text: string }
  | { verb: "revise"; feedback: string }
  | { verb: "answer"; choice: string }
  | { verb: "decline" | "defer"; reason: string }
  | { verb: "note"; note: TypedNote }
  | { verb: "confirm" | "waive"; step: number; criterion?: string; reason: string }
  | { verb: "settle" | "reopen"; n: number }
  | { verb: "reply"; n: number; text: string }
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
    case "view":
      if (rest === "") return { verb };
      return /^[1-9]\d{0,2}$/.test(rest) ? { verb, step: Number(rest) } : tooMuch(verb, rest);
    case "diff":
      return parseDiff(rest);
    case "auto":
      return option === "on" || option === "off"
        ? { verb, enabled: option === "on" }
        : refuse("COMMAND_USAGE", localized("sayAuto"));
    case "template":
      return parseTemplate(rest);
    case "archetype":
      return parseArchetype(option);
    case "accept":
      return parseAccept(option) ?? tooMuch(verb, rest);
    case "revise":
      return needsText(rest, localized("sayChange")) ?? { verb, feedback: rest };
    case "write":
      return needsWords(rest, WRITTEN_CHARS_MAX, localized("sayPlan")) ?? { verb, text: rest };
    case "answer":
      return needsText(rest, localized("sayWhich")) ?? { verb, choice: rest };
    case "decline":
    case "defer":
      return rest.length <= REASON_CHARS_MAX
        ? { verb, reason: rest }
        : refuse("COMMAND_USAGE", localized("charsMax", { max: REASON_CHARS_MAX }));
    case "skip":
    case "hold": {
      const steps = parseRanges(rest);
      return steps === undefined ? refuse("COMMAND_USAGE", localized("saySteps", { verb })) : { verb, steps };
    }
    case "confirm":
    case "waive":
      return parseProving(verb, rest);
    case "note":
    case "resolve":
    case "reply":
    case "reopen":
      return parseReview(verb, rest);
    default:
      return usage(localized("noPlanVerb", { command: `/plan ${verb}` }));
  }
}

function parseDiff(rest: string): PlanCommand | Refused {
  const [typed, from, to] = /^(?:([1-9]\d{0,3})(?:\s+([1-9]\d{0,3}))?)?$/.exec(rest) ?? [];
  if (typed === undefined) return tooMuch("diff", rest);
  return {
    verb: "diff",
    ...(from === undefined ? {} : { from: Number(from) }),
    ...(to === undefined ? {} : { to: Number(to) }),
  };
}

function parseTemplate(rest: string): PlanCommand | Refused {
  if (rest === "") return { verb: "template" };
  return /^\S{1,64}$/.test(rest) ? { verb: "template", skill: rest } : tooMuch("template", rest);
}

function parseArchetype(option: string): PlanCommand | Refused {
  if (option === "") return { verb: "archetype" };
  if (option === "none") return { verb: "archetype", archetype: null };
  const parsed = Archetype.safeParse(option.replaceAll(/\s+/g, "-"));
  if (parsed.success) return { verb: "archetype", archetype: parsed.data };
  return refuse("COMMAND_USAGE", localized("noArchetype", { kind: option, kinds: Archetype.options.join(", ") }));
}

const ACCEPT = /^(edits)?\s*(?:(standing)(?:\s+(\d{1,3}))?(?:\s+(\d{1,3})\s?d?)?)?$/;

/** The numbers of steps, with `edits` on either side or alone: 1-3, 5. */
const STEPS = /^(?:edits )?(\d{1,3}(?:\s*[-,]\s*\d{1,3})*)$|^(\d{1,3}(?:\s*[-,]\s*\d{1,3})*) edits$/;

/** `edits`, `standing` with a number of runs and of days, and the code of what was read, wherever it stands. */
function parseAccept(option: string): PlanCommand | undefined {
  const words = option.split(/\s+/).filter((word) => word !== "");
  const [code, ...codes] = words.filter((word) => DECISION_CODE.test(word));
  const others = words.filter((word) => !DECISION_CODE.test(word)).join(" ");
  if (codes.length > 0) return undefined;
  const coded = code === undefined ? {} : { code };
  const numbered = STEPS.exec(others);
  if (numbered !== null) return acceptSteps(numbered, coded);
  const [typed, edits, standing, runs, days] = ACCEPT.exec(others) ?? [];
  if (typed === undefined) return undefined;
  const accept = { verb: "accept", edits: edits !== undefined, ...coded } as const;
  if (standing === undefined) return accept;
  const terms = StandingTerms.safeParse({
    ...(runs === undefined ? {} : { runs: Number(runs) }),
    ...(days === undefined ? {} : { days: Number(days) }),
  });
  return terms.success ? { ...accept, standing: terms.data } : undefined;
}

function acceptSteps(
  [typed, first, second]: readonly (string | undefined)[],
  coded: { code?: string },
): PlanCommand | undefined {
  const steps = parseRanges(first ?? second ?? "");
  if (steps === undefined) return undefined;
  return { verb: "accept", edits: typed?.includes("edits") === true, ...coded, steps };
}

/** `2`, `2.1` for the first criterion of step 2; a waiver goes on with its reason. */
function parseProving(verb: "confirm" | "waive", rest: string): PlanCommand | Refused {
  const [typed, step, criterion, reason = ""] = /^(\d{1,3})(?:\.(\d{1,3}))?(?:\s+(\S[^]*))?$/.exec(rest) ?? [];
  if (typed === undefined || (verb === "confirm") !== (reason === ""))
    return refuse("COMMAND_USAGE", localized(verb === "confirm" ? "sayConfirm" : "sayWaive"));
  if (reason.length > WAIVER_CHARS_MAX)
    return refuse("COMMAND_USAGE", localized("charsMax", { max: WAIVER_CHARS_MAX }));
  return { verb, step: Number(step), ...(criterion === undefined ? {} : { criterion }), reason };
}

const NUMBERED = /^n?(\d{1,5})(?:\s+([^]*))?$/i;

function parseReview(verb: "note" | "resolve" | "reply" | "reopen", rest: string): PlanCommand | Refused {
  if (verb === "note") {
    const note = parseNote(rest);
    return "refused" in note ? note : { verb, note };
  }
  const [, typed = "0", text = ""] = NUMBERED.exec(rest) ?? [];
  return verb === "reply" ? parseReply(Number(typed), text) : parseSettling(verb, Number(typed), text);
}

function parseReply(n: number, text: string): PlanCommand | Refused {
  if (n === 0) return refuse("COMMAND_USAGE", localized("sayReply"));
  return needsWords(text, NOTE_CHARS_MAX, localized("sayReply")) ?? { verb: "reply", n, text };
}

function parseSettling(verb: "resolve" | "reopen", n: number, text: string): PlanCommand | Refused {
  const isResolved = verb === "resolve";
  if (n === 0 || text !== "") return refuse("COMMAND_USAGE", localized(isResolved ? "sayNote" : "sayReopen"));
  return { verb: isResolved ? "settle" : "reopen", n };
}

const LINE = /^\[plan-mode\]\s+(approve|reject)(?:\s+([\s\S]*))?$/i;
const FIELDS = /^plan_id=(\S+)(?:\s+([\s\S]+))?$/;
const REASON = /^reason=([\s\S]*)$/;

function parseLine(typed: string): PlanCommand | Refused {
  const [line, decision = "", given = ""] = LINE.exec(typed) ?? [];
  if (line === undefined) return lineUsage();
  const [fields, id = "", rest = ""] = FIELDS.exec(given.trim()) ?? [];
  if (fields === undefined) return refuse("APPROVAL_ID_REQUIRED", localized("namePlan"));
  const planId = PlanId.safeParse(id);
  if (!planId.success) return refuse("COMMAND_USAGE", localized("notAPlanId", { id }));
  return decision.toLowerCase() === "approve" ? approveLine(planId.data, rest) : rejectLine(planId.data, rest);
}

const approveLine = (planId: PlanId, rest: string): PlanCommand | Refused =>
  rest === "" ? { verb: "resolve", planId, decision: "approve" } : lineUsage();

function rejectLine(planId: PlanId, rest: string): PlanCommand | Refused {
  const [field, reason = ""] = REASON.exec(rest) ?? [];
  if (rest !== "" && field === undefined) return lineUsage();
  const missing = needsText(reason, localized("sayReason"));
  return missing ?? { verb: "resolve", planId, decision: "reject", reason: reason.trim() };
}

const needsText = (text: string, missing: LocalizedText): Refused | undefined =>
  needsWords(text, FEEDBACK_CHARS_MAX, missing);

function needsWords(text: string, max: number, missing: LocalizedText): Refused | undefined {
  if (isBlank(text)) return refuse("COMMAND_USAGE", missing);
  return text.length > max ? refuse("COMMAND_USAGE", localized("charsMax", { max })) : undefined;
}

function splitOnce(text: string): [string, string] {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, rest];
}

const tooMuch = (verb: Verb, rest: string): Refused => {
  const problem = localized("tooMuch", { words: rest.slice(0, 80), command: `/plan ${verb}` });
  return refuse("COMMAND_USAGE", lines([problem, localized("usage"), localized(usageKey(verb))]));
};
const usage = (problem: LocalizedText): Refused =>
  refuse("COMMAND_USAGE", lines([problem, localized("usage"), ...VERBS.map((verb) => localized(usageKey(verb)))]));
const lineUsage = (): Refused => refuse("COMMAND_USAGE", localized("planLine"));
