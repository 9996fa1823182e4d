/**
 * `<hp-rich-text .text=${…}>`: Markdown of an agent, a tool or a person. Plain text until the reader has been loaded,
 * and plain text for good if it cannot be: a message is never withheld.
 */
import { css, html, LitElement, type TemplateResult } from "lit";
import { cell } from "../state/cell.ts";
import { moreAside } from "../parts/look/more-aside.ts";
import { base } from "../theme/base.ts";
import { watch } from "../parts/watch.ts";
import { visibly } from "./visibly.ts";

type Reader = { showMarkdown(place: Element, markdown: string): void };

const reader = cell<Reader | undefined>(undefined);
let loading: Promise<void> | undefined;

/** Longer texts stay plain: reading them as Markdown would hold up the page. */
const MARKDOWN_CHARS_MAX = 100_000;

export class HpRichText extends LitElement {
  static override properties = { text: { attribute: false } };
  static override styles = [
    base,
    moreAside,
    css`
      :host {
        display: block;
        white-space: normal; /* lines between blocks are no lines of text, wherever this stands */
      }

      .plain {
        white-space: pre-wrap;
      }

      ::highlight(hp-found) {
        background-color: var(--hp-waiting-soft);
        color: var(--hp-waiting);
      }

      ::highlight(hp-found-now) {
        background-color: var(--hp-accent);
        color: var(--hp-on-accent);
      }

      .rich > :first-child {
        margin-block-start: 0;
      }

      .rich > * {
        margin-block: var(--hp-2) 0;
      }

      .rich :is(h1, h2, h3, h4, h5, h6) {
        margin-block-start: var(--hp-4);
        font-size: var(--hp-size);
        font-weight: 650;
      }

      .rich :is(ul, ol) {
        padding-inline-start: var(--hp-5);
        list-style: revert;
      }

      /* its address was none that may be opened */
      .rich a:not([href]) {
        color: inherit;
      }

      .rich pre {
        overflow-x: auto;
        padding: var(--hp-3);
        border-radius: var(--hp-round-small);
        background: var(--hp-sunken);
      }

      .rich :not(pre) > code {
        padding: 0.1em 0.35em;
        border-radius: var(--hp-round-small);
        background: var(--hp-sunken);
      }

      .rich blockquote {
        margin-inline: 0;
        padding-inline-start: var(--hp-3);
        border-inline-start: 3px solid var(--hp-line);
        color: var(--hp-quiet);
      }

      .rich .alert {
        padding-block: var(--hp-1);
        border-color: var(--hp-accent);
        color: inherit;
      }

      .rich .alert strong:first-child {
        color: var(--hp-accent-strong);
      }

      .rich .alert:is(.warning, .caution) {
        border-color: var(--hp-waiting);
      }

      .rich .alert:is(.warning, .caution) strong:first-child {
        color: var(--hp-waiting);
      }

      .rich table {
        display: block;
        overflow-x: auto;
        border-collapse: collapse;
      }

      .rich :is(th, td) {
        padding: var(--hp-1) var(--hp-2);
        border: 1px solid var(--hp-line);
        overflow-wrap: break-word; /* a column holds its longest word; the table scrolls */
      }
    `,
  ];

  declare text: string;

  constructor() {
    super();
    this.text = "";
    watch(this, reader);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    loading ??= import("./markdown.ts").then(
      (loaded) => reader.set(loaded),
      () => (loading = undefined), // the next text tries again
    );
  }

  #isRich(): boolean {
    return reader.get() !== undefined && this.text.length <= MARKDOWN_CHARS_MAX;
  }

  protected override render(): TemplateResult {
    return this.#isRich() ? html`<div class="rich"></div>` : html`<div class="plain">${visibly(this.text)}</div>`;
  }

  protected override updated(): void {
    const place = this.renderRoot.querySelector(".rich");
    if (place !== null) reader.get()?.showMarkdown(place, this.text);
  }
}

customElements.define("hp-rich-text", HpRichText);
