/** `<hp-timer-list .app .sessionId=${…}>`: what will happen by itself and when, in one session or, without one, in all. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import { AppElement } from "../../app/app-element.ts";
import { sayDate, sayWhen } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { clock } from "../../parts/clock.ts";
import { icon } from "../../parts/icon.ts";
import { isOnline } from "../../state/connection.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";

type Timer = ResultOf<"sessions.timers">["timers"][number];

const SHOWN_MAX = 200;
/** A time that has come is asked about again, but not with every tick of the clock. */
const AGAIN_AFTER_MS = 5_000;

export class TimerList extends AppElement {
  static override properties = { sessionId: { attribute: false }, timers: { state: true } };
  static override styles = [
    base,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
      }

      li {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--hp-3);
        align-items: baseline;
        padding-block: var(--hp-1);
      }

      li + li {
        border-block-start: 1px solid var(--hp-line);
      }

      .what {
        flex: 1 1 14rem;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }

      time {
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }

      h2 {
        display: flex;
        gap: var(--hp-2);
        align-items: center;
      }

      :host([small]) h2 {
        font-size: var(--hp-size);
      }
    `,
  ];

  declare sessionId: SessionId | undefined;
  /** Undefined until they were read. */
  declare timers: readonly Timer[] | undefined;
  #readOf: readonly unknown[] = [];
  #readAtMs = 0;

  constructor() {
    super();
    this.timers = undefined;
  }

  protected override reads() {
    return [this.app.state.connection, this.app.state.open, this.app.state.waiting, clock];
  }

  /** Whatever moves the plan of the session moves its timers; of all sessions, whatever waits for a person. */
  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { connection, open, waiting } = this.app.state;
    const opened = open.get();
    const plan = opened.status === "ready" && opened.id === this.sessionId ? opened.plan : undefined;
    const key = [isOnline(connection.get()), this.sessionId, this.sessionId === undefined ? waiting.get() : plan];
    const isOther = key.some((part, at) => part !== this.#readOf[at]);
    const [first] = this.timers ?? [];
    const now = clock.get();
    const isDue = first !== undefined && first.atMs <= now && now - this.#readAtMs >= AGAIN_AFTER_MS;
    if (!isOnline(connection.get()) || !(isOther || isDue)) return;
    this.#readOf = key;
    this.#readAtMs = now;
    void this.#read();
  }

  /** From outside: something changed that moves timers. */
  again(): void {
    void this.#read();
  }

  /** Where it cannot be read, what was known stays. */
  async #read(): Promise<void> {
    const asked = this.#readOf;
    const of = this.sessionId === undefined ? {} : { sessionId: this.sessionId };
    const found = await this.app.call("sessions.timers", { ...of, limit: SHOWN_MAX }).catch(() => undefined);
    if (found !== undefined && asked === this.#readOf) this.timers = found.timers;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { timers } = this;
    if (timers === undefined) return nothing;
    return html`<h2 id="heading">${icon("waiting", 16)}${t("run.timers")}</h2>
      ${
        timers.length === 0
          ? html`<p class="quiet small">${t("run.timersNone")}</p>`
          : html`<ul aria-labelledby="heading">
              ${timers.map((timer) => this.#timer(timer))}
            </ul>`
      }`;
  }

  #timer(timer: Timer): TemplateResult {
    const { atMs, sessionId, title } = timer;
    return html`<li>
      <span class="what">${whatOf(timer)}</span>
      ${
        this.sessionId === undefined
          ? html`<a class="small" href=${this.app.router.href("session", { sessionId })}
              >${title === "" ? sessionId : visibly(title)}</a
            >`
          : nothing
      }
      <time class="small quiet" datetime=${new Date(atMs).toISOString()} title=${sayDate(atMs)}
        >${sayWhen(atMs, clock.get())}</time
      >
    </li>`;
  }
}

const KNOWN = ["expire", "remind", "nudge", "tick"] as const;
const OWN_SLICES: ReadonlySet<string> = new Set(["planMode", "scheduler"]);

/** What a plugin from outside named stands as it is. */
function whatOf({ slice, does, key }: Timer): string {
  const known = KNOWN.find((one) => one === does);
  return known === undefined || !OWN_SLICES.has(slice) ? visibly(`${slice}/${key}: ${does}`) : t(`run.timer_${known}`);
}

customElements.define("hp-timer-list", TimerList);
