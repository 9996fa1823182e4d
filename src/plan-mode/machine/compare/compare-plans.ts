/** Compares two revisions: what changed, where, and which notes each change answers. Plain data that each surface draws. */
import type { BlockChange, DiffPart } from "../../protocol/plan-diff.ts";
import type { PlanBody, PlanRevision } from "../../protocol/plan.ts";
import type { Answering, Note, PlanDiff, PlanSection } from "../../protocol/review.ts";
import { oneLine, revealHidden } from "../../../plugins/sdk.ts";
import { pairSteps, placeNote } from "../note/place-note.ts";
import { SECTION_ORDER, sectionText, stepText } from "../note/section-text.ts";
import { blocksOf, compareBlocks } from "./compare-blocks.ts";
import { changeOf, compareSteps, isSame } from "./compare-steps.ts";
import { textDiff } from "./text-diff.ts";
import { unifiedText } from "./unified-text.ts";
import { createBags } from "./words.ts";

/** `notes` are those that were written before the newer revision came. */
export function comparePlans(from: PlanRevision, to: PlanRevision, notes: readonly Note[] = []): PlanDiff {
  const bagFor = createBags();
  const back = pairSteps(to.body.plan, from.body.plan, bagFor); // a note may have moved on to the newer one already
  const placed = notes.map((note) => ({ ...note, ...placeNote(note.anchor, from.body, back) }));
  const declared = new Set(to.addresses);
  const said = (note: Note): Answering => ({ noteId: note.id, n: note.n, declared: declared.has(note.id) });
  const sections = SECTION_ORDER.flatMap((section) => sectionDiff(section, from.body, to.body)).map((part) => ({
    ...part,
    answers: placed.filter((note) => touchesSection(note, part.section, to.body)).map(said),
  }));
  const steps = compareSteps(from.body.plan, to.body.plan, bagFor).map((step) => {
    const isChange = step.change !== "same" || step.moved;
    const after = step.to === null ? undefined : to.body.plan[step.to - 1];
    const text = after === undefined ? "" : stepText(after);
    return {
      ...step,
      answers: isChange ? placed.filter((note) => touchesStep(note, step.from, text)).map(said) : [],
    };
  });
  const shown = new Set([...sections, ...steps].flatMap(({ answers }) => answers.map(({ noteId }) => noteId)));
  const title = textDiff(from.body.title, to.body.title);
  return {
    from: sideOf(from),
    to: sideOf(to),
    title: isSame(title) ? null : title,
    sections,
    steps,
    declaredElsewhere: placed.filter(({ id }) => declared.has(id) && !shown.has(id)).map(said),
    raw: unifiedText(plainLines(from.body), plainLines(to.body), { from: nameOf(from), to: nameOf(to) }),
  };
}

const AGENT = { kind: "agent", name: "the agent" } as const;

const sideOf = ({ planId, revision, author, sessionId, submittedAtMs }: PlanRevision): PlanDiff["from"] => ({
  planId,
  revision,
  author: author ?? { ...AGENT, id: sessionId },
  atMs: submittedAtMs,
});

const nameOf = ({ revision, planId }: PlanRevision): string => `revision ${revision} (${planId})`;

type SectionDiff = {
  section: PlanSection;
  change: "added" | "removed" | "changed";
  text: DiffPart[];
  blocks: BlockChange[];
};

function sectionDiff(section: PlanSection, before: PlanBody, after: PlanBody): SectionDiff[] {
  const [old, now] = [sectionText(before, section), sectionText(after, section)];
  const text = textDiff(old ?? "", now ?? "");
  if (isSame(text) && (old === undefined) === (now === undefined)) return [];
  const change = changeOf({ from: old === undefined ? null : 0, to: now === undefined ? null : 0 }, false);
  if (change === "same") return [];
  return [{ section, change, text, blocks: compareBlocks(blocksIn(section, old), blocksIn(section, now)) }];
}

/** Summary and analysis are Markdown; the other sections hold one thing a line. */
function blocksIn(section: PlanSection, text = ""): string[] {
  if (text === "") return [];
  return section === "summary" || section === "analysis" ? blocksOf(text) : text.split("\n");
}

/** A note on words is answered when the words are no longer there as they were. */
function touchesSection({ anchor, standing }: Note, section: PlanSection, after: PlanBody): boolean {
  if (anchor.on !== "section" || anchor.section !== section || standing === "orphaned") return false;
  return anchor.quote === undefined || !(sectionText(after, section) ?? "").includes(anchor.quote.exact);
}

function touchesStep({ anchor, standing }: Note, from: number | null, after: string): boolean {
  if (anchor.on !== "step" || anchor.step !== from || standing === "orphaned") return false;
  return anchor.quote === undefined || !after.includes(anchor.quote.exact);
}

/** The whole plan, a line for a thing; hidden characters are shown. */
function plainLines(body: PlanBody): string[] {
  const section = (name: PlanSection): string[] => {
    const text = sectionText(body, name);
    return text === undefined ? [] : [`## ${name}`, ...revealHidden(text).split("\n")];
  };
  return [
    `# ${oneLine(body.title)}`,
    ...section("summary"),
    "## steps",
    ...body.plan.flatMap(({ step, acceptanceCriteria = [] }) => [
      `- ${oneLine(step)}`,
      ...acceptanceCriteria.map((criterion) => `  - ${oneLine(criterion)}`),
    ]),
    ...SECTION_ORDER.slice(1).flatMap(section),
  ];
}
