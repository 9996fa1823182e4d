/** `<hp-step-picker>`: accepts some steps of a plan that waits. The others are held for a later signature, or skipped. */
import { css, html, nothing, type TemplateResult } from "lit";
import { findAction } from "../../../src/protocol/card/availability.ts";
import type { ApprovalCard } from "../../../src/protocol/card/card.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { headLine } from "../../../src/protocol/text/inline-markdown.ts";
import { AppElement } from "../../app/app-element.ts";
import { canTake } from "../../cards/waiting-card.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/dialog.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { marks } from "../../parts/look/marks.ts";
import { problemLines } from "../../problems/problem-lines.ts";
import { refusalProblem } from "../../problems/problem-of.ts";
import { isOnline, operatorOf } from "../../state/connection.ts";
import { besideText } from "../../state/decide.ts";
import { inlineText } from "../../text/inline-text.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";
import { stepRanges } from "./step-ranges.ts";

class StepPicker extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    card: { attribute: false },
    chosen: { state: true },
    skipsOthers: { state: true },
  };
  static override styles = [
    base,
    buttons,
    marks,
    css`
      ol {
        display: grid;
        gap: 0;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      label {
        display: grid;
        grid-template-columns: auto auto minmax(0, 1fr);
        gap: var(--hp-2);
        align-items: baseline;
        min-block-size: var(--hp-target);
        padding-block: var(--hp-1);
        cursor: pointer;
      }

      label > .quiet {
        min-inline-size: 1.25rem;
        text-align: end;
      }

      label.plain {
        grid-template-columns: auto minmax(0, 1fr);
      }

      li + li {
        border-block-start: 1px solid var(--hp-line);
      }

      .text {
        overflow-wrap: anywhere;
      }

      .told {
        padding: var(--hp-2) var(--hp-3);
        border-radius: var(--hp-round);
      }

      .foot {
        position: sticky;
        inset-block-end: 0;
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-2);
        padding-block: var(--hp-2);
        background: var(--hp-raised);
      }
    `,
  ];

  declare sessionId: SessionId;
  declare card: ApprovalCard;
  declare chosen: ReadonlySet<number>;
  declare skipsOthers: boolean;

  constructor() {
    super();
    this.chosen = new Set();
    this.skipsOthers = false;
  }

  protected override reads() {
    return [this.app.state.connection, this.app.state.decide];
  }

  get #numbers(): number[] {
    return [...this.chosen].toSorted((one, other) => one - other);
  }

  get #others(): number[] {
    return this.card.steps.map((_step, index) => index + 1).filter((number) => !this.chosen.has(number));
  }

  /** Of several signers the steps count that all of them accept: skipping is decided later, by one of them. */
  get #maySkip(): boolean {
    return (this.card.signing?.quorum ?? 1) < 2;
  }

  #toggle(number: number): void {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(number)) chosen.add(number);
    this.chosen = chosen;
  }

  async #accept(event: MouseEvent): Promise<void> {
    if (event.detail > 1) return; // the second click of a double click signs nothing
    const value = findAction(this.card, "approve")?.patch.value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const { id } = this.card;
    const others = this.#others;
    const planApproval: JsonObject = { ...value, steps: this.#numbers };
    const decision = besideText({ of: id, action: "approve", patch: { planApproval } });
    const outcome = await this.app.attempt(() => this.app.state.decide.decide(this.sessionId, decision));
    if (outcome === "refused" || outcome === undefined) return;
    if (outcome === "done" && this.skipsOthers && this.#maySkip && others.length > 0) await this.#skip(others);
    emit(this, "hp-close");
  }

  async #skip(steps: number[]): Promise<void> {
    const { id, digest } = this.card;
    const planApproval = { action: "skip", approvalId: id, ...(digest === undefined ? {} : { digest }), steps };
    const decision = { of: `${id}:skip`, action: "skip", patch: { planApproval } };
    await this.app.attempt(() => this.app.state.decide.decide(this.sessionId, decision));
  }

  protected override render(): TemplateResult {
    const approve = findAction(this.card, "approve");
    const connection = this.app.state.connection.get();
    const attempt = this.app.state.decide.of(this.card.id);
    const isOff =
      approve === undefined ||
      !isOnline(connection) ||
      attempt?.status === "deciding" ||
      !canTake(this.card, approve, operatorOf(connection));
    return html`<hp-dialog open heading=${t("review.pick")}>
      <div class="stack">
        <p class="quiet small">${t("review.pickHint")}</p>
        <ol aria-label=${t("review.section_steps")}>
          ${this.card.steps.map(({ text }, index) => this.#step(text, index + 1))}
        </ol>
        ${this.#maySkip ? this.#skipBox() : nothing}
        <div role="alert">
          ${attempt?.status === "refused" ? html`<p class="told bad">${problemLines(refusalProblem(attempt))}</p>` : nothing}
        </div>
        <div class="foot">
          <button
            class="button sign"
            ?disabled=${isOff || this.chosen.size === 0}
            @click=${(event: MouseEvent) => void this.#accept(event)}
          >
            ${icon("sign")}${
              this.chosen.size === 0
                ? t("review.pickNone")
                : t("review.acceptSteps", { steps: stepRanges(this.#numbers) })
            }
          </button>
          <button class="button" @click=${() => emit(this, "hp-close")}>${t("app.cancel")}</button>
        </div>
      </div>
    </hp-dialog>`;
  }

  #step(text: string, number: number): TemplateResult {
    return html`<li>
      <label>
        <input type="checkbox" .checked=${this.chosen.has(number)} @change=${() => this.#toggle(number)} />
        <span class="quiet">${number}</span>
        <span class="text">${text.includes("\n") ? `${visibly(headLine(text))} …` : inlineText(text)}</span>
      </label>
    </li>`;
  }

  #skipBox(): TemplateResult {
    return html`<label class="plain small">
      <input type="checkbox" .checked=${this.skipsOthers} @change=${() => (this.skipsOthers = !this.skipsOthers)} />
      <span>${t("review.pickSkip")}</span>
    </label>`;
  }
}

customElements.define("hp-step-picker", StepPicker);
