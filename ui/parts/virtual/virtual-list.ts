/**
 * `<hp-virtual-list .rows=${…} .keyOf=${…} .draw=${…}>`: a list of any length of which only the rows in sight exist.
 *
 * It scrolls by itself and stays where the person is: at the end while they are there, else at the row they look at,
 * also when rows come in above it or turn out taller than guessed. It draws into its own light tree, so that the styles
 * of the element around it reach the rows; that element includes `virtualList` in its styles.
 */
import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { cssVars } from "../css-vars.ts";
import { emit } from "../emit.ts";
import { offsetsOf, rowAt, rowsIn, type Span, totalOf } from "./offsets.ts";

type Key = string | number;

const GUESS_PX = 72;
const MORE_DRAWN_PX = 600;
const AT_END_PX = 48;
const NEAR_START_PX = 600;

export const virtualList = css`
  hp-virtual-list {
    display: block;
    position: relative;
    overflow: auto;
    overflow-anchor: none; /* it keeps its place itself, in every browser alike */
    overscroll-behavior: contain;
  }

  .virtual-rows {
    padding-block: var(--before) var(--after);
  }
`;

export class HpVirtualList<Row = unknown> extends LitElement {
  static override properties = {
    rows: { attribute: false },
    keyOf: { attribute: false },
    draw: { attribute: false },
    startsAtEnd: { type: Boolean, attribute: "starts-at-end" },
  };

  declare rows: readonly Row[];
  declare keyOf: (row: Row) => Key;
  declare draw: (row: Row) => TemplateResult;
  /** A conversation begins at its end and follows it. */
  declare startsAtEnd: boolean;

  readonly #heights = new Map<Key, number>();
  readonly #resized = new ResizeObserver((entries) => this.#measured(entries));
  #keys: Key[] = [];
  #offsets = offsetsOf([], this.#heights, GUESS_PX);
  #span: Span = { from: 0, to: 0 };
  #isAtEnd: boolean | undefined;
  #anchor: { key: Key; deltaPx: number } | undefined;
  /** Where it put itself last; NaN where the person did, which is near no position, not even the very top. */
  #placedAtPx = Number.NaN;

  constructor() {
    super();
    this.rows = [];
    this.keyOf = (row) => this.rows.indexOf(row);
    this.draw = () => html``;
    this.startsAtEnd = false;
    this.addEventListener("scroll", () => this.#scrolled(), { passive: true });
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  /** To the end, and on with it from there. */
  toEnd(): void {
    this.#isAtEnd = true;
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#isAtEnd ??= this.startsAtEnd;
    if (changed.has("rows")) this.#keys = this.rows.map((row) => this.keyOf(row));
    this.#offsets = offsetsOf(this.#keys, this.#heights, GUESS_PX);
    this.#span = rowsIn(this.#offsets, {
      topPx: this.#wantedTopPx(),
      heightPx: this.clientHeight || innerHeight,
      moreDrawnPx: MORE_DRAWN_PX,
    });
  }

  protected override render(): TemplateResult {
    const { from, to } = this.#span;
    const before = this.#offsets[from] ?? 0;
    const after = totalOf(this.#offsets) - (this.#offsets[to] ?? 0);
    return html`
      <div class="virtual-rows" style=${cssVars({ "--before": `${before}px`, "--after": `${after}px` })}>
        ${repeat(
          this.rows.slice(from, to),
          (row) => this.keyOf(row),
          (row) => html`<div class="virtual-row" .dataKey=${this.keyOf(row)}>${this.draw(row)}</div>`,
        )}
      </div>
    `;
  }

  protected override updated(): void {
    for (const row of this.querySelectorAll(".virtual-row")) this.#resized.observe(row);
    const wanted = Math.round(this.#wantedTopPx());
    if (Math.abs(this.scrollTop - wanted) > 1) {
      this.scrollTop = wanted;
      this.#placedAtPx = this.scrollTop;
    }
  }

  /** The scroll position to keep: the end, the row that the person looks at, or the present one. */
  #wantedTopPx(): number {
    if (this.#isAtEnd === true) return Math.max(0, totalOf(this.#offsets) - this.clientHeight);
    const index = this.#anchor === undefined ? -1 : this.#keys.indexOf(this.#anchor.key);
    return index === -1 ? this.scrollTop : (this.#offsets[index] ?? 0) + (this.#anchor?.deltaPx ?? 0);
  }

  #scrolled(): void {
    const top = this.scrollTop;
    if (Math.abs(top - this.#placedAtPx) <= 1) return; // by us, not by the person
    this.#placedAtPx = Number.NaN;
    this.#isAtEnd = this.startsAtEnd && this.scrollHeight - top - this.clientHeight <= AT_END_PX;
    const index = rowAt(this.#offsets, top);
    const key = this.#keys[index];
    this.#anchor = key === undefined ? undefined : { key, deltaPx: top - (this.#offsets[index] ?? 0) };
    if (top < NEAR_START_PX) emit(this, "hp-near-start");
    if (this.scrollHeight - top - this.clientHeight < NEAR_START_PX) emit(this, "hp-near-end");
    this.requestUpdate();
  }

  #measured(entries: readonly ResizeObserverEntry[]): void {
    let changed = false;
    for (const { target } of entries) {
      if (target === this) changed = true;
      if (target === this || !target.isConnected || !(target instanceof HTMLElement)) continue;
      const key: unknown = Reflect.get(target, "dataKey");
      if (typeof key !== "string" && typeof key !== "number") continue;
      const height = target.getBoundingClientRect().height;
      if (this.#heights.get(key) === height) continue;
      this.#heights.set(key, height);
      changed = true;
    }
    if (changed) this.requestUpdate();
  }
}

customElements.define("hp-virtual-list", HpVirtualList);
