/** One step as it is edited: its text, its criteria, what it declares, and what moves or removes it. */
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { t } from "../../i18n/t.ts";
import { icon } from "../../parts/icon.ts";
import { lineOrBlock } from "../../text/inline-text.ts";
import { hidesSomething, visibly } from "../../text/visibly.ts";
import { reviewIcon } from "../review-icon.ts";
import { declaredFields } from "./declared-fields.ts";
import { type DraftCriterion, type DraftStep, type Problem, STEP_CHARS_MAX, type StepEdit } from "./step-draft.ts";

export type ShownRow = {
  step: DraftStep;
  /** From 1, of `count`. */
  number: number;
  count: number;
  /** What is said about its text; undefined: nothing is wrong, or nobody asked yet. */
  problem: Problem | undefined;
  isHeld: boolean;
  showsPreview: boolean;
  /** Whether what it declares is shown; only then the keys of all steps, in their order, are needed. */
  isOpen: boolean;
  keys: readonly number[];
};

export type RowActs = {
  edit(edit: StepEdit): void;
  /** To this field of the step, once it is drawn. */
  focus(key: number, field?: string): void;
  move(step: DraftStep, by: number): void;
  remove(step: DraftStep): void;
  grab(step: DraftStep, event: PointerEvent): void;
  pressed(step: DraftStep, event: KeyboardEvent): void;
  open(key: number, isOpen: boolean): void;
};

export function stepRow(shown: ShownRow, acts: RowActs): TemplateResult {
  const { step, number, problem, isHeld, isOpen, keys } = shown;
  const { key, text, criteria } = step;
  return html`<li
    class="edited-step ${isHeld ? "held" : ""}"
    data-key=${key}
    @keydown=${(event: KeyboardEvent) => acts.pressed(step, event)}
  >
    <div class="handle">
      <span
        class="grip"
        title=${t("review.drag", { number })}
        @pointerdown=${(event: PointerEvent) => acts.grab(step, event)}
        >${reviewIcon("drag")}</span
      >
      ${number}
    </div>
    <div class="words">
      <textarea
        class="input step-field"
        rows="1"
        aria-label=${t("review.editStep", { number })}
        aria-invalid=${problem === undefined ? "false" : "true"}
        aria-describedby=${problem === undefined ? nothing : `problem-${key}`}
        maxlength=${STEP_CHARS_MAX}
        .value=${live(text)}
        @input=${(event: Event) => acts.edit({ type: "write", key, text: valueOf(event) })}
      ></textarea>
      ${preview(text, shown)} ${unhidden(text)}
      ${problem === undefined ? nothing : html`<p class="problem" id="problem-${key}">${t(`review.problem_${problem}`)}</p>`}
      ${criteria.map((item, at) => criterionField(item, at + 1, { shown, acts }))}
      <button
        class="button bare small-button"
        @click=${() => {
          acts.edit({ type: "add-criterion", key });
          acts.focus(key);
        }}
      >
        ${icon("add", 14)}${t("review.addCriterion")}
      </button>
      ${declaredFields({ step, numbers: keys, isOpen, onToggle: (wanted) => acts.open(key, wanted) }, acts.edit)}
    </div>
    ${side(shown, acts)}
  </li>`;
}

function criterionField(
  item: DraftCriterion,
  number: number,
  { shown, acts }: { shown: ShownRow; acts: RowActs },
): TemplateResult {
  const { key } = shown.step;
  return html`<div class="criterion">
      <textarea
        class="input"
        rows="1"
        aria-label=${t("review.editCriterion", { number })}
        maxlength=${STEP_CHARS_MAX}
        .value=${live(item.text)}
        @input=${(event: Event) => acts.edit({ type: "write-criterion", key, criterion: item.key, text: valueOf(event) })}
      ></textarea>
      <button
        class="button bare square"
        aria-label=${t("review.removeCriterion", { number })}
        @click=${() => {
          acts.edit({ type: "remove-criterion", key, criterion: item.key });
          acts.focus(key, ".step-field");
        }}
      >
        ${icon("bad", 14)}
      </button>
    </div>
    ${preview(item.text, shown)} ${unhidden(item.text)}`;
}

const side = ({ step, number, count }: ShownRow, acts: RowActs): TemplateResult =>
  html`<div class="side">
    <button
      class="button bare square"
      aria-label=${t("review.moveUp", { number })}
      ?disabled=${number === 1}
      @click=${() => acts.move(step, -1)}
    >
      ${icon("up", 16)}
    </button>
    <button
      class="button bare square"
      aria-label=${t("review.moveDown", { number })}
      ?disabled=${number === count}
      @click=${() => acts.move(step, 1)}
    >
      ${icon("down", 16)}
    </button>
    <button
      class="button bare square"
      aria-label=${t("review.removeStep", { number })}
      @click=${() => acts.remove(step)}
    >
      ${icon("bad", 16)}
    </button>
  </div>`;

function preview(text: string, { showsPreview }: ShownRow): TemplateResult | typeof nothing {
  if (!showsPreview || text.trim() === "") return nothing;
  return html`<div class="preview">${lineOrBlock(text)}</div>`;
}

/** A field shows its text as it is: what it hides stands beneath it. */
const unhidden = (text: string): TemplateResult | typeof nothing =>
  hidesSomething(text) ? html`<p class="small problem">${visibly(text)}</p>` : nothing;

const valueOf = ({ target }: Event): string => (target instanceof HTMLTextAreaElement ? target.value : "");
