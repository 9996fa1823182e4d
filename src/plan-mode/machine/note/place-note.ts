/** Finds the place of a note in a revision: where its words are, else where the most similar words are, else nowhere. */
import type { PlanBody, PlanStep } from "../../protocol/plan.ts";
import { type NoteAnchor, type Standing, STEP_MARK_CHARS_MAX } from "../../protocol/review.ts";
import { firstChars, never } from "../../../plugins/sdk.ts";
import { bagOf, likeness } from "../compare/words.ts";
import { findQuote } from "./find-quote.ts";
import { sectionText, stepText } from "./section-text.ts";

/** Less alike than this, it is another step. */
const STEP_LIKENESS_MIN = 0.5;

export type Placed = { anchor: NoteAnchor; standing: Standing };
type OnStep = Extract<NoteAnchor, { on: "step" }>;

export function placeNote(anchor: NoteAnchor, body: PlanBody): Placed {
  switch (anchor.on) {
    case "plan":
      return { anchor, standing: "exact" };
    case "section":
      return placeInText(anchor, sectionText(body, anchor.section));
    case "step":
      return placeOnStep(anchor, body.plan);
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

function placeOnStep(anchor: OnStep, steps: readonly PlanStep[]): Placed {
  const found = findStep(anchor, steps);
  const step = found === undefined ? undefined : steps[found.index];
  if (found === undefined || step === undefined) return { anchor, standing: "orphaned" };
  const onStep: OnStep = { ...anchor, step: found.index + 1, text: stepMark(step) };
  const placed = placeInText(onStep, stepText(step));
  return { anchor: placed.anchor, standing: worse(found.standing, placed.standing) };
}

function findStep({ step: number, text }: OnStep, steps: readonly PlanStep[]) {
  const nearness = (index: number): number => -Math.abs(index - (number - 1));
  const same = [...steps.entries()].filter(([, step]) => stepMark(step) === text).map(([index]) => index);
  const [nearest] = same.toSorted((a, b) => nearness(b) - nearness(a));
  if (nearest !== undefined) return { index: nearest, standing: "exact" as const };
  const bag = bagOf(text);
  const [best] = steps
    .map((step, index) => ({ index, score: likeness(bag, bagOf(stepMark(step))) }))
    .filter(({ score }) => score >= STEP_LIKENESS_MIN)
    .toSorted((a, b) => b.score - a.score || nearness(b.index) - nearness(a.index));
  return best === undefined ? undefined : { index: best.index, standing: "moved" as const };
}

const WORSE: readonly Standing[] = ["exact", "moved", "orphaned"];
const worse = (a: Standing, b: Standing): Standing => (WORSE.indexOf(a) > WORSE.indexOf(b) ? a : b);
