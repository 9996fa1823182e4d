/** Where notes stand in a document: at the plan as a whole, a section, the steps as a list, or one step. */
import type { PlanBody, PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import { planJobLine } from "../../../src/plan-mode/protocol/job/plan-job-line.ts";
import type { Note, NoteTarget, PlanSection } from "../../../src/plan-mode/protocol/review.ts";

export type Place = "plan" | "steps" | PlanSection | `step-${number}`;

export const SECTIONS_BEFORE: readonly PlanSection[] = ["summary", "analysis"];
export const SECTIONS_AFTER: readonly PlanSection[] = ["assumptions", "risks", "verification", "references", "jobs"];

export const stepPlace = (number: number): Place => `step-${number}`;

export function placeOfTarget(target: NoteTarget): Place {
  if (target.on === "plan") return "plan";
  return target.on === "section" ? target.section : stepPlace(target.step);
}

/** What a note pointed at may be gone: then it stands at the list of steps, or at its section. */
export function placeOf({ anchor, standing }: Pick<Note, "anchor" | "standing">, body: PlanBody): Place {
  if (anchor.on === "step") {
    // its words may be gone from a step that is still there
    const isThere = standing !== "orphaned" || body.plan[anchor.step - 1]?.step.startsWith(anchor.text) === true;
    return isThere ? stepPlace(anchor.step) : "steps";
  }
  if (anchor.on === "section") return writtenIn(body, anchor.section) === undefined ? "plan" : anchor.section;
  return "plan";
}

export function notesByPlace(notes: readonly Note[], body: PlanBody): ReadonlyMap<Place, readonly Note[]> {
  const places = new Map<Place, Note[]>();
  for (const note of notes) {
    const place = placeOf(note, body);
    places.set(place, [...(places.get(place) ?? []), note]);
  }
  return places;
}

/** What `place` leads to when somebody writes a note there. */
export function targetAt(place: Place): NoteTarget | undefined {
  if (place === "plan") return { on: "plan" };
  if (place === "steps") return undefined;
  const step = /^step-(\d+)$/.exec(place)?.[1];
  if (step !== undefined) return { on: "step", step: Number(step) };
  const section = [...SECTIONS_BEFORE, ...SECTIONS_AFTER].find((name) => name === place);
  return section === undefined ? undefined : { on: "section", section };
}

/** The text in which a quote is looked for; the gateway looks in the same one. */
export function writtenAt(place: Place, body: PlanBody): string | undefined {
  const target = targetAt(place);
  if (target?.on === "section") return writtenIn(body, target.section);
  const step = target?.on === "step" ? body.plan[target.step - 1] : undefined;
  return step === undefined ? undefined : writtenOf(step);
}

const writtenOf = ({ step, acceptanceCriteria = [] }: PlanStep): string => [step, ...acceptanceCriteria].join("\n");

function linesIn(body: PlanBody, section: Exclude<PlanSection, "summary" | "analysis">): string[] | undefined {
  if (section === "risks") return body.risks?.map(({ risk, mitigation }) => `${risk} → ${mitigation}`);
  return section === "jobs" ? body.jobs?.map(planJobLine) : body[section];
}

export function writtenIn(body: PlanBody, section: PlanSection): string | undefined {
  if (section === "summary" || section === "analysis") return body[section];
  const lines = linesIn(body, section);
  return lines === undefined || lines.length === 0 ? undefined : lines.join("\n");
}

export const isSection = (place: Place | undefined): place is PlanSection =>
  [...SECTIONS_BEFORE, ...SECTIONS_AFTER].some((name) => name === place);

export const isBehindSteps = (place: Place | undefined): boolean => SECTIONS_AFTER.some((name) => name === place);

/** Neither resolved nor, as the agent says, answered. */
export const isUnanswered = ({ resolved, addressedIn }: Note): boolean =>
  resolved === null && addressedIn === undefined;
