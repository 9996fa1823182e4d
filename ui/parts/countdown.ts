/** `<hp-countdown .untilMs=${…}>`: the time that is left. `paused` stops the digits, not the deadline itself. */
import { css, html, LitElement, type TemplateResult } from "lit";
import { sayClock, sayDate, sayWhen } from "../i18n/say.ts";
import { language, t } from "../i18n/t.ts";
import { base } from "../theme/base.ts";
import { clock } from "./clock.ts";
import { watch } from "./watch.ts";

/** From here on seconds matter. */
const DIGITS_BELOW_MS = 3_600_000;
const SOON_MS = 300_000;

export class HpCountdown extends LitElement {
  static override properties = { untilMs: { attribute: false }, paused: { type: Boolean } };
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

  constructor() {
    super();
    this.untilMs = 0;
    this.paused = false;
    watch(this, clock, language);
  }

  protected override shouldUpdate(changed: ReadonlyMap<PropertyKey, unknown>): boolean {
    return !this.paused || changed.size > 0;
  }

  protected override render(): TemplateResult {
    const leftMs = this.untilMs - clock.get();
    const words =
      leftMs <= 0
        ? t("parts.timeIsUp")
        : leftMs < DIGITS_BELOW_MS
          ? sayClock(leftMs)
          : sayWhen(this.untilMs, clock.get());
    return html`<time
      class=${leftMs < SOON_MS ? "soon" : ""}
      datetime=${new Date(this.untilMs).toISOString()}
      title=${sayDate(this.untilMs)}
      >${words}</time
    >`;
  }
}

customElements.define("hp-countdown", HpCountdown);
