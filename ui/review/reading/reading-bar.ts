/**
 * `<hp-reading-bar>`: stays at the top while a plan is read. Says where one is, goes to the next step, finds words, folds
 * everything, and leads to what is new since the last look. It asks for all of it; the document does it.
 */
import { css, html, nothing, type TemplateResult, type SVGTemplateResult } from "lit";
import { AppElement } from "../../app/app-element.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { reviewIcon } from "../review-icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { marks } from "../../parts/look/marks.ts";
import { base } from "../../theme/base.ts";

const TYPING_MS = 120;

export type Found = { at: number; count: number };
export type ReadingAct = "next" | "previous" | "fold" | "unfold" | "new";

export class ReadingBar extends AppElement {
  static override properties = {
    where: { attribute: false },
    fresh: { attribute: false },
    freshSince: { attribute: false },
    found: { attribute: false },
    isFinding: { state: true },
    isFolded: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    css`
      :host {
        position: sticky;
        inset-block-start: calc(-1 * var(--hp-4)); /* over the padding of what scrolls */
        z-index: 3;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-1);
        padding-block: var(--hp-1);
        border-block-end: 1px solid var(--hp-line);
        background: var(--hp-page);
        font-size: var(--hp-size-small);
      }

      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--hp-1);
      }

      .where {
        flex: 1 1 4rem;
        min-inline-size: 0;
        line-height: 1.25; /* on a phone it needs a second line */
        text-wrap: balance;
        color: var(--hp-quiet);
      }

      .find {
        display: flex;
        align-items: center;
        gap: var(--hp-1);
      }

      .find .input {
        flex: 1 1 8rem;
        min-inline-size: 0;
      }

      .count {
        color: var(--hp-quiet);
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }

      button.chip {
        border: 0;
        min-block-size: 1.75rem;
        white-space: normal;
        text-align: start;
        cursor: pointer;
      }

      @media (pointer: coarse) {
        button.chip {
          min-block-size: var(--hp-target);
        }
      }

      @container review (width < 34rem) {
        :host {
          inset-block-start: calc(-1 * var(--hp-3));
        }
      }
    `,
  ];

  /** The part that is read, in words. */
  declare where: string;
  /** How many parts are new since the revision `freshSince`. */
  declare fresh: number;
  declare freshSince: number;
  declare found: Found | undefined;
  declare isFinding: boolean;
  declare isFolded: boolean;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.where = "";
    this.fresh = 0;
    this.freshSince = 0;
    this.isFinding = false;
    this.isFolded = false;
  }

  /** From outside, by a key. */
  async find(): Promise<void> {
    this.isFinding = true;
    await this.updateComplete;
    const field = this.renderRoot.querySelector("input");
    field?.focus();
    field?.select();
  }

  async #stop(): Promise<void> {
    this.isFinding = false;
    emit(this, "hp-find", "");
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#find")?.focus();
  }

  #typed({ target }: Event): void {
    clearTimeout(this.#typing);
    const words = target instanceof HTMLInputElement ? target.value : "";
    this.#typing = setTimeout(() => emit(this, "hp-find", words), TYPING_MS);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      void this.#stop();
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      emit(this, "hp-find-step", event.shiftKey ? -1 : 1);
    }
  }

  #fold(): void {
    this.isFolded = !this.isFolded;
    this.#ask(this.isFolded ? "fold" : "unfold");
  }

  #ask(act: ReadingAct): void {
    emit(this, "hp-reading", act);
  }

  #button(name: string, picture: SVGTemplateResult, run: () => void): TemplateResult {
    return html`<button class="button bare square" aria-label=${name} title=${name} @click=${run}>${picture}</button>`;
  }

  protected override render(): TemplateResult {
    const fold = this.isFolded ? t("review.unfoldAll") : t("review.foldAll");
    return html`<div class="line" role="toolbar" aria-label=${t("review.outline")}>
        <span class="where">${this.where}</span>
        ${this.#button(t("review.previousStep"), icon("up", 16), () => this.#ask("previous"))}
        ${this.#button(t("review.nextStep"), icon("down", 16), () => this.#ask("next"))}
        <button
          id="find"
          class="button bare square"
          aria-label=${t("review.find")}
          title=${t("review.find")}
          aria-expanded=${this.isFinding}
          @click=${() => void (this.isFinding ? this.#stop() : this.find())}
        >
          ${icon("search", 16)}
        </button>
        ${this.#button(fold, reviewIcon("fold"), () => this.#fold())}
      </div>
      ${this.isFinding ? this.#find() : nothing}
      ${
        this.fresh === 0
          ? nothing
          : html`<div>
              <button class="chip accent" @click=${() => this.#ask("new")}>
                ${t("review.newParts", { count: this.fresh, revision: this.freshSince })}${icon("down", 14)}
              </button>
            </div>`
      }`;
  }

  #find(): TemplateResult {
    const { found } = this;
    const told =
      found === undefined
        ? ""
        : found.count === 0
          ? t("review.findNone")
          : t("review.findAt", { at: found.at, count: found.count });
    return html`<div
      class="find"
      role="group"
      aria-label=${t("review.find")}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
    >
      <input
        class="input"
        type="search"
        maxlength="200"
        aria-label=${t("review.find")}
        placeholder=${t("review.find")}
        @input=${(event: Event) => this.#typed(event)}
      />
      <span class="count" role="status">${told}</span>
      ${this.#button(t("review.findPrevious"), icon("up", 16), () => emit(this, "hp-find-step", -1))}
      ${this.#button(t("review.findNext"), icon("down", 16), () => emit(this, "hp-find-step", 1))}
      ${this.#button(t("parts.close"), icon("bad", 16), () => void this.#stop())}
    </div>`;
  }
}

customElements.define("hp-reading-bar", ReadingBar);
