/** Scheduled jobs: a way to make one, what stands for each of them with a way to withdraw it, and the transcripts of their runs. */
import { html, nothing, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import type { CardText } from "../../../src/protocol/card/card.ts";
import { cardText } from "../../cards/card-text.ts";
import { sayDate, sayList } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/dialog.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import "../../parts/menu.ts";
import { visibly } from "../../text/visibly.ts";
import "../jobs/job-form.ts";
import { type Job, sayEvery, sayNext } from "../jobs/job-times.ts";
import { Section } from "../section.ts";

type Standing = ResultOf<"cron.standing">["standings"][number];
type Found = { jobs: readonly Job[]; standings: readonly Standing[]; warnings: readonly CardText[] };

const RUNS_SHOWN_MAX = 5;
const STANDINGS_SHOWN_MAX = 10;

class JobsSection extends Section<Found> {
  static override properties = { isAdding: { state: true }, removing: { state: true } };

  declare isAdding: boolean;
  /** The job that a person is asked about once more. */
  declare removing: Job | undefined;

  constructor() {
    super();
    this.isAdding = false;
    this.removing = undefined;
  }

  protected override reads() {
    return [...super.reads(), this.app.state.waiting];
  }

  protected async read(): Promise<Found> {
    const [{ jobs, warnings = [] }, { standings }] = await Promise.all([
      this.app.call("cron.list", {}),
      this.app.call("cron.standing", {}),
    ]);
    return { jobs, standings, warnings };
  }

  /** Says what was done, and shows how things stand after it in any case. */
  async #do(work: () => Promise<unknown>, told: string): Promise<void> {
    const done = await this.app.attempt(work);
    if (done !== undefined) this.app.notices.tell(told);
    await this.#again();
  }

  async #again(): Promise<void> {
    await this.again();
    emit(this, "hp-jobs-changed");
  }

  #withdraw({ id }: Job): Promise<void> {
    return this.#do(() => this.app.call("cron.withdraw", { jobId: id }), t("settings.jobWithdrawn"));
  }

  #chosen(choice: string, job: Job): void {
    const { id: jobId } = job;
    if (choice === "run") void this.#do(() => this.app.call("cron.run", { jobId }), t("settings.jobStarted"));
    else if (choice === "remove") this.removing = job;
    else {
      const enabled = choice === "enable";
      const told = t(enabled ? "settings.jobOn" : "settings.jobIsOff", { name: visibly(job.name) });
      void this.#do(() => this.app.call("cron.update", { jobId, enabled }), told);
    }
  }

  #remove({ id }: Job): Promise<void> {
    this.removing = undefined;
    return this.#do(() => this.app.call("cron.remove", { jobId: id }), t("settings.jobRemoved"));
  }

  protected draw({ jobs, standings, warnings }: Found): TemplateResult {
    return html`
      ${warnings.map((warning) => html`<p><span class="chip waiting" role="note">${cardText(warning)}</span></p>`)}
      ${
        jobs.length === 0
          ? html`<p class="quiet">${t("settings.jobsNone")}</p>`
          : html`<ul class="items">
              ${jobs.map((job) =>
                this.#job(
                  job,
                  standings.filter(({ jobId }) => jobId === job.id),
                ),
              )}
            </ul>`
      }
      <div>
        <button class="button" ?disabled=${!this.isOnline} @click=${() => (this.isAdding = true)}>
          ${icon("add")}${t("settings.jobNew")}
        </button>
      </div>
      ${this.isAdding ? this.#form() : nothing} ${this.removing === undefined ? nothing : this.#question(this.removing)}
    `;
  }

  #form(): TemplateResult {
    return html`<hp-job-form
      .app=${this.app}
      @hp-close=${() => (this.isAdding = false)}
      @hp-scheduled=${() => {
        this.isAdding = false;
        void this.#again();
      }}
    ></hp-job-form>`;
  }

  #job(job: Job, standings: readonly Standing[]): TemplateResult {
    const { name, ownedBy, standing, work } = job;
    return html`<li>
      <div class="grow">
        <p class="row wrap">
          <strong>${visibly(name)}</strong>
          ${ownedBy === undefined ? nothing : html`<span class="small quiet">${t("settings.jobOwner", { name: visibly(ownedBy.name) })}</span>`}
        </p>
        <p class="row wrap times small quiet"><span>${sayEvery(job)}</span><span>${sayNext(job)}</span></p>
        <p class="small">
          ${standing === undefined ? (work.kind === "run" ? t("settings.jobHeld") : nothing) : standingText(standing)}
        </p>
        ${this.#proposal(job)} ${this.#runs(job)} ${ended(standings)}
      </div>
      ${
        standing === undefined
          ? nothing
          : html`<button
              class="button danger"
              ?disabled=${!this.isOnline}
              aria-label=${`${t("settings.jobWithdraw")}: ${visibly(name)}`}
              @click=${() => this.#withdraw(job)}
            >
              ${t("settings.jobWithdraw")}
            </button>`
      }
      ${this.#menu(job)}
    </li>`;
  }

  #menu(job: Job): TemplateResult {
    const isOff = job.now.status === "off";
    return html`<hp-menu
      label=${t("settings.jobMenu", { name: visibly(job.name) })}
      ?disabled=${!this.isOnline}
      .items=${[
        { id: "run", label: t("settings.jobRunNow") },
        isOff ? { id: "enable", label: t("settings.enable") } : { id: "disable", label: t("settings.disable") },
        { id: "remove", label: t("settings.jobRemove") },
      ]}
      @hp-choose=${({ detail }: CustomEvent<string>) => this.#chosen(detail, job)}
    ></hp-menu>`;
  }

  /** A run that wants to change something submits a plan: it is read and signed where it waits. */
  #proposal({ proposalIn }: Job): TemplateResult | typeof nothing {
    const isWaiting = this.app.state.waiting.get().some(({ id }) => id === proposalIn);
    if (proposalIn === undefined || !isWaiting) return nothing;
    const href = this.app.router.href("plan", { sessionId: proposalIn });
    return html`<p class="small"><a href=${href}>${t("settings.jobProposal")}</a></p>`;
  }

  #runs({ runs }: Job): TemplateResult | typeof nothing {
    const kept = runs.filter(({ sessionId }) => sessionId !== undefined).slice(-RUNS_SHOWN_MAX);
    if (kept.length === 0) return nothing;
    return html`<p class="row wrap small">
      ${t("settings.jobRuns")}
      ${kept.map(
        ({ sessionId = "", endedAtMs }) =>
          html`<a href=${this.app.router.href("session", { sessionId })}>${sayDate(endedAtMs)}</a>`,
      )}
    </p>`;
  }

  #question(job: Job): TemplateResult {
    const close = (): void => void (this.removing = undefined);
    return html`<hp-dialog open heading=${t("settings.jobRemoveSure")} @hp-close=${close}>
      <div class="stack">
        <p><strong>${visibly(job.name)}</strong></p>
        <p>${t("settings.jobRemoveHint")}</p>
        <div class="row">
          <button class="button danger" @click=${() => this.#remove(job)}>${t("settings.jobRemove")}</button>
          <button class="button" @click=${close}>${t("settings.cancel")}</button>
        </div>
      </div>
    </hp-dialog>`;
  }
}

const standingText = ({ used, runs, untilMs }: NonNullable<Job["standing"]>): string =>
  t("settings.jobStanding", { used: used.length, runs, when: sayDate(untilMs) });

/** What stood for it, and why it does so no more. */
function ended(standings: readonly Standing[]): TemplateResult | typeof nothing {
  const over = standings.filter((one) => one.ended !== undefined).slice(0, STANDINGS_SHOWN_MAX);
  if (over.length === 0) return nothing;
  return html`<details class="small">
    <summary class="quiet">${t("settings.jobStoodFor")}</summary>
    <ul>
      ${over.map(
        ({ title, used, runs, signedBy, ended: end }) =>
          html`<li>
            ${visibly(title)} ·
            ${t("settings.jobStood", { used: used.length, runs, names: sayList(signedBy.map(({ name }) => visibly(name))) })}
            ${end === undefined ? nothing : html`· ${t(`settings.jobEnd_${end.why}`)} ${sayDate(end.atMs)}`}
          </li>`,
      )}
    </ul>
  </details>`;
}

customElements.define("hp-jobs-section", JobsSection);
