/**
 * `<hp-menu label="…" .items=${[…]} @hp-choose=${…}>button's content</hp-menu>`: a button with a list of choices.
 * Arrows, Home, End and letters move, Enter and an item's own key choose, Escape and a click elsewhere close.
 */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { base } from "../theme/base.ts";
import { emit } from "./emit.ts";
import { icon, type IconName } from "./icon.ts";
import { buttons } from "./look/buttons.ts";

export type MenuItem = {
  id: string;
  label: string;
  /** What choosing it means, below the label. */
  hint?: string;
  icon?: IconName;
  /** A key that chooses it while the list is open. */
  key?: string;
  /** Set on items of which one is chosen. */
  checked?: boolean;
  disabled?: boolean;
};

const GAP_PX = 4;

export class HpMenu extends LitElement {
  static override properties = {
    label: {},
    items: { attribute: false },
    look: {},
    align: {},
    disabled: { type: Boolean },
  };
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: inline-block;
      }

      [popover] {
        position: fixed;
        inset: auto;
        min-inline-size: 12rem;
        max-inline-size: calc(100vw - 1rem);
        max-block-size: min(24rem, 80dvh);
        margin: 0;
        padding: var(--hp-1);
        overflow: auto;
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-raised);
        color: var(--hp-text);
        box-shadow: var(--hp-shadow);
      }

      [role^="menuitem"] {
        display: flex;
        align-items: center;
        gap: var(--hp-2);
        inline-size: 100%;
        min-block-size: var(--hp-target);
        padding: 0 var(--hp-3);
        border: 0;
        border-radius: var(--hp-round-small);
        background: transparent;
        text-align: start;
        cursor: pointer;
      }

      [role^="menuitem"]:hover,
      [role^="menuitem"]:focus-visible {
        background: var(--hp-hover);
      }

      [role^="menuitem"]:disabled {
        color: var(--hp-quiet);
        cursor: not-allowed;
      }

      .hint {
        display: block;
        max-inline-size: 22rem;
        color: var(--hp-quiet);
        font-size: var(--hp-size-small);
        line-height: 1.3;
      }

      [role^="menuitem"]:has(.hint) {
        padding-block: var(--hp-1);
      }

      kbd {
        color: var(--hp-quiet);
      }

      .tick {
        inline-size: 1.125rem;
        block-size: 1.125rem;
      }
    `,
  ];

  declare label: string;
  declare items: readonly MenuItem[];
  /** Classes of the button: "bare square", "chip", … */
  declare look: string;
  /** The edge of the button at which the list is aligned. */
  declare align: "start" | "end";
  declare disabled: boolean;

  constructor() {
    super();
    this.label = "";
    this.items = [];
    this.look = "bare square";
    this.align = "end";
    this.disabled = false;
  }

  get #panel(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>("[popover]");
  }

  #entries(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)")];
  }

  /** The browser would leave the keyboard nowhere. */
  #close(): void {
    this.#panel?.hidePopover();
    this.renderRoot.querySelector("button")?.focus();
  }

  #toggled(event: ToggleEvent): void {
    const button = this.renderRoot.querySelector("button");
    const panel = this.#panel;
    const isOpen = event.newState === "open";
    button?.setAttribute("aria-expanded", String(isOpen));
    if (panel === null || button === null || !isOpen) return;
    place(panel, button.getBoundingClientRect(), this.align);
    emit(this, "hp-open");
    const entries = this.#entries();
    (entries.find((entry) => entry.getAttribute("aria-checked") === "true") ?? entries[0])?.focus();
  }

  /** From outside, by a key. */
  show(): void {
    if (!this.disabled) this.#panel?.showPopover();
  }

  #keyed(event: KeyboardEvent): void {
    const { ctrlKey, metaKey, altKey } = event;
    const meant = this.items.find(({ key, disabled = false }) => key === event.key && !disabled);
    if (meant !== undefined && !(ctrlKey || metaKey || altKey)) {
      event.preventDefault();
      return this.#choose(meant.id);
    }
    if (event.key === "Escape") {
      event.preventDefault();
      return this.#close();
    }
    const entries = this.#entries();
    const at = entries.findIndex((entry) => entry.matches(":focus"));
    const next = entries[nextIndex(event.key, at, entries)];
    if (event.key === "Tab") this.#panel?.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }

  #choose(id: string): void {
    this.#close();
    emit(this, "hp-choose", id);
  }

  /** What was explained meanwhile takes more room. */
  protected override updated(): void {
    const button = this.renderRoot.querySelector("button");
    const panel = this.#panel;
    if (panel?.matches(":popover-open") === true && button !== null)
      place(panel, button.getBoundingClientRect(), this.align);
  }

  protected override render(): TemplateResult {
    return html`
      <button
        class="button ${this.look}"
        aria-label=${this.label}
        title=${this.label}
        aria-haspopup="menu"
        aria-expanded="false"
        ?disabled=${this.disabled}
        popovertarget="panel"
      >
        <slot>${icon("more")}</slot>
      </button>
      <div
        popover
        id="panel"
        role="menu"
        aria-label=${this.label}
        @toggle=${(event: ToggleEvent) => this.#toggled(event)}
        @keydown=${(event: KeyboardEvent) => this.#keyed(event)}
      >
        ${this.items.map((item) => this.#item(item))}
      </div>
    `;
  }

  #item({ id, label, hint = "", icon: name, key, checked, disabled = false }: MenuItem): TemplateResult {
    const mark = checked === undefined ? name : checked ? "check" : undefined;
    return html`
      <button
        role=${checked === undefined ? "menuitem" : "menuitemradio"}
        aria-checked=${checked ?? nothing}
        tabindex="-1"
        ?disabled=${disabled}
        @click=${() => this.#choose(id)}
      >
        ${mark === undefined && checked === undefined ? nothing : html`<span class="tick">${mark ? icon(mark) : nothing}</span>`}
        <span class="grow">${label}${hint === "" ? nothing : html`<span class="hint">${hint}</span>`}</span>
        ${key === undefined ? nothing : html`<kbd>${key}</kbd>`}
      </button>
    `;
  }
}

/** Which entry a key leads to; -1 where it leads nowhere. */
function nextIndex(key: string, at: number, entries: readonly HTMLElement[]): number {
  const count = entries.length;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default: {
      if (key.length !== 1) return -1;
      const from = [...entries.keys()].map((step) => (at + 1 + step) % count);
      return from.find((index) => entries[index]?.innerText.trim().toLowerCase().startsWith(key.toLowerCase())) ?? -1;
    }
  }
}

/** Below its button, above where there is no room, never outside of the window. */
function place(panel: HTMLElement, button: DOMRect, align: "start" | "end"): void {
  const { offsetWidth: width, offsetHeight: height } = panel;
  const below = button.bottom + GAP_PX;
  const top = below + height > innerHeight ? Math.max(GAP_PX, button.top - GAP_PX - height) : below;
  const wanted = align === "start" ? button.left : button.right - width;
  const left = Math.min(Math.max(GAP_PX, wanted), innerWidth - width - GAP_PX);
  panel.style.setProperty("top", `${top}px`);
  panel.style.setProperty("left", `${left}px`);
}

customElements.define("hp-menu", HpMenu);
