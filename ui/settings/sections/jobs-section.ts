/** Scheduled jobs: what stands for each of them, with a way to withdraw it, and the transcripts of their runs. */
import { html, nothing, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import { sayDate } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import { Section } from "../section.ts";

type Job = ResultOf<"cron.list">["jobs"][number];
type Standing = NonNullable<Job["standing"]>;

const RUNS_SHOWN_MAX = 5;

class JobsSection extends Section<readonly Job[]> {
  protected async read(): Promise<readonly Job[]> {
    return (await this.app.call("cron.list", {})).jobs;
  }

  async #withdraw({ id }: Job): Promise<void> {
    const done = await this.app.attempt(() => this.app.call("cron.withdraw", { jobId: id }));
    if (done !== undefined) this.app.notices.tell(t("settings.jobWithdrawn"));
    await this.again();
  }

  protected draw(jobs: readonly Job[]): TemplateResult {
    if (jobs.length === 0) return html`<p class="quiet">${t("settings.jobsNone")}</p>`;
    return html`<ul class="items">
      ${jobs.map((job) => this.#job(job))}
    </ul>`;
  }

  #job(job: Job): TemplateResult {
    const { name, ownedBy, standing, work } = job;
    return html`<li>
      <div class="grow">
        <p class="row wrap">
          <strong>${visibly(name)}</strong>
          ${ownedBy === undefined ? nothing : html`<span class="small quiet">${t("settings.jobOwner", { name: visibly(ownedBy.name) })}</span>`}
          <span class="small quiet">${timeOf(job)}</span>
        </p>
        <p class="small">
          ${standing === undefined ? (work.kind === "run" ? t("settings.jobHeld") : nothing) : standingText(standing)}
        </p>
        ${this.#runs(job)}
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
    </li>`;
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
}

const standingText = ({ used, runs, untilMs }: Standing): string =>
  t("settings.jobStanding", { used: used.length, runs, when: sayDate(untilMs) });

function timeOf({ now }: Job): string {
  if (now.status === "waiting") return t("settings.jobNext", { when: sayDate(now.nextAtMs) });
  if (now.status !== "off") return "";
  return now.why === "revoked" ? t("settings.jobRevoked") : t("settings.jobOff");
}

customElements.define("hp-jobs-section", JobsSection);
