/** `<hp-job-form .app>`: the dialog in which a person schedules a job. Emits `hp-scheduled` with its id, or `hp-close`. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SessionSummary } from "../../../src/protocol/methods.ts";
import { AppElement } from "../../app/app-element.ts";
import { titleOf } from "../../app/session/session-title.ts";
import { sayDate } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/dialog.ts";
import { emit } from "../../parts/emit.ts";
import { textIn } from "../../parts/form-text.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { problemLines } from "../../problems/problem-lines.ts";
import { type Problem, problemOf } from "../../problems/problem-of.ts";
import { isOnline, operatorOf } from "../../state/connection.ts";
import { base } from "../../theme/base.ts";
import { CATCH_UPS, jobAsked, type JobDraft, UNITS, type When, WHENS } from "./job-asked.ts";

const MESSAGE_CHARS_MAX = 16_000;
const NAME_CHARS_MAX = 120;
const SESSIONS_MAX = 50;
const OWN_SESSION = "";

class JobForm extends AppElement {
  static override properties = {
    when: { state: true },
    place: { state: true },
    sessions: { state: true },
    problem: { state: true },
    isSending: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    css`
      .two {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(8rem, 100%), 1fr));
        gap: var(--hp-3);
        align-items: end;
      }

      .box {
        display: flex;
        gap: var(--hp-2);
        align-items: baseline;
      }

      .problem {
        color: var(--hp-bad);
      }

      .problem span {
        white-space: pre-wrap;
      }
    `,
  ];

  declare when: When;
  /** The id of a session, or none. */
  declare place: string;
  declare sessions: readonly SessionSummary[];
  declare problem: Problem | undefined;
  declare isSending: boolean;
  #hasAsked = false;

  constructor() {
    super();
    this.when = "every";
    this.place = OWN_SESSION;
    this.sessions = [];
    this.isSending = false;
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  get #isAdmin(): boolean {
    return operatorOf(this.app.state.connection.get())?.scopes.includes("operator.admin") ?? false;
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    void this.#readSessions();
  }

  async #readSessions(): Promise<void> {
    const found = await this.app.attempt(() => this.app.call("sessions.list", { limit: SESSIONS_MAX }));
    this.sessions = found?.sessions ?? [];
    if (!this.#isAdmin) this.place = this.sessions[0]?.id ?? OWN_SESSION; // a run of its own is for administrators
  }

  async #schedule(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement) || this.isSending) return;
    const asked = jobAsked(this.#draft(event.target));
    this.isSending = true;
    this.problem = undefined;
    try {
      const { nextAtMs } = await this.app.call("cron.add", asked);
      this.app.notices.tell(
        nextAtMs === null ? t("settings.jobAdded") : t("settings.jobAddedFor", { when: sayDate(nextAtMs) }),
      );
      emit(this, "hp-scheduled");
    } catch (error) {
      this.problem = problemOf(error);
    } finally {
      this.isSending = false;
    }
  }

  #draft(form: HTMLFormElement): JobDraft {
    const chosen = this.sessions.find(({ id }) => id === this.place);
    return {
      message: textIn(form, "message"),
      name: textIn(form, "name"),
      when: this.when,
      at: textIn(form, "at"),
      every: Number(textIn(form, "every")),
      unit: UNITS.find((unit) => unit === textIn(form, "unit")) ?? "minutes",
      cron: textIn(form, "cron"),
      zone: textIn(form, "zone"),
      ...(chosen === undefined ? {} : { sessionId: chosen.id }),
      isIsolated: textIn(form, "isolated") !== "",
      catchUp: CATCH_UPS.find((one) => one === textIn(form, "catchUp")) ?? "once",
    };
  }

  protected override render(): TemplateResult {
    return html`<hp-dialog open heading=${t("settings.jobNewHeading")} @hp-close=${() => emit(this, "hp-close")}>
      <form class="stack" @submit=${(event: SubmitEvent) => this.#schedule(event)}>
        <label class="field">
          <span>${t("settings.jobMessage")}</span>
          <textarea class="input" name="message" rows="3" maxlength=${MESSAGE_CHARS_MAX} required autofocus></textarea>
        </label>
        <label class="field">
          <span>${t("settings.jobName")}</span>
          <input class="input" name="name" maxlength=${NAME_CHARS_MAX} />
        </label>
        ${this.#times()} ${this.#places()}
        <label class="field">
          <span>${t("settings.jobCatchUp")}</span>
          <select class="input" name="catchUp">
            ${CATCH_UPS.map((one) => html`<option value=${one}>${t(`settings.jobCatchUp_${one}`)}</option>`)}
          </select>
        </label>
        <div class="problem" role="alert">${this.problem === undefined ? nothing : problemLines(this.problem)}</div>
        <div class="row">
          <button class="button primary" ?disabled=${!isOnline(this.app.state.connection.get()) || this.isSending}>
            ${t("settings.jobSchedule")}
          </button>
          <button class="button" type="button" @click=${() => emit(this, "hp-close")}>${t("settings.cancel")}</button>
        </div>
      </form>
    </hp-dialog>`;
  }

  #times(): TemplateResult {
    return html`<label class="field">
        <span>${t("settings.jobWhen")}</span>
        <select
          class="input"
          @change=${(event: Event) => (this.when = WHENS.find((one) => one === chosenIn(event)) ?? "every")}
        >
          ${WHENS.map(
            (one) => html`<option value=${one} ?selected=${one === this.when}>${t(`settings.jobWhen_${one}`)}</option>`,
          )}
        </select>
      </label>
      <div class="two">${this.#time()}</div>`;
  }

  #time(): TemplateResult {
    switch (this.when) {
      case "at":
        return html`<label class="field">
          <span>${t("settings.jobAt")}</span>
          <input class="input" type="datetime-local" name="at" required />
        </label>`;
      case "every":
        return html`<label class="field">
            <span>${t("settings.jobEvery")}</span>
            <input class="input" type="number" name="every" min="1" max="10000" value="1" required />
          </label>
          <label class="field">
            <span>${t("settings.jobUnit")}</span>
            <select class="input" name="unit">
              ${UNITS.map(
                (unit) =>
                  html`<option value=${unit} ?selected=${unit === "hours"}>${t(`settings.jobUnit_${unit}`)}</option>`,
              )}
            </select>
          </label>`;
      case "cron":
        return html`<label class="field">
            <span>${t("settings.jobCron")}</span>
            <input class="input" name="cron" maxlength="200" placeholder="30 9 * * 1-5" required />
          </label>
          <label class="field">
            <span>${t("settings.jobZone")}</span>
            <input class="input" name="zone" maxlength="64" .value=${here()} />
          </label>`;
    }
  }

  #places(): TemplateResult {
    const isOwn = this.place === OWN_SESSION;
    return html`<label class="field">
        <span>${t("settings.jobPlace")}</span>
        <select class="input" @change=${(event: Event) => (this.place = chosenIn(event))}>
          ${
            this.#isAdmin
              ? html`<option value=${OWN_SESSION} ?selected=${isOwn}>${t("settings.jobPlaceOwn")}</option>`
              : nothing
          }
          ${this.sessions.map(
            (session) =>
              html`<option value=${session.id} ?selected=${session.id === this.place}>${titleOf(session)}</option>`,
          )}
        </select>
      </label>
      ${
        isOwn || !this.#isAdmin
          ? nothing
          : html`<label class="box small">
              <input type="checkbox" name="isolated" value="yes" />
              <span>${t("settings.jobIsolated")}</span>
            </label>`
      }
      <p class="small quiet">${t(isOwn ? "settings.jobHeld" : "settings.jobTurnHint")}</p>`;
  }
}

const chosenIn = ({ target }: Event): string => (target instanceof HTMLSelectElement ? target.value : "");

const here = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

customElements.define("hp-job-form", JobForm);
