/** How plans and refusals went lately. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { ResultOf } from "../../src/all-methods.ts";
import { ViewElement } from "../app/app-element.ts";
import { sayClock, sayDate, sayNumber } from "../i18n/say.ts";
import { language, t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { charts, columns, legend, lying, table } from "./charts/charts.ts";
import { type Day, lastDays, stacked, sumOf } from "./charts/daily-bars.ts";
import { recordLinks, recordLinkStyles } from "./record-links.ts";

type Stats = ResultOf<"stats">;

/** While sessions change one after another, the counts are read again at most this often. */
const READ_EVERY_MS = 5_000;

class ChartsView extends ViewElement {
  static override properties = { stats: { state: true }, failed: { state: true } };
  static override styles = [
    base,
    buttons,
    marks,
    recordLinkStyles,
    charts,
    css`
      .panels {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr));
        gap: var(--hp-4);
        align-items: start;
      }

      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-3);
        min-inline-size: 0;
        padding: var(--hp-4);
      }

      .panel .empty {
        padding: var(--hp-3) 0;
      }
    `,
  ];

  declare stats: Stats | undefined;
  declare failed: boolean;
  #stop = (): void => undefined;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.failed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.app.state.on("sessions.changed", () => {
      this.#next ??= setTimeout(() => void this.#read(), READ_EVERY_MS);
    });
    void this.#read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    clearTimeout(this.#next);
    this.#next = undefined;
  }

  async #read(): Promise<void> {
    this.#next = undefined;
    try {
      this.stats = await this.app.call("stats", {});
      this.failed = false;
    } catch {
      this.failed = this.stats === undefined; // older counts are better than none
    }
  }

  protected override render(): TemplateResult {
    return html`<div class="column">
      ${recordLinks(this.app, "charts")}
      <p class="quiet">${t("run.chartsHint")}</p>
      ${this.#body()}
    </div>`;
  }

  #body(): TemplateResult {
    const { stats } = this;
    if (this.failed) {
      return html`<p class="empty">
        ${t("run.failed")} <button class="button" @click=${() => this.#read()}>${t("run.tryAgain")}</button>
      </p>`;
    }
    if (stats === undefined) return html`<p class="empty">${t("run.loading")}</p>`;
    const days = lastDays(stats.days, clock.get());
    return html`
      <div class="panels">${decisions(days)} ${waiting(stats)} ${refusals(days)} ${rules(stats)}</div>
      <p class="small quiet">
        ${stats.fromMs === null ? nothing : t("run.since", { when: sayDate(stats.fromMs) })}
        ${stats.complete ? nothing : t("run.partly")}
      </p>
    `;
  }
}

function decisions(days: readonly Day[]): TemplateResult {
  const [approved, rejected, expired] = (["approved", "rejected", "expired"] as const).map((name) => sumOf(days, name));
  const said = t("run.chartDecisionsSaid", {
    approved: approved ?? 0,
    rejected: rejected ?? 0,
    expired: expired ?? 0,
    days: days.length,
  });
  const isEmpty = (approved ?? 0) + (rejected ?? 0) + (expired ?? 0) === 0;
  const names = [t("run.approved"), t("run.rejected"), t("run.expired")];
  return panel(t("run.chartDecisions"), {
    empty: isEmpty ? t("run.noPlansYet") : undefined,
    body: () => html`
      <p class="small">${said}</p>
      ${columns(said, stacked(days.map((day) => [day.approved, day.rejected, day.expired])))} ${ends(days)}
      ${legend(names)}
      ${table({
        columns: [t("run.day"), t("run.submitted"), ...names],
        rows: days
          .filter((day) => day.submitted + day.approved + day.rejected + day.expired > 0)
          .map((day) => [
            sayDay(day),
            ...[day.submitted, day.approved, day.rejected, day.expired].map((value) => sayNumber(value)),
          ]),
      })}
    `,
  });
}

function refusals(days: readonly Day[]): TemplateResult {
  const total = sumOf(days, "refusals");
  const most = Math.max(...days.map((day) => day.refusals));
  const said = t("run.chartRefusalsSaid", { count: total, days: days.length, most });
  return panel(t("run.chartRefusals"), {
    empty: total === 0 ? t("run.noRefusalsYet") : undefined,
    body: () => html`
      <p class="small">${said}</p>
      <div class="refusals">${columns(said, stacked(days.map((day) => [day.refusals])))}</div>
      ${ends(days)}
      ${table({
        columns: [t("run.day"), t("run.refused")],
        rows: days.filter((day) => day.refusals > 0).map((day) => [sayDay(day), sayNumber(day.refusals)]),
      })}
    `,
  });
}

function rules({ refusalsByRule }: Stats): TemplateResult {
  const bars = refusalsByRule.map(({ rule, count }) => ({
    label: visibly(rule),
    value: count,
    said: sayNumber(count),
  }));
  return panel(t("run.chartRules"), {
    empty: bars.length === 0 ? t("run.noRefusalsYet") : undefined,
    body: () => lying(t("run.chartRules"), bars),
  });
}

function waiting({ plansWaited, questionsWaited }: Stats): TemplateResult {
  const kinds = [
    { name: t("run.waitedPlans"), waited: plansWaited },
    { name: t("run.waitedQuestions"), waited: questionsWaited },
  ].filter(({ waited }) => waited.count > 0);
  return panel(t("run.chartWaiting"), {
    empty: kinds.length === 0 ? t("run.waitedNone") : undefined,
    body: () =>
      html`${kinds.map(
        ({ name, waited }) => html`
          <h3>${name} <span class="badge">${sayNumber(waited.count)}</span></h3>
          ${lying(name, [
            { label: t("run.median"), value: waited.medianMs, said: sayClock(waited.medianMs) },
            { label: t("run.p90"), value: waited.p90Ms, said: sayClock(waited.p90Ms) },
            { label: t("run.longest"), value: waited.longestMs, said: sayClock(waited.longestMs) },
          ])}
        `,
      )}`,
  });
}

const panel = (
  heading: string,
  { empty, body }: { empty: string | undefined; body: () => TemplateResult },
): TemplateResult => html`
  <section class="panel">
    <h2>${heading}</h2>
    ${empty === undefined ? body() : html`<p class="empty">${empty}</p>`}
  </section>
`;

const ends = (days: readonly Day[]): TemplateResult => html`
  <p class="ends small quiet" aria-hidden="true">
    ${[days[0], days.at(-1)].map((day) => html`<span>${day === undefined ? nothing : sayDay(day)}</span>`)}
  </p>
`;

/** A day of UTC stays that day wherever it is read. */
const sayDay = ({ day }: Day): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(language.get().locale, {
    timeZone: "UTC",
    month: "short",
    day: "numeric",
  });

customElements.define("hp-charts-view", ChartsView);
