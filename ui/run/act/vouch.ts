/** `<hp-vouch .step .criterion>`: a person's word for a criterion that asks for it, or their waiver of a proof, with the reason. */
import { css, html, nothing, type TemplateResult } from "lit";
import { plainLine } from "../../../src/protocol/text/inline-markdown.ts";
import { t } from "../../i18n/t.ts";
import { fields } from "../../parts/look/fields.ts";
import { writingKeys } from "../../parts/writing-keys.ts";
import { visibly } from "../../text/visibly.ts";
import { RunDecision } from "./run-decision.ts";

const REASON_CHARS_MAX = 1_000;

class Vouch extends RunDecision {
  static override properties = {
    step: { type: Number },
    criterion: {},
    asksPerson: { type: Boolean },
    isWriting: { state: true },
    isEmptyTold: { state: true },
  };
  static override styles = [
    ...RunDecision.styles,
    fields,
    css`
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        max-inline-size: 34rem;
        padding-block: var(--hp-1);
        color: var(--hp-text);
      }

      .actions {
        padding-block: var(--hp-1);
      }

      .actions .button {
        min-block-size: 2rem;
        font-size: var(--hp-size-small);
      }

      @media (pointer: coarse) {
        .actions .button {
          min-block-size: var(--hp-target);
        }
      }
    `,
  ];

  /** Its number in the plan as it stands now. */
  declare step: number;
  declare criterion: string;
  /** Whether the proof is a person's word. */
  declare asksPerson: boolean;
  declare isWriting: boolean;
  declare isEmptyTold: boolean;

  constructor() {
    super();
    this.asksPerson = false;
    this.isWriting = false;
    this.isEmptyTold = false;
  }

  protected get about(): string {
    return `criterion:${this.step}:${this.criterion}`;
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  async #write(open: boolean): Promise<void> {
    this.isWriting = open;
    this.isEmptyTold = false;
    await this.updateComplete;
    if (open) this.#field?.focus();
    else this.renderRoot.querySelector<HTMLElement>("#waive")?.focus();
  }

  #confirm(event: Event): void {
    void this.send("confirm", { step: this.step, criterion: this.criterion }, event);
  }

  async #waive(): Promise<void> {
    const reason = this.#field?.value.trim() ?? "";
    this.isEmptyTold = reason === "";
    if (this.isEmptyTold) return this.#field?.focus();
    if (await this.send("waive", { step: this.step, criterion: this.criterion, reason })) this.isWriting = false;
  }

  readonly #typed = writingKeys({ send: () => void this.#waive(), leave: () => void this.#write(false) });

  protected override render(): TemplateResult | typeof nothing {
    if (!this.mayDecide) return nothing;
    return html`${this.isWriting ? this.#form() : this.#choices()} ${this.state()}`;
  }

  /** While a reason is written none of these is there: no button beside the text confirms anything. */
  #choices(): TemplateResult {
    const criterion = visibly(plainLine(this.criterion));
    return html`<div class="actions">
      ${
        this.asksPerson
          ? html`<button
              class="button"
              aria-label=${t("proof.confirmLabel", { criterion })}
              ?disabled=${!this.isReady}
              @click=${(event: Event) => this.#confirm(event)}
            >
              ${t("proof.confirm")}
            </button>`
          : nothing
      }
      <button
        class="button"
        id="waive"
        aria-label=${t("proof.waiveLabel", { criterion })}
        ?disabled=${!this.isReady}
        @click=${() => this.#write(true)}
      >
        ${t("proof.waive")}
      </button>
    </div>`;
  }

  #form(): TemplateResult {
    return html`<form
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.#waive();
      }}
    >
      <label class="field">
        <span>${t("proof.waiveReason")}</span>
        <textarea
          class="input"
          rows="2"
          maxlength=${REASON_CHARS_MAX}
          aria-describedby="hint"
          @keydown=${this.#typed}
        ></textarea>
      </label>
      <p class="small ${this.isEmptyTold ? "" : "quiet"}" id="hint" role="status">
        ${t(this.isEmptyTold ? "proof.waiveEmpty" : "proof.waiveHint")}
      </p>
      <div class="row">
        <button class="button danger" ?disabled=${!this.isReady}>${t("proof.waive")}</button>
        <button class="button bare" type="button" @click=${() => this.#write(false)}>${t("app.cancel")}</button>
      </div>
    </form>`;
  }
}

customElements.define("hp-vouch", Vouch);
