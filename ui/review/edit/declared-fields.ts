/** Fields for what a step declares: shown beside its words once somebody opens them. */
import { css, html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { SCOPE_PARTS } from "../../../src/plan-mode/protocol/step/step-lines.ts";
import { t } from "../../i18n/t.ts";
import type { DraftProof } from "./declared-draft.ts";
import type { DraftCriterion, DraftStep, StepEdit } from "./step-draft.ts";

/** `numbers`: the steps' keys in their order. */
export type Declaring = {
  step: DraftStep;
  numbers: readonly number[];
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
};

export function declaredFields(declaring: Declaring, edit: (edit: StepEdit) => void): TemplateResult {
  const { step, isOpen, onToggle } = declaring;
  return html`<details
    class="declared"
    ?open=${isOpen}
    @toggle=${({ target }: Event) => target instanceof HTMLDetailsElement && onToggle(target.open)}
  >
    <summary class="small quiet">${t("review.editDeclared")}${sizeOf(step)}</summary>
    ${isOpen ? html`<div class="fields">${scopeFields(step, edit)} ${orderFields(declaring, edit)} ${proofFields(step, edit)}</div>` : nothing}
  </details>`;
}

/** How much there is, for whoever has not opened it. */
function sizeOf({ declared: { scope, checkpoint, after }, criteria }: DraftStep): string {
  const entries = SCOPE_PARTS.flatMap((part) => scope[part].split("\n").filter((line) => line.trim() !== ""));
  const count =
    entries.length + after.length + (checkpoint ? 1 : 0) + criteria.filter(({ proof }) => proof !== undefined).length;
  return count === 0 ? "" : ` (${count})`;
}

const scopeFields = ({ key, declared: { scope } }: DraftStep, edit: (edit: StepEdit) => void): TemplateResult =>
  html`${SCOPE_PARTS.map(
    (part) =>
      html`<label class="field small">
        <span>${t(`review.touches_${part}`)} <span class="quiet">${t("review.editLines")}</span></span>
        <textarea
          class="input code"
          rows="1"
          spellcheck="false"
          .value=${live(scope[part])}
          @input=${(event: Event) =>
            edit({ type: "declare", key, declared: { scope: { ...scope, [part]: valueOf(event) } } })}
        ></textarea>
      </label>`,
  )}`;

function orderFields({ step, numbers }: Declaring, edit: (edit: StepEdit) => void): TemplateResult {
  const { key, declared } = step;
  const shown = declared.after
    .map((other) => numbers.indexOf(other) + 1)
    .filter((number) => number > 0)
    .toSorted((one, other) => one - other)
    .join(", ");
  return html`<label class="field small">
      <span>${t("review.editAfter")}</span>
      <input
        class="input"
        inputmode="numeric"
        .value=${live(shown)}
        @change=${(event: Event) =>
          edit({ type: "declare", key, declared: { after: keysIn(valueOf(event), numbers, key) } })}
      />
    </label>
    <label class="row small">
      <input
        type="checkbox"
        .checked=${live(declared.checkpoint)}
        @change=${() => edit({ type: "declare", key, declared: { checkpoint: !declared.checkpoint } })}
      />
      <span>${t("review.editCheckpoint")}</span>
    </label>`;
}

/** Numbers of other steps; what is no such number is left out. */
export const keysIn = (text: string, numbers: readonly number[], own: number): number[] => [
  ...new Set(
    [...text.matchAll(/\d+/g)].flatMap(([digits]) => {
      const key = numbers[Number(digits) - 1];
      return key === undefined || key === own ? [] : [key];
    }),
  ),
];

const proofFields = ({ key, criteria }: DraftStep, edit: (edit: StepEdit) => void): TemplateResult[] =>
  criteria.filter(({ text }) => text.trim() !== "").map((criterion) => proofField(key, criterion, edit));

const WAYS = ["command", "file", "person"] as const;

function proofField(key: number, criterion: DraftCriterion, edit: (edit: StepEdit) => void): TemplateResult {
  const { proof, text } = criterion;
  const prove = (next: DraftProof | undefined): void =>
    edit({ type: "prove", key, criterion: criterion.key, proof: next });
  return html`<fieldset class="small">
    <legend>${t("review.editProof", { criterion: text })}</legend>
    <select
      class="input"
      aria-label=${t("review.editProof", { criterion: text })}
      @change=${(event: Event) => prove(chosen(valueOf(event), proof))}
    >
      <option value="" ?selected=${proof === undefined}>${t("review.proof_none")}</option>
      ${WAYS.map((by) => html`<option value=${by} ?selected=${proof?.by === by}>${t(`review.proof_${by}`)}</option>`)}
    </select>
    ${proof === undefined || proof.by === "person" ? nothing : subjectFields(proof, prove)}
  </fieldset>`;
}

function subjectFields(proof: DraftProof, prove: (next: DraftProof) => void): TemplateResult {
  const isCommand = proof.by === "command";
  return html`<label class="field">
      <span>${t(isCommand ? "review.proof_command" : "review.proof_file")}</span>
      <input
        class="input code"
        spellcheck="false"
        .value=${live(proof.subject)}
        @input=${(event: Event) => prove({ ...proof, subject: valueOf(event) })}
      />
    </label>
    <label class="field">
      <span>${t(isCommand ? "review.editExit" : "review.editContains")}</span>
      <input
        class="input"
        inputmode=${isCommand ? "numeric" : "text"}
        .value=${live(proof.expected)}
        @input=${(event: Event) => prove({ ...proof, expected: valueOf(event) })}
      />
    </label>`;
}

function chosen(by: string, before: DraftProof | undefined): DraftProof | undefined {
  const way = WAYS.find((one) => one === by);
  if (way === undefined) return undefined;
  return way === before?.by ? before : { by: way, subject: "", expected: way === "command" ? "0" : "" };
}

const valueOf = ({ target }: Event): string =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    ? target.value
    : "";

export const declaredLook = css`
  .declared > summary {
    inline-size: fit-content;
    min-block-size: 1.75rem;
    cursor: pointer;
  }

  .declared .fields {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
    gap: var(--hp-2) var(--hp-3);
    align-items: start;
    padding: var(--hp-2);
    border-radius: var(--hp-round-small);
    background: var(--hp-sunken);
  }

  .declared fieldset {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-column: 1 / -1;
    gap: var(--hp-2);
    min-inline-size: 0;
    margin: 0;
    padding: var(--hp-2);
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round-small);
  }

  .declared legend {
    overflow-wrap: anywhere;
  }

  .code {
    font-family: var(--hp-mono);
  }

  .preview {
    padding: var(--hp-1) var(--hp-2);
    border-inline-start: 3px solid var(--hp-line);
    overflow-wrap: anywhere;
  }
`;
