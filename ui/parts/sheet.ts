/**
 * `<hp-sheet label="…">…</hp-sheet>`: what is needed less often. Where there is room it stands in line with the rest; where
 * there is none, as on a phone, it is behind one button, in a sheet that comes up from the bottom, where a thumb reaches it.
 */
import { css, html, LitElement, type TemplateResult } from "lit";
import { t } from "../i18n/t.ts";
import { base } from "../theme/base.ts";
import { icon } from "./icon.ts";
import { buttons } from "./look/buttons.ts";

/** What it stands in has less room than this. */
const NARROW_PX = 640;

export class HpSheet extends LitElement {
  static override properties = { label: {}, isNarrow: { type: Boolean, reflect: true, attribute: "narrow" } };
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: contents;
      }

      dialog {
        inline-size: 100%;
        max-inline-size: 100%;
        margin: auto 0 0;
        padding: var(--hp-3) var(--hp-4) calc(var(--hp-4) + env(safe-area-inset-bottom));
        border: 0;
        border-radius: calc(var(--hp-round) * 2) calc(var(--hp-round) * 2) 0 0;
        background: var(--hp-raised);
        color: var(--hp-text);
        box-shadow: var(--hp-shadow);
      }

      dialog::backdrop {
        background: var(--hp-shade);
      }

      .body {
        display: grid;
        gap: var(--hp-2);
        margin-block-start: var(--hp-2);
      }

      .body ::slotted(*) {
        display: grid !important; /* in line they stand side by side, here one below the other */
        align-items: stretch !important;
        inline-size: 100%;
      }
    `,
  ];

  declare label: string;
  declare isNarrow: boolean;
  readonly #room = new ResizeObserver(() => this.#measure());

  constructor() {
    super();
    this.label = "";
    this.isNarrow = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#measure();
    if (this.parentElement !== null) this.#room.observe(this.parentElement);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#room.disconnect();
  }

  #measure(): void {
    this.isNarrow = (this.parentElement?.clientWidth ?? 0) < NARROW_PX;
  }

  get #sheet(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  protected override render(): TemplateResult {
    if (!this.isNarrow) return html`<slot></slot>`;
    return html`
      <button
        class="button square"
        aria-haspopup="dialog"
        aria-label=${this.label}
        title=${this.label}
        @click=${() => this.#sheet?.showModal()}
      >
        ${icon("more")}
      </button>
      <dialog aria-labelledby="heading" @click=${() => this.#sheet?.close()}>
        <div class="row">
          <h2 class="grow" id="heading">${this.label}</h2>
          <button class="button bare square" aria-label=${t("parts.close")}>${icon("bad")}</button>
        </div>
        <div class="body"><slot></slot></div>
      </dialog>
    `;
  }
}

customElements.define("hp-sheet", HpSheet);
