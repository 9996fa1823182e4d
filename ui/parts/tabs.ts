/** `<hp-tabs label="…" .tabs=${[{ id, label }]} selected="…" @hp-select=${…}>`: which of several panels is shown. */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../theme/base.ts";
import { emit } from "./emit.ts";
import { marks } from "./look/marks.ts";

export type Tab = { id: string; label: string; count?: number };

export class HpTabs extends LitElement {
  static override properties = { label: {}, tabs: { attribute: false }, selected: {} };
  static override styles = [
    base,
    marks,
    css`
      [role="tablist"] {
        display: flex;
        gap: var(--hp-1);
        overflow-x: auto;
        border-block-end: 1px solid var(--hp-line);
      }

      [role="tab"] {
        display: flex;
        align-items: center;
        gap: var(--hp-2);
        min-block-size: var(--hp-target);
        padding: 0 var(--hp-tab-inset, var(--hp-3));
        border: 0;
        border-block-end: 2px solid transparent;
        background: none;
        color: var(--hp-quiet);
        font-weight: 550;
        white-space: nowrap;
        cursor: pointer;
      }

      [role="tab"]:focus-visible {
        outline-offset: -2px;
      }

      [aria-selected="true"] {
        border-color: var(--hp-accent);
        color: var(--hp-text);
      }
    `,
  ];

  declare label: string;
  declare tabs: readonly Tab[];
  declare selected: string;

  constructor() {
    super();
    this.label = "";
    this.tabs = [];
    this.selected = "";
  }

  #select(id: string): void {
    this.selected = id;
    emit(this, "hp-select", id);
  }

  #keyed(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = this.tabs.findIndex(({ id }) => id === this.selected);
    const next = this.tabs.at((at + step) % this.tabs.length);
    if (next === undefined) return;
    this.#select(next.id);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  }

  protected override render(): TemplateResult {
    return html`
      <div role="tablist" aria-label=${this.label} @keydown=${(event: KeyboardEvent) => this.#keyed(event)}>
        ${this.tabs.map(
          ({ id, label, count }) => html`
            <button
              role="tab"
              aria-selected=${id === this.selected}
              tabindex=${id === this.selected ? 0 : -1}
              @click=${() => this.#select(id)}
            >
              ${label} ${count === undefined ? nothing : html`<span class="badge">${count}</span>`}
            </button>
          `,
        )}
      </div>
    `;
  }
}

customElements.define("hp-tabs", HpTabs);
