/**
 * Plan lint: what a careful reader would ask about, found by rules before a person is asked. It advises and decides
 * nothing: a finding keeps nobody from approving. A plan that names a code (L003) anywhere has acknowledged it.
 */
import type { PlanBody, PlanStep } from "../../protocol/plan.ts";
import { scopeMatcher } from "../scope/scope-match.ts";
import { LINT_CODES, type LintCode, type LintFinding, type LintMode } from "../../protocol/lint/lint-finding.ts";

const STEPS_SHOWN_MAX = 20;
/** Beyond this nobody reads every step before signing. */
const STEPS_WARNED = 40;
const STEP_CHARS_WARNED = 600;

/** Those that are only told where all are asked for: most short plans have them. */
const HINTS: ReadonlySet<LintCode> = new Set(["L001", "L005"]);

const QUESTION =
  /\?(?=\s|$|["')\]])|\b(?:TBD|TODO|FIXME|to be (?:decided|determined|clarified)|not sure whether|open question)\b/i;
const ADDRESS = /https?:\/\/\S+/g;
const IRREVERSIBLE =
  /\b(?:delet(?:e|es|ing)|drop(?:s|ping)?|truncat(?:e|es|ing)|purg(?:e|es|ing)|wip(?:e|es|ing)|destroy(?:s|ing)?|overwrit(?:e|es|ing)|force[- ]push(?:es|ing)?|rm -rf|publish(?:es|ing)?|deploy(?:s|ing)? to production|send(?:s|ing)? (?:the )?(?:mails?|e-?mails?|invoices?))\b/i;
/** A step that says so itself is told, whatever way back the plan names elsewhere. */
const SAYS_SO =
  /(?<!\b(?:not|never|isn't) )\b(?:irreversibl[ey]|cannot be undone|can't be undone|point of no return)\b/i;
const WAY_BACK =
  /\b(?:roll(?:s|ed|ing)?[- ]?back|revert(?:s|ed|ing)?|restor(?:e|es|ed|ing)|back(?:s|ed)?[- ]?up|backups?|undo|undone|snapshots?|recover(?:s|ed|y)?|reversible|dry[- ]run)\b/i;
const CHANGES =
  /\b(?:writ(?:e|es|ing)|creat(?:e|es|ing)|chang(?:e|es|ing)|updat(?:e|es|ing)|edit(?:s|ing)?|mov(?:e|es|ing)|renam(?:e|es|ing)|install(?:s|ing)?|migrat(?:e|es|ing)|configur(?:e|es|ing)|deploy(?:s|ing)?|delet(?:e|es|ing)|remov(?:e|es|ing))\b/i;
/** A path, a file, a command in backticks, a host or a table: something that can be looked at beforehand. */
const NAMES_PLACE = /`[^`]+`|[\w.-]+\/[\w./-]*|\b[\w-]+\.[a-z][a-z0-9]{0,7}\b/i;

type Rule = (step: PlanStep, body: PlanBody) => boolean;

const RULES: Readonly<Record<Exclude<LintCode, "L004">, Rule>> = {
  L001: ({ acceptanceCriteria = [] }, { verification = [] }) =>
    acceptanceCriteria.length === 0 && verification.length === 0,
  L002: (step) => QUESTION.test(textOf(step)),
  L003: (step, body) =>
    SAYS_SO.test(step.step) || (IRREVERSIBLE.test(step.step) && !WAY_BACK.test(`${textOf(step)}\n${aroundOf(body)}`)),
  L005: (step) => CHANGES.test(step.step) && !isDeclared(step),
};

const PATH = /(?<![\w./-])(?:[\w.-]+\/)+[\w.-]*[\w-]/g;

/** Where a step declares the files that it changes, those that it names must be among them; else it has to name something. */
function isDeclared({ step, scope, acceptanceCriteria }: PlanStep): boolean {
  if (scope === undefined) return NAMES_PLACE.test(textOf({ step, status: "pending", acceptanceCriteria }));
  const named = scope.paths === undefined ? [] : [...plain(step).matchAll(PATH)].map(([path]) => path);
  const { covers } = scopeMatcher([scope]);
  return named.every((path) => covers({ part: "paths", path: path.replace(/^\.\//, "") }));
}

export function lintPlan(body: PlanBody, mode: LintMode): LintFinding[] {
  if (mode === "off") return [];
  const told = LINT_CODES.filter((code) => mode !== "warnings" || !HINTS.has(code));
  const said = `${body.title}\n${body.plan.map(textOf).join("\n")}\n${aroundOf(body)}`;
  return told.filter((code) => !said.includes(code)).flatMap((code) => findingsOf(code, body));
}

function findingsOf(code: LintCode, body: PlanBody): LintFinding[] {
  if (code === "L004") return sizeFindings(body);
  const numbers = body.plan.flatMap((step, index) => (RULES[code](step, body) ? [index + 1] : []));
  if (numbers.length > 0) return [finding(code, numbers)];
  return code === "L002" && QUESTION.test(plain(aroundOf(body))) ? [finding(code, [])] : [];
}

function sizeFindings({ plan }: PlanBody): LintFinding[] {
  const long = plan.flatMap(({ step }, index) => (step.length > STEP_CHARS_WARNED ? [index + 1] : []));
  return plan.length > STEPS_WARNED || long.length > 0 ? [finding("L004", long)] : [];
}

const finding = (code: LintCode, numbers: readonly number[]): LintFinding => ({
  code,
  steps: numbers.slice(0, STEPS_SHOWN_MAX),
  more: Math.max(0, numbers.length - STEPS_SHOWN_MAX),
});

/** A question in an address is none. */
const plain = (text: string): string => text.replaceAll(ADDRESS, " ");
const textOf = ({ step, acceptanceCriteria = [] }: PlanStep): string => plain([step, ...acceptanceCriteria].join("\n"));

const aroundOf = ({ summary = "", assumptions = [], risks = [], verification = [] }: PlanBody): string =>
  [summary, ...assumptions, ...risks.map(({ risk, mitigation }) => `${risk}\n${mitigation}`), ...verification].join(
    "\n",
  );
