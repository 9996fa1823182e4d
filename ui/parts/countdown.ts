/**
 * `<hp-countdown .untilMs=${…}>`: the deadline, as in "due in 2 hr."; `left` shows the duration, as in "time left: 2
 * hours". `paused` stops the digits, not the deadline itself.
 */
import { css, html, LitElement, type TemplateResult } from "lit";
import { sayClock, sayDate, sayLeft, sayWhen } from "../i18n/say.ts";
import { language, t } from "../i18n/t.ts";
import { base } from "../theme/base.ts";
import { clock } from "./clock.ts";
import { watch } from "./watch.ts";

/** From here on seconds matter. */
const DIGITS_BELOW_MS = 3_600_000;
const SOON_MS = 300_000;

export class HpCountdown extends LitElement {
  static override properties = { untilMs: { attribute: false }, paused: { type: Boolean }, left: { type: Boolean } };
  static override styles = [
    base,
    css`
      :host {
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }

      .soon {
        color: var(--hp-bad);
        font-weight: 600;
      }
    `,
  ];

  declare untilMs: number;
  declare paused: boolean;
  declare left: boolean;

  constructor() {
    super();
    this.untilMs = 0;
    this.paused = false;
    this.left = false;
    watch(this, clock, language);
  }

  protected override shouldUpdate(changed: ReadonlyMap<PropertyKey, unknown>): boolean {
    return !this.paused || changed.size > 0;
  }

  #words(leftMs: number): string {
    if (this.left) return sayLeft(leftMs);
    return leftMs < DIGITS_BELOW_MS ? sayClock(leftMs) : sayWhen(this.untilMs, clock.get());
  }

  protected override render(): TemplateResult {
    const leftMs = this.untilMs - clock.get();
    const words = leftMs <= 0 ? t("parts.timeIsUp") : this.#words(leftMs);
    return html`<time
      class=${leftMs < SOON_MS ? "soon" : ""}
      datetime=${new Date(this.untilMs).toISOString()}
      title=${sayDate(this.untilMs)}
      >${words}</time
    >`;
  }
}

customElements.define("hp-countdown", HpCountdown);
