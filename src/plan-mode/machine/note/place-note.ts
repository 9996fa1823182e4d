/** Finds the place of a note in a revision: where its words are, else where the most similar words are, else nowhere. */
import type { PlanBody, PlanStep } from "../../protocol/plan.ts";
import { type NoteAnchor, type Standing, STEP_MARK_CHARS_MAX } from "../../protocol/review.ts";
import { firstChars, never } from "../../../plugins/sdk.ts";
import { type Pair, pairTexts } from "../compare/pair-texts.ts";
import { type Bag, bagOf, likenessIn } from "../compare/words.ts";
import { findQuote } from "./find-quote.ts";
import { sectionText, stepText } from "./section-text.ts";

/** Less alike than this, it is another step. */
const STEP_LIKENESS_MIN = 0.4;

export type Placed = { anchor: NoteAnchor; standing: Standing };
type OnStep = Extract<NoteAnchor, { on: "step" }>;

/** Which step of one revision became which of the next; numbers count from 0. */
export type StepPairs = { before: readonly PlanStep[]; pairs: readonly Pair[] };

export const pairSteps = (
  before: readonly PlanStep[],
  after: readonly PlanStep[],
  bagFor?: (text: string) => Bag,
): StepPairs => ({
  before,
  pairs: pairTexts(
    before.map(({ step }) => step),
    after.map(({ step }) => step),
    bagFor,
  ),
});

/**
 * `pairs`: from the revision that the anchor was placed in to this one, where that is known. All steps are then compared
 * at once, so that a note on a rewritten step is not taken along by a neighbour that reads like it.
 */
export function placeNote(anchor: NoteAnchor, body: PlanBody, pairs?: StepPairs): Placed {
  switch (anchor.on) {
    case "plan":
      return { anchor, standing: "exact" };
    case "section":
      return placeInText(anchor, sectionText(body, anchor.section));
    case "step":
      return placeOnStep(anchor, body.plan, pairs);
    default:
      return never(anchor);
  }
}

/** What a step is known by later. */
export const stepMark = ({ step }: PlanStep): string => firstChars(step, STEP_MARK_CHARS_MAX);

function placeInText<Anchor extends Exclude<NoteAnchor, { on: "plan" }>>(anchor: Anchor, text: string | undefined) {
  if (text === undefined) return { anchor, standing: "orphaned" as const };
  if (anchor.quote === undefined) return { anchor, standing: "exact" as const };
  const { quote, standing } = findQuote(text, anchor.quote);
  return { anchor: { ...anchor, quote }, standing };
}

function placeOnStep(anchor: OnStep, steps: readonly PlanStep[], known: StepPairs | undefined): Placed {
  const pair = known === undefined ? undefined : pairOf(anchor, known);
  const found = pair === undefined ? findStep(anchor, steps) : followed(pair);
  const step = found === undefined ? undefined : steps[found.index];
  if (found === undefined || step === undefined) return { anchor, standing: "orphaned" };
  const onStep: OnStep = { ...anchor, step: found.index + 1, text: stepMark(step) };
  const placed = placeInText(onStep, stepText(step));
  const standing = onStep.text === anchor.text ? found.standing : "moved";
  return { anchor: placed.anchor, standing: worse(standing, placed.standing) };
}

/** Undefined where the anchor was not placed in that revision: what it pointed at was gone before. */
function pairOf({ step, text }: OnStep, { before, pairs }: StepPairs): Pair | undefined {
  const old = before[step - 1];
  return old === undefined || stepMark(old) !== text ? undefined : pairs.find(({ from }) => from === step - 1);
}

const followed = ({ to }: Pair): Found | undefined => (to === null ? undefined : { index: to, standing: "exact" });

type Found = { index: number; standing: "exact" | "moved" };

function findStep({ step: number, text }: OnStep, steps: readonly PlanStep[]): Found | undefined {
  const there = steps[number - 1];
  if (there !== undefined && stepMark(there) === text) return { index: number - 1, standing: "exact" };
  const nearness = (index: number): number => -Math.abs(index - (number - 1));
  const same = [...steps.entries()].filter(([, step]) => stepMark(step) === text).map(([index]) => index);
  const [nearest] = same.toSorted((a, b) => nearness(b) - nearness(a));
  if (nearest !== undefined) return { index: nearest, standing: "exact" };
  const bag = bagOf(text);
  const bags = steps.map((step) => bagOf(stepMark(step)));
  const likeness = likenessIn([bag, ...bags]);
  const [best] = bags
    .map((other, index) => ({ index, score: likeness(bag, other) }))
    .filter(({ score }) => score >= STEP_LIKENESS_MIN)
    .toSorted((a, b) => b.score - a.score || nearness(b.index) - nearness(a.index));
  return best === undefined ? undefined : { index: best.index, standing: "moved" };
}

const WORSE: readonly Standing[] = ["exact", "moved", "orphaned"];
const worse = (a: Standing, b: Standing): Standing => (WORSE.indexOf(a) > WORSE.indexOf(b) ? a : b);
