/** `<hp-shared-plans .app>`: the plans that several sessions share, how far each is, who changes it, and its steps. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ResultOf } from "../../src/all-methods.ts";
import type { SharedPlan, SharedStepChange } from "../../src/library/protocol/shared-plan.ts";
import { hasScope } from "../../src/protocol/card/person.ts";
import { AppElement } from "../app/app-element.ts";
import { sayDate, sayTime } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { cssVars } from "../parts/css-vars.ts";
import { textIn } from "../parts/form-text.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import { isOnline, operatorOf } from "../state/connection.ts";
import { inlineText } from "../text/inline-text.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";

type Listed = ResultOf<"library.sharedPlans">;
type Entry = Listed["plans"][number];
type Lock = NonNullable<Entry["lock"]>;

const STEP_CHARS_MAX = 2_000;
const STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const;

class SharedPlans extends AppElement {
  static override properties = { found: { state: true }, opened: { state: true } };
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-4);
      }

      .row {
        flex-wrap: wrap;
      }

      .plans > li {
        padding-block: var(--hp-3);
        border-block-start: 1px solid var(--hp-line);
      }

      summary {
        min-block-size: 1.75rem;
        cursor: pointer;
      }

      summary strong {
        overflow-wrap: anywhere;
      }

      @media (pointer: coarse) {
        summary {
          min-block-size: 2.75rem;
        }
      }

      .facts {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--hp-3);
        align-items: center;
      }

      .done-bar {
        inline-size: 6rem;
      }

      .steps {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        padding-block: var(--hp-3);
      }

      .steps > li {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-1) var(--hp-3);
        align-items: center;
      }

      .steps .text {
        flex: 1 1 14rem;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }

      .steps select {
        inline-size: auto;
      }

      form.row {
        align-items: end;
      }

      form .field {
        flex: 1 1 12rem;
      }
    `,
  ];

  declare found: Listed | "loading" | "failed";
  /** The steps of those that were opened, by name. */
  declare opened: ReadonlyMap<string, SharedPlan>;
  #wasOnline = false;

  constructor() {
    super();
    this.found = "loading";
    this.opened = new Map();
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { isReachable } = this;
    if (isReachable && !this.#wasOnline) void this.#list();
    this.#wasOnline = isReachable;
  }

  get isReachable(): boolean {
    return isOnline(this.app.state.connection.get());
  }

  get #mayWrite(): boolean {
    const operator = operatorOf(this.app.state.connection.get());
    return operator !== undefined && hasScope(operator.scopes, "operator.write");
  }

  async #list(): Promise<void> {
    try {
      this.found = await this.app.call("library.sharedPlans", {});
      for (const name of this.opened.keys()) await this.#open(name);
    } catch {
      if (typeof this.found === "string") this.found = "failed";
    }
  }

  async #open(namespace: string): Promise<void> {
    const answer = await this.app.attempt(() => this.app.call("library.sharedPlan", { namespace }));
    if (answer?.plan) this.#keep(answer.plan);
  }

  #keep(plan: SharedPlan): void {
    this.opened = new Map([...this.opened, [plan.namespace, plan]]);
  }

  /** Whether it was changed; if not, the person sees why. */
  async #change(namespace: string, steps: SharedStepChange[]): Promise<boolean> {
    const done = await this.app.attempt(() => this.app.call("library.changeSharedPlan", { namespace, steps }));
    if (done !== undefined) this.#keep(done.plan);
    await this.#list();
    return done !== undefined;
  }

  async #add(event: SubmitEvent, named?: string): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const namespace = named ?? textIn(form, "namespace");
    const isDone = await this.#change(namespace, [{ step: textIn(form, "step"), status: "pending" }]);
    if (isDone) form.reset();
  }

  protected override render(): TemplateResult {
    const { found } = this;
    return html`<div class="row">
        <p class="quiet small grow">${t("library.sharedHint")}</p>
        <button class="button" ?disabled=${!this.isReachable} @click=${() => this.#list()}>
          ${icon("redo", 16)}${t("library.sharedAgain")}
        </button>
      </div>
      ${
        found === "loading"
          ? html`<p class="empty" role="status">${t("library.loading")}</p>`
          : found === "failed"
            ? html`<p class="empty">${t("library.failed")}</p>`
            : this.#plans(found)
      }
      ${this.#mayWrite ? this.#making() : nothing}`;
  }

  #plans({ plans, more }: Listed): TemplateResult {
    if (plans.length === 0) return html`<p class="empty">${t("library.sharedNone")}</p>`;
    return html`<ul class="plans" aria-label=${t("library.tabShared")}>
        ${repeat(
          plans,
          ({ namespace }) => namespace,
          (entry) => html`<li>${entry.plan === null ? broken(entry) : this.#plan(entry, entry.plan)}</li>`,
        )}
      </ul>
      ${more ? html`<p class="quiet small">${t("library.sharedMore", { count: plans.length })}</p>` : nothing}`;
  }

  #plan({ namespace, lock }: Entry, plan: NonNullable<Entry["plan"]>): TemplateResult {
    const { steps, done, cancelled, updatedBy, updatedAtMs } = plan;
    const opened = this.opened.get(namespace);
    return html`<details
      ?open=${opened !== undefined}
      @toggle=${({ target }: Event) =>
        target instanceof HTMLDetailsElement && target.open && !this.opened.has(namespace) && this.#open(namespace)}
    >
      <summary>
        <strong>${namespace}</strong>
        ${lock === null ? nothing : html`<span class="chip waiting">${lockText(lock)}</span>`}
        <span class="facts small quiet">
          <span
            class="done-bar"
            aria-hidden="true"
            style=${cssVars({ "--done": steps === 0 ? 0 : (done + cancelled) / steps })}
          ></span>
          <span>${t("library.sharedDone", { done, total: steps })}</span>
          ${cancelled === 0 ? nothing : html`<span>${t("chat.cancelledCount", { count: cancelled })}</span>`}
          <span>${t("library.sharedChanged", { name: visibly(updatedBy), when: sayDate(updatedAtMs) })}</span>
        </span>
      </summary>
      ${opened === undefined ? nothing : this.#steps(opened)}
    </details>`;
  }

  #steps({ namespace, steps }: SharedPlan): TemplateResult {
    return html`<ol class="steps">
        ${steps.map(
          ({ step, status, activeForm, updatedBy, updatedAtMs }) =>
            html`<li>
              <span class="text">
                ${inlineText(step)}
                <span class="small quiet" title=${sayDate(updatedAtMs)}
                  >· ${t("library.sharedChanged", { name: visibly(updatedBy), when: sayTime(updatedAtMs) })}</span
                >
              </span>
              ${this.#mayWrite ? this.#status(namespace, { step, status, activeForm }) : html`<span class="chip">${t(`chat.step_${status}`)}</span>`}
            </li>`,
        )}
      </ol>
      ${this.#mayWrite ? this.#adding(namespace) : nothing}`;
  }

  #status(namespace: string, change: SharedStepChange): TemplateResult {
    return html`<select
      class="input"
      aria-label=${t("library.sharedStatus", { step: visibly(change.step) })}
      ?disabled=${!this.isReachable}
      @change=${({ target }: Event) => {
        const status = STATUSES.find((one) => target instanceof HTMLSelectElement && one === target.value);
        if (status !== undefined) void this.#change(namespace, [{ ...change, status }]);
      }}
    >
      ${STATUSES.map(
        (one) => html`<option value=${one} ?selected=${one === change.status}>${t(`chat.step_${one}`)}</option>`,
      )}
    </select>`;
  }

  #adding(namespace: string): TemplateResult {
    return html`<form class="row" @submit=${(event: SubmitEvent) => this.#add(event, namespace)}>
      <label class="field">
        <span>${t("library.sharedStep")}</span>
        <input class="input" name="step" maxlength=${STEP_CHARS_MAX} required />
      </label>
      <button class="button" ?disabled=${!this.isReachable}>${t("library.sharedAdd")}</button>
    </form>`;
  }

  #making(): TemplateResult {
    return html`<details>
      <summary>${t("library.sharedNew")}</summary>
      <form class="row" @submit=${(event: SubmitEvent) => this.#add(event)}>
        <label class="field">
          <span>${t("library.sharedName")}</span>
          <input class="input" name="namespace" maxlength="128" required autocapitalize="off" spellcheck="false" />
        </label>
        <label class="field">
          <span>${t("library.sharedFirst")}</span>
          <input class="input" name="step" maxlength=${STEP_CHARS_MAX} required />
        </label>
        <button class="button" ?disabled=${!this.isReachable}>${t("library.sharedMake")}</button>
      </form>
    </details>`;
  }
}

const lockText = ({ state, sinceMs }: Lock): string =>
  t(state === "held" ? "library.sharedLocked" : "library.sharedAbandoned", { time: sayTime(sinceMs) });

/** The gateway's own words: what is wrong with a file is for whoever can mend it. */
const broken = ({ namespace, problem }: Entry): TemplateResult =>
  html`<p><strong>${namespace}</strong> <span class="chip bad">${t("library.sharedBroken")}</span></p>
    <p class="small" lang="en">${visibly(problem ?? "")}</p>`;

customElements.define("hp-shared-plans", SharedPlans);
