/** `<hp-dialog heading="…">`: the browser's own modal dialog, which keeps the focus inside and gives it back. */
import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { t } from "../i18n/t.ts";
import { base } from "../theme/base.ts";
import { emit } from "./emit.ts";
import { icon } from "./icon.ts";
import { buttons } from "./look/buttons.ts";

export class HpDialog extends LitElement {
  static override properties = { open: { type: Boolean, reflect: true }, heading: {} };
  static override styles = [
    base,
    buttons,
    css`
      dialog {
        inline-size: min(34rem, calc(100vw - 2rem));
        max-block-size: calc(100dvh - 2rem);
        padding: 0;
        border: 1px solid var(--hp-line);
        border-radius: calc(var(--hp-round) * 1.5);
        background: var(--hp-raised);
        color: var(--hp-text);
        box-shadow: var(--hp-shadow);
      }

      dialog::backdrop {
        background: var(--hp-shade);
      }

      .top {
        padding: var(--hp-3) var(--hp-3) var(--hp-2) var(--hp-5);
      }

      .body {
        padding: 0 var(--hp-5) var(--hp-5);
      }
    `,
  ];

  declare open: boolean;
  declare heading: string;

  constructor() {
    super();
    this.open = false;
    this.heading = "";
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("open")) return;
    const dialog = this.renderRoot.querySelector("dialog");
    if (!this.open) dialog?.close();
    else if (this.isConnected) dialog?.showModal(); // an element removed meanwhile, as by a log-out, cannot be shown
  }

  #closed(): void {
    if (!this.open) return;
    this.open = false;
    emit(this, "hp-close");
  }

  /** Escape: the browser tells of the close only a moment after it has given the keyboard back, and keys come in between. */
  #cancelled({ target, currentTarget }: Event): void {
    if (target === currentTarget) this.#closed();
  }

  protected override render(): TemplateResult {
    return html`
      <dialog
        aria-labelledby="heading"
        @cancel=${(event: Event) => this.#cancelled(event)}
        @close=${() => this.#closed()}
      >
        <div class="row top">
          <h2 class="grow" id="heading">${this.heading}</h2>
          <button class="button bare square" aria-label=${t("parts.close")} @click=${() => this.#closed()}>
            ${icon("bad")}
          </button>
        </div>
        <div class="body"><slot></slot></div>
      </dialog>
    `;
  }
}

customElements.define("hp-dialog", HpDialog);
