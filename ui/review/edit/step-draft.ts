/**
 * The steps as a person edits them.
 *
 *   change ──▶ new list, the old one kept ──undo──▶ the old one, the new kept ──redo──▶ …
 *   words typed into one field in a row are one change
 */
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";

export type DraftCriterion = { readonly key: number; readonly text: string };
export type DraftStep = {
  /** Stays with the step wherever it goes; what is shown knows it by this. */
  readonly key: number;
  readonly text: string;
  readonly criteria: readonly DraftCriterion[];
  /** The step as it was, with the fields that are not edited here; absent for an added one. */
  readonly base?: PlanStep;
};

export type StepDraft = {
  readonly steps: readonly DraftStep[];
  readonly lastKey: number;
  readonly before: readonly (readonly DraftStep[])[];
  readonly after: readonly (readonly DraftStep[])[];
  /** The field or move that the last change belongs to; the next one in it adds nothing to undo. */
  readonly open: string;
};

export type StepEdit =
  | { type: "write"; key: number; text: string }
  | { type: "write-criterion"; key: number; criterion: number; text: string }
  | { type: "add"; at: number }
  | { type: "remove"; key: number }
  | { type: "add-criterion"; key: number }
  | { type: "remove-criterion"; key: number; criterion: number }
  /** `hold` names one drag, so that it is undone as one. */
  | { type: "move"; key: number; to: number; hold?: string }
  | { type: "undo" }
  | { type: "redo" };

export const STEPS_MAX = 500;
export const STEP_CHARS_MAX = 2_000;
const CRITERIA_MAX = 50;
const UNDO_MAX = 200;

export function draftOf(plan: readonly PlanStep[]): StepDraft {
  let lastKey = 0;
  const key = (): number => (lastKey += 1);
  const steps = plan.map((base) => ({
    key: key(),
    text: base.step,
    criteria: (base.acceptanceCriteria ?? []).map((text) => ({ key: key(), text })),
    base,
  }));
  return { steps, lastKey, before: [], after: [], open: "" };
}

export function edited(draft: StepDraft, edit: StepEdit): StepDraft {
  switch (edit.type) {
    case "undo":
      return undone(draft);
    case "redo":
      return redone(draft);
    default: {
      const steps = changedBy(draft, edit);
      return steps === draft.steps ? draft : kept(draft, steps, edit);
    }
  }
}

type Change = Exclude<StepEdit, { type: "undo" | "redo" }>;

function kept(draft: StepDraft, steps: readonly DraftStep[], edit: Change): StepDraft {
  const open = fieldOf(edit);
  const isSame = open !== "" && open === draft.open;
  return {
    steps,
    lastKey: draft.lastKey + 1,
    before: isSame ? draft.before : [...draft.before, draft.steps].slice(-UNDO_MAX),
    after: [],
    open,
  };
}

function fieldOf(edit: Change): string {
  if (edit.type === "write") return `step ${edit.key}`;
  if (edit.type === "write-criterion") return `criterion ${edit.criterion}`;
  return edit.type === "move" && edit.hold !== undefined ? `move ${edit.hold}` : "";
}

function changedBy({ steps, lastKey }: StepDraft, edit: Change): readonly DraftStep[] {
  const change = (key: number, next: (step: DraftStep) => DraftStep): readonly DraftStep[] =>
    steps.map((step) => (step.key === key ? next(step) : step));
  switch (edit.type) {
    case "write":
      return change(edit.key, (step) => ({ ...step, text: edit.text }));
    case "write-criterion":
      return change(edit.key, (step) => ({
        ...step,
        criteria: step.criteria.map((item) => (item.key === edit.criterion ? { ...item, text: edit.text } : item)),
      }));
    case "add":
      return steps.length >= STEPS_MAX
        ? steps
        : steps.toSpliced(edit.at, 0, { key: lastKey + 1, text: "", criteria: [] });
    case "remove":
      return steps.filter(({ key }) => key !== edit.key);
    case "add-criterion":
      return change(edit.key, (step) =>
        step.criteria.length >= CRITERIA_MAX
          ? step
          : { ...step, criteria: [...step.criteria, { key: lastKey + 1, text: "" }] },
      );
    case "remove-criterion":
      return change(edit.key, (step) => ({
        ...step,
        criteria: step.criteria.filter(({ key }) => key !== edit.criterion),
      }));
    case "move":
      return moved(steps, edit);
  }
}

function moved(steps: readonly DraftStep[], { key, to }: { key: number; to: number }): readonly DraftStep[] {
  const from = steps.findIndex((step) => step.key === key);
  const step = steps[from];
  const place = Math.min(Math.max(to, 0), steps.length - 1);
  if (step === undefined || place === from) return steps;
  return steps.toSpliced(from, 1).toSpliced(place, 0, step);
}

function undone(draft: StepDraft): StepDraft {
  const last = draft.before.at(-1);
  if (last === undefined) return draft;
  return { ...draft, steps: last, before: draft.before.slice(0, -1), after: [...draft.after, draft.steps], open: "" };
}

function redone(draft: StepDraft): StepDraft {
  const next = draft.after.at(-1);
  if (next === undefined) return draft;
  return { ...draft, steps: next, before: [...draft.before, draft.steps], after: draft.after.slice(0, -1), open: "" };
}

/** As they go to the gateway: criteria left empty are none. */
export function stepsOf({ steps }: Pick<StepDraft, "steps">): PlanStep[] {
  const ids = new Set(steps.flatMap(({ base }) => base?.id ?? []));
  return steps.map(({ text, criteria, base }) => {
    const { acceptanceCriteria: _criteria, proof = [], dependsOn = [], ...rest }: Partial<PlanStep> = base ?? {};
    const wanted = criteria.map((item) => item.text.trim()).filter((item) => item !== "");
    // what proved a criterion that is gone, and what came after a step that is gone, goes too
    const proofs = proof.filter(({ criterion }) => wanted.includes(criterion));
    const order = dependsOn.filter((id) => ids.has(id));
    return {
      status: "pending" as const,
      ...rest,
      step: text.trim(),
      ...(wanted.length === 0 ? {} : { acceptanceCriteria: wanted }),
      ...(order.length === 0 ? {} : { dependsOn: order }),
      ...(proofs.length === 0 ? {} : { proof: proofs }),
    };
  });
}

export type Problem = "empty" | "twice";

/** What the gateway would not take, by the key of the step that it is about. */
export function problemsOf({ steps }: Pick<StepDraft, "steps">): ReadonlyMap<number, Problem> {
  const seen = new Set<string>();
  const problems = new Map<number, Problem>();
  for (const { key, text } of steps) {
    const words = text.trim();
    if (words === "") problems.set(key, "empty");
    else if (seen.has(words)) problems.set(key, "twice");
    seen.add(words);
  }
  return problems;
}
