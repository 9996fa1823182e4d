/** What the library knows of a plan revision: read from what is stored about it, and from the words of the plan. */
import type { By } from "../../protocol/actor.ts";
import { type PlanBody, type PlanRevision, isTerminal, type PlanStep } from "../../plan-mode/protocol/plan.ts";
import type { Note, PlanDecided } from "../../plan-mode/protocol/review.ts";
import { lastAboutPlan } from "../../plan-mode/protocol/step/step-decisions.ts";
import { firstChars, oneLine } from "../../plugins/sdk.ts";
import { FILES_MAX, type LibraryEntry, LINKS_MAX, type PlanOutcome } from "../protocol/library-entry.ts";
import { folded, signsOf, termsOf } from "./terms.ts";

const SUMMARY_CHARS_MAX = 300;
const PEOPLE_MAX = 50;
const TEXT_CHARS_MAX = 400_000;
const TERMS_MAX = 8_000;
const FILTER_CHARS_MAX = 80;

export type PlanRecord = {
  plan: PlanRevision;
  agentId: string;
  isNewest: boolean;
  /** A person is asked about this very revision now. */
  isPending: boolean;
  isSessionDeleted: boolean;
  decisions: readonly PlanDecided[];
  notes: readonly Note[];
  /** How its steps stood when its cycle ended. */
  progress?: readonly PlanStep[];
  touched: readonly string[];
  file: string | null;
  added: LibraryEntry["added"];
};

export function planEntry(record: PlanRecord): LibraryEntry {
  const { plan, agentId, file, added, touched } = record;
  const { planId, sessionId, cycleId, revision, submittedAtMs, body } = plan;
  const text = [...textsOf(body)].join("\n");
  return {
    planId,
    sessionId,
    agentId,
    cycleId,
    revision,
    title: body.title,
    summary: shortened(oneLine(body.summary ?? body.plan[0]?.step ?? "")),
    steps: body.plan.length,
    outcome: outcomeOf(record),
    ...ruleOf(record),
    submittedAtMs,
    ...(record.isSessionDeleted ? { sessionDeleted: true as const } : {}),
    people: peopleIn(record),
    tags: distinct([...hashTags(text), ...added.tags]),
    files: distinct([...touched, ...filesIn(text)]).slice(0, FILES_MAX),
    links: distinct([...added.links, ...linksIn(text, body.references ?? [])]).slice(0, LINKS_MAX),
    file,
    added,
  };
}

/** Words, and behind a letter and a colon what filters ask for. */
export function entryTerms(entry: LibraryEntry, { body }: PlanRevision): string[] {
  const words = new Set<string>();
  for (const text of textsOf(body)) {
    for (const term of termsOf(text)) if (words.size < TERMS_MAX) words.add(term);
  }
  const { tags, people, files, links, outcome, agentId, cycleId } = entry;
  const named = people.flatMap(({ id, name }) => [id, ...termsOf(name)]);
  return distinct([
    ...filterTerms("t", tags),
    ...filterTerms("p", named),
    ...filterTerms("f", files.flatMap(pathEndings)),
    ...filterTerms("l", links.flatMap(linkForms)),
    ...filterTerms("s", [outcome]),
    ...filterTerms("a", [agentId]),
    ...filterTerms("c", [cycleId]),
    ...words,
  ]);
}

export type FilterKind = "t" | "p" | "f" | "l" | "s" | "a" | "c";

export const filterTerm = (kind: FilterKind, value: string): string =>
  `${kind}:${signsOf(folded(value)).slice(0, FILTER_CHARS_MAX).join("")}`;
const filterTerms = (kind: FilterKind, values: readonly string[]): string[] =>
  values.filter((value) => value !== "").map((value) => filterTerm(kind, value));

/** `src/pay/index.ts` is found by `pay/index.ts` and by `index.ts`. */
function pathEndings(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(index).join("/"));
}

