/** Everything that happened in a session, with its time: newest last, older pages on demand, new facts as they come. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ViewElement } from "../app/app-element.ts";
import { sessionIdIn } from "../app/session/session-id.ts";
import { sayDate, sayTime } from "../i18n/say.ts";
import { language, t } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import type { Happening } from "../state/record/timeline.ts";
import { inlineText } from "../text/inline-text.ts";
import { base } from "../theme/base.ts";
import { filterBar, filters } from "../parts/filter-bar.ts";
import { FollowedTimeline } from "./followed-timeline.ts";
import { type CallsAbout, callsIn, KINDS, type Kind, type EventLine, eventLineOf } from "./timeline/event-line.ts";

type Line = EventLine & { cursor: number; atMs: number };

class TimelineView extends ViewElement {
  static override properties = { shown: { state: true } };
  static override styles = [
    base,
    buttons,
    marks,
    filters,
    css`
      :host {
        position: relative;
        overflow: auto;
        padding: var(--hp-4);
      }

      .column {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-4);
        max-inline-size: var(--hp-reading);
        margin-inline: auto;
      }

      h2 {
        padding-block-end: var(--hp-1);
        border-block-end: 1px solid var(--hp-line);
        font-size: var(--hp-size-small);
        color: var(--hp-quiet);
      }

      li {
        display: grid;
        grid-template-columns: 1.75rem minmax(0, 1fr) auto;
        gap: 0 var(--hp-2);
        padding-block: var(--hp-2);
        content-visibility: auto;
        contain-intrinsic-size: auto 3rem;
      }

      .mark {
        display: grid;
        place-items: center;
        inline-size: 1.5rem;
        block-size: 1.5rem;
        border-radius: var(--hp-round-full);
      }

      .mark:not(.good, .bad, .waiting, .accent) {
        background: var(--hp-sunken);
        color: var(--hp-quiet);
      }

      .what {
        font-weight: 550;
      }

      .text {
        grid-column: 2 / -1;
        display: -webkit-box;
        overflow: hidden;
        -webkit-line-clamp: 4;
        -webkit-box-orient: vertical;
        white-space: pre-wrap;
        color: var(--hp-quiet);
      }

      time {
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  declare shown: Kind | "all";
  readonly #timeline = new FollowedTimeline(this);
  /** A fact is put into words once, not at every draw. */
  readonly #lines = new Map<number, Line | undefined>();
  #locale = "";

  constructor() {
    super();
    this.shown = "all";
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { locale } = language.get();
    const isOther = this.#timeline.follow(sessionIdIn(this.params["sessionId"]));
    if (isOther || locale !== this.#locale) this.#lines.clear();
    this.#locale = locale;
  }

  #line(item: Happening, calls: CallsAbout): Line | undefined {
    if (this.#lines.has(item.cursor)) return this.#lines.get(item.cursor);
    const found = eventLineOf(item, calls);
    const line = found === undefined ? undefined : { ...found, cursor: item.cursor, atMs: item.atMs };
    if (!item.event.startsWith("call.")) this.#lines.set(item.cursor, line); // what it was about may stand on an older page
    return line;
  }

  protected override render(): TemplateResult {
    const timeline = this.#timeline.get();
    if (timeline === undefined || timeline.status === "loading") {
      return html`<p class="empty">${t("run.loading")}</p>`;
    }
    if (timeline.status === "failed") return html`<p class="empty">${t("run.failed")}</p>`;
    const calls = callsIn(timeline.items);
    const found = timeline.items.flatMap((item) => this.#line(item, calls) ?? []);
    const lines = this.shown === "all" ? found : found.filter(({ kind }) => kind === this.shown);
    return html`<div class="column">
      ${filterBar({
        label: t("run.filter"),
        choices: (["all", ...KINDS] as const).map((id) => ({ id, label: t(`run.filter_${id}`) })),
        chosen: this.shown,
        choose: (id) => (this.shown = id),
      })}
      ${
        timeline.before === null
          ? nothing
          : html`<button class="button" @click=${() => this.#timeline.earlier()}>${t("run.earlier")}</button>`
      }
      ${lines.length === 0 ? html`<p class="empty">${t("run.noneOfThese")}</p>` : nothing}
      ${byDay(lines).map(
        ([day, items]) => html`
          <section>
            <h2>${day}</h2>
            <ol>
              ${repeat(
                items,
                ({ cursor }) => cursor,
                (line) => row(line),
              )}
            </ol>
          </section>
        `,
      )}
    </div>`;
  }
}

const row = ({ icon: picture, tone, title, text, atMs }: Line): TemplateResult => html`
  <li>
    <span class="mark ${tone}">${icon(picture, 14)}</span>
    <span class="what">${title}</span>
    <time class="small quiet" datetime=${new Date(atMs).toISOString()} title=${sayDate(atMs)}>${sayTime(atMs)}</time>
    ${text === "" ? nothing : html`<span class="text small">${inlineText(text)}</span>`}
  </li>
`;

function byDay(lines: readonly Line[]): [string, Line[]][] {
  const days = new Map<string, Line[]>();
  for (const line of lines) {
    const day = new Date(line.atMs).toLocaleDateString(language.get().locale, { dateStyle: "full" });
    const found = days.get(day);
    if (found === undefined) days.set(day, [line]);
    else found.push(line);
  }
  return [...days];
}

customElements.define("hp-timeline-view", TimelineView);
