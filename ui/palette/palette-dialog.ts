/** One field that finds everything: sessions, plans, commands, settings. Arrows choose, Enter opens, Escape closes. */
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import { fields } from "../parts/look/fields.ts";
import { base } from "../theme/base.ts";
import { found, type GroupName, GROUPS, type PaletteItem } from "./palette-items.ts";
import { commandsOf, placeItems, planItems, sessionItems, settingItems } from "./read-items.ts";

const TYPING_MS = 120;

export class PaletteDialog extends AppElement {
  static override properties = { typed: { state: true }, items: { state: true }, at: { state: true } };
  static override styles = [
    base,
    fields,
    css`
      dialog {
        inline-size: min(38rem, calc(100vw - 1rem));
        max-block-size: min(36rem, calc(100dvh - 1rem));
        margin-block-start: min(12dvh, 6rem);
        padding: 0;
        overflow: hidden;
        border: 1px solid var(--hp-line);
        border-radius: calc(var(--hp-round) * 1.5);
        background: var(--hp-raised);
        color: var(--hp-text);
        box-shadow: var(--hp-shadow);
      }

      dialog[open] {
        display: flex;
        flex-direction: column;
      }

      dialog::backdrop {
        background: var(--hp-shade);
      }

      .input {
        flex: none;
        min-block-size: 3.25rem;
        border: 0;
        border-block-end: 1px solid var(--hp-line);
        border-radius: 0;
        background: transparent;
        font-size: var(--hp-size-large);
      }

      .input:focus-visible {
        outline: none;
        border-block-end: var(--hp-focus);
        border-radius: 0;
      }

      .list {
        flex: 1;
        min-block-size: 0;
        padding: var(--hp-2);
        position: relative;
        overflow-y: auto;
      }

      h2 {
        padding: var(--hp-2) var(--hp-2) var(--hp-1);
        color: var(--hp-quiet);
        font-size: var(--hp-size-small);
      }

      [role="option"] {
        display: flex;
        gap: var(--hp-3);
        align-items: center;
        min-block-size: var(--hp-target);
        padding: 0 var(--hp-2);
        border-radius: var(--hp-round-small);
        cursor: pointer;
      }

      [role="option"][aria-selected="true"] {
        background: var(--hp-accent-soft);
      }

      .label {
        flex: 0 1 auto;
        min-inline-size: 40%;
      }

      .hint {
        flex: 1 1 0;
        min-inline-size: 0;
        text-align: end;
      }

      .foot {
        flex: none;
        padding: var(--hp-2) var(--hp-3);
        border-block-start: 1px solid var(--hp-line);
      }
    `,
  ];

  declare typed: string;
  declare items: readonly PaletteItem[];
  /** Which of the found is chosen. */
  declare at: number;
  #fixed: PaletteItem[] = [];
  #typing: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor() {
    super();
    this.typed = "";
    this.items = [];
    this.at = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#fixed = [...placeItems(this.app), ...settingItems(this.app)];
    void this.#read("");
    void this.#readOnce();
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  /** What does not depend on what is typed. Where one cannot be had, the others are there. */
  async #readOnce(): Promise<void> {
    const lists = await Promise.all([planItems(this.app), commandsOf(this.app)].map((list) => list.catch(() => [])));
    this.#fixed = [...this.#fixed, ...lists.flat()];
    await this.#read(this.typed);
  }

  async #read(search: string): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const sessions = await sessionItems(this.app, search).catch(() => []);
    if (mine === this.#asked) this.items = [...this.#fixed, ...sessions];
  }

  #type({ target }: Event): void {
    if (!(target instanceof HTMLInputElement)) return;
    this.typed = target.value;
    this.at = 0;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#read(this.typed), TYPING_MS);
  }

  #keyed(event: KeyboardEvent, shown: readonly PaletteItem[]): void {
    if (event.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      this.at = (this.at + step + shown.length) % shown.length;
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
      );
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#take(shown[this.at]);
    }
  }

  #take(item: PaletteItem | undefined): void {
    if (item === undefined) return;
    this.renderRoot.querySelector("dialog")?.close();
    item.run();
  }

  protected override render(): TemplateResult {
    const shown = found(this.items, this.typed);
    const chosen = shown[this.at];
    return html`
      <dialog
        aria-label=${t("palette.name")}
        @close=${() => emit(this, "hp-close")}
        @click=${({ target, currentTarget }: Event) => {
          if (target === currentTarget && target instanceof HTMLDialogElement) target.close();
        }}
      >
        <input
          class="input"
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          autofocus
          maxlength="200"
          aria-label=${t("palette.name")}
          aria-expanded="true"
          aria-controls="found"
          aria-activedescendant=${chosen === undefined ? nothing : idOf(chosen)}
          placeholder=${t("palette.placeholder")}
          .value=${this.typed}
          @input=${(event: Event) => this.#type(event)}
          @keydown=${(event: KeyboardEvent) => this.#keyed(event, shown)}
        />
        <div class="list" id="found" role="listbox" aria-label=${t("palette.name")}>
          ${GROUPS.map((group) => this.#group(group, shown))}
        </div>
        <p class="foot small quiet" role="status">${shown.length === 0 ? t("palette.none") : t("palette.hint")}</p>
      </dialog>
    `;
  }

  #group(group: GroupName, shown: readonly PaletteItem[]): TemplateResult | typeof nothing {
    const items = shown.filter((item) => item.group === group);
    if (items.length === 0) return nothing;
    return html`<div role="group" aria-labelledby="group-${group}">
      <h2 id="group-${group}" role="presentation">${t(`palette.group_${group}`)}</h2>
      ${repeat(items, idOf, (item) => this.#item(item, shown.indexOf(item)))}
    </div>`;
  }

  #item(item: PaletteItem, at: number): TemplateResult {
    return html`<div
      role="option"
      id=${idOf(item)}
      aria-selected=${at === this.at}
      @pointermove=${() => (this.at = at)}
      @click=${() => this.#take(item)}
    >
      ${icon(item.icon)}<span class="label clip">${item.label}</span
      ><span class="hint small quiet clip">${item.hint}</span>
    </div>`;
  }
}

const idOf = ({ group, id }: PaletteItem): string => `${group}-${id.replaceAll(/[^\w-]/g, "-")}`;

customElements.define("hp-palette-dialog", PaletteDialog);
