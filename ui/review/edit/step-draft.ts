/**
 * The steps as a person edits them.
 *
 *   change ──▶ new list, the old one kept ──undo──▶ the old one, the new kept ──redo──▶ …
 *   words typed into one field in a row are one change
 */
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import {
  type Declared,
  declarations,
  declaredOf,
  type DraftProof,
  draftProof,
  idsOf,
  NOTHING_DECLARED,
  proofFrom,
} from "./declared-draft.ts";

export type DraftCriterion = { readonly key: number; readonly text: string; readonly proof?: DraftProof | undefined };
export type DraftStep = {
  /** Stays with the step wherever it goes; what is shown knows it by this. */
  readonly key: number;
  readonly text: string;
  readonly criteria: readonly DraftCriterion[];
  readonly declared: Declared;
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
  | { type: "declare"; key: number; declared: Partial<Declared> }
  | { type: "prove"; key: number; criterion: number; proof: DraftProof | undefined }
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
  const keyed = plan.map((base) => ({ key: key(), base }));
  const keys = new Map(keyed.flatMap((one) => (one.base.id === undefined ? [] : [[one.base.id, one.key] as const])));
  const steps = keyed.map((one) => ({
    ...one,
    text: one.base.step,
    criteria: (one.base.acceptanceCriteria ?? []).map((text) => criterionOf(key(), text, one.base)),
    declared: declaredOf(one.base, keys),
  }));
  return { steps, lastKey, before: [], after: [], open: "" };
}

function criterionOf(key: number, text: string, base: PlanStep): DraftCriterion {
  const proof = draftProof(base, text);
  return { key, text, ...(proof === undefined ? {} : { proof }) };
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
  if (edit.type === "declare") return `declare ${edit.key} ${Object.keys(edit.declared).join()}`;
  if (edit.type === "prove") return `prove ${edit.criterion} ${edit.proof?.by ?? ""}`;
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
        : steps.toSpliced(edit.at, 0, { key: lastKey + 1, text: "", criteria: [], declared: NOTHING_DECLARED });
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
    case "declare":
      return change(edit.key, (step) => ({ ...step, declared: { ...step.declared, ...edit.declared } }));
    case "prove":
      return change(edit.key, (step) => ({
        ...step,
        criteria: step.criteria.map((item) => (item.key === edit.criterion ? { ...item, proof: edit.proof } : item)),
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

/** As they go to the gateway: criteria left empty are none, and what proved them goes with them. */
export function stepsOf({ steps }: Pick<StepDraft, "steps">): PlanStep[] {
  const ids = idsOf(steps);
  return steps.map(({ key, text, criteria, base, declared }) => {
    const {
      acceptanceCriteria: _criteria,
      proof: _proof,
      dependsOn: _order,
      scope: _scope,
      checkpoint: _checkpoint,
      ...rest
    }: Partial<PlanStep> = base ?? {};
    const wanted = criteria.flatMap((item) => (item.text.trim() === "" ? [] : [{ ...item, text: item.text.trim() }]));
    const proofs = wanted.flatMap((item) => (item.proof === undefined ? [] : proofFrom(item.proof, item.text, base)));
    const id = ids.get(key);
    return {
      status: "pending" as const,
      ...rest,
      ...(id === undefined ? {} : { id }),
      step: text.trim(),
      ...(wanted.length === 0 ? {} : { acceptanceCriteria: wanted.map((item) => item.text) }),
      ...declarations(declared, ids),
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