/** An address is found by its number, too. */
function linkForms(link: string): string[] {
  const [, owner = "", kind = "", number = ""] = FORGE_LINK.exec(link) ?? [];
  if (number === "")
    return [link, ...(/[#!]\d+$/.exec(link)?.[0] === undefined ? [] : [link.slice(link.search(/[#!]/))])];
  const sign = kind === "merge_requests" ? "!" : "#";
  return [link, `${sign}${number}`, `${owner}${sign}${number}`];
}

const FORGE_LINK =
  /^https?:\/\/[^/\s]+\/([\w.-]+\/[\w.-]+)\/(?:-\/)?(issues|pull|pulls|merge_requests)\/(\d{1,9})(?:[/?#]|$)/;

function outcomeOf({ plan, decisions, progress, isNewest, isPending }: PlanRecord): PlanOutcome {
  if (progress !== undefined) return progress.every(isTerminal) ? "completed" : "left";
  const last = lastAboutPlan(
    decisions.filter(({ decision }) => decision !== "signed"),
    plan.planId,
  );
  switch (last?.decision) {
    case "approved":
    case "edited":
      return "approved";
    case "standing":
      return "standing";
    case "rejected":
      return "rejected";
    case "timed_out":
      return "expired";
    default:
      return isPending ? "pending" : isNewest ? "left" : "superseded";
  }
}

/** Cut behind a word where there is one, and marked as cut. */
function shortened(text: string): string {
  if (text.length <= SUMMARY_CHARS_MAX) return text;
  const begin = firstChars(text, SUMMARY_CHARS_MAX - 1);
  const space = begin.lastIndexOf(" ");
  return `${space > SUMMARY_CHARS_MAX / 2 ? begin.slice(0, space) : begin}…`;
}

const APPROVING = new Set<PlanDecided["decision"]>(["approved", "edited"]);

function ruleOf({ plan, decisions }: PlanRecord): Pick<LibraryEntry, "rule"> {
  const by = decisions.findLast(({ planId, decision }) => planId === plan.planId && APPROVING.has(decision))?.by;
  return by?.kind === "policy" ? { rule: by.name } : {};
}

function peopleIn({ plan, decisions, notes }: PlanRecord): LibraryEntry["people"] {
  const own = decisions.filter(({ planId }) => planId === plan.planId);
  const all = [plan.author, ...own.map(({ by }) => by), ...notes.map(({ by }) => by)];
  const people = all.filter((by): by is By => by?.kind === "operator");
  return [...new Map(people.map(({ id, name }) => [id, { id, name }])).values()].slice(0, PEOPLE_MAX);
}

function* textsOf(body: PlanBody): Generator<string> {
  let left = TEXT_CHARS_MAX;
  for (const text of partsOf(body)) {
    if (left <= 0) return;
    yield text.slice(0, left);
    left -= text.length;
  }
}

function* partsOf(body: PlanBody): Generator<string> {
  yield body.title;
  for (const { step, acceptanceCriteria = [] } of body.plan) yield [step, ...acceptanceCriteria].join("\n");
  yield body.summary ?? "";
  yield body.analysis ?? "";
  yield* body.assumptions ?? [];
  for (const { risk, mitigation } of body.risks ?? []) yield `${risk}\n${mitigation}`;
  yield* body.verification ?? [];
  yield* body.references ?? [];
}

const ADDRESS = /https?:\/\/[^\s<>"'`)\]]+/g;
const PATH = /(?<![\w/.-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/])/g;
const FOLDER = /(?<![\w/.-])(?:[\w@.-]+\/){1,20}(?![\w/])/g;
const NO_FILE = /^(?:e\.g|i\.e|z\.b|node\.js|vue\.js|next\.js|www\..*|.*\.(?:com|org|net|io|dev))$/i;

function filesIn(text: string): string[] {
  const plain = text.replaceAll(ADDRESS, " ");
  const found = [...(plain.match(PATH) ?? []), ...(plain.match(FOLDER) ?? [])];
  return found
    .map((path) => path.replace(/^\.\//, "").replace(/[./]+$/, ""))
    .filter((path) => path !== "" && !NO_FILE.test(path));
}

const SHORT_LINK = /(?<![\w&#/])(?:[\w.-]+\/[\w.-]+)?[#!]\d{1,9}\b/g;
const KEY = /\b[A-Z][A-Z0-9]{1,9}-\d{1,9}\b/g;

/** Keys of trackers only where the plan refers to something: elsewhere `UTF-8` looks like one. */
function linksIn(text: string, references: readonly string[]): string[] {
  const addresses = (text.match(ADDRESS) ?? []).map((link) => link.replace(/[.,;:]+$/, ""));
  const short = text.replaceAll(ADDRESS, " ").match(SHORT_LINK) ?? [];
  const keys = references.flatMap((reference) => reference.replaceAll(ADDRESS, " ").match(KEY) ?? []);
  return [...addresses, ...short, ...keys];
}

const HASH_TAG = /(?<![\w&#/])#(\p{L}[\p{L}\p{N}_-]{1,39})/gu;
const hashTags = (text: string): string[] =>
  [...text.replaceAll(ADDRESS, " ").matchAll(HASH_TAG)].map(([, tag = ""]) => tag.toLowerCase()).slice(0, 20);

const distinct = (values: readonly string[]): string[] => [...new Set(values)];
