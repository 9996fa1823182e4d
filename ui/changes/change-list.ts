/**
 * `<hp-change-list .app .changes .seen>`: what a plan did to its workspace, per step the commands that ran and the files that
 * they changed, with their lines. What no step names is marked; a step or the whole plan can be rolled back.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ChangedFile, ChangingCall, PlanChanges, StepChanges } from "../../src/changes/protocol/changes.ts";
import { headLine, plainLine } from "../../src/protocol/text/inline-markdown.ts";
import { AppElement } from "../app/app-element.ts";
import { sayClock, sayDate, sayTime } from "../i18n/say.ts";
import { t, withTexts } from "../i18n/t.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { isOnline } from "../state/connection.ts";
import { reviewIcon } from "../review/review-icon.ts";
import { breakable, headingLine } from "../text/heading-line.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { changesLook } from "./changes-look.ts";
import { type LinesQuery } from "./file-lines.ts";
import "./file-lines.ts";
import type { SeenPlan } from "../proof/followed-evidence.ts";
import type { RollbackAsked } from "./rollback-dialog.ts";
import { SIGNS } from "./signs.ts";

export class ChangeList extends AppElement {
  static override properties = {
    changes: { attribute: false },
    seen: { attribute: false },
    isPart: { attribute: false },
    asked: { state: true },
    opened: { state: true },
  };
  static override styles = [
    base,
    buttons,
    marks,
    changesLook,
    css`
      :host {
        display: block;
        min-inline-size: 0;
      }
    `,
  ];

  declare changes: PlanChanges;
  /** What was seen of the criteria, for the way from a call to what it proves. */
  declare seen: SeenPlan;
  /** It stands in a section of a view that offers the rollback of the whole plan itself. */
  declare isPart: boolean;
  declare asked: RollbackAsked | undefined;
  /** Files whose lines are shown, by what they were changed by. */
  declare opened: ReadonlySet<string>;

  constructor() {
    super();
    this.isPart = false;
    this.asked = undefined;
    this.opened = new Set();
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  protected override render(): TemplateResult {
    const { changes } = this;
    return html`
      <div class="column">${this.#summary(changes)} ${this.#steps(changes)} ${this.#others(changes)}</div>
      ${
        this.asked === undefined
          ? nothing
          : html`<hp-rollback-dialog
              .app=${this.app}
              .asked=${this.asked}
              @hp-close=${() => this.#closed()}
            ></hp-rollback-dialog>`
      }
    `;
  }

  #closed(): void {
    this.asked = undefined;
    emit(this, "hp-rolled-back");
  }

  /** Shows what a rollback of the whole plan would do, with the button that does it. */
  askForAll(): Promise<void> {
    const { sessionId, cycleId } = this.changes;
    return this.#ask({ sessionId, cycleId, step: null });
  }

  #summary(changes: PlanChanges): TemplateResult {
    const { steps, undeclared, declares, rollbacks, gaps, failures } = changes;
    const standing = steps.flatMap(({ files }) => files.filter(({ restored }) => restored !== true));
    const paths = new Set(standing.map(({ path }) => path));
    return html`
      <header class="stack">
        <div class="bar">
          <p class="grow" role="status">
            <strong>${t("changes.files", { n: paths.size })}</strong>
            ${undeclared === 0 ? nothing : html`<span class="chip waiting">${t("changes.undeclaredCount", { n: undeclared })}</span>`}
          </p>
          ${paths.size === 0 || this.isPart ? nothing : this.#rollbackButton(changes, null, t("changes.rollBackPlan"))}
        </div>
        ${undeclared > 0 && !declares ? html`<p class="small quiet">${t("changes.declaresNothing")}</p>` : nothing}
        ${this.#level(changes)}
        ${failures.map((why) => html`<p class="small warning">${t("changes.noSnapshot", { why: visibly(why) })}</p>`)}
        ${gaps.map(
          ({ path, why }) =>
            html`<p class="small warning">
              ${t("changes.gap", { path: path === "" ? t("changes.gapRest") : visibly(path), why: visibly(why) })}
            </p>`,
        )}
        ${rollbacks.map(rollbackLine)}
      </header>
    `;
  }

  #level({ level, sessionId }: PlanChanges): TemplateResult | typeof nothing {
    if (level === "stopped") return html`<p class="warning">${t("changes.stopped")}</p>`;
    if (level !== "paused") return nothing;
    return html`<div class="warning bar">
      <p class="grow">${t("changes.paused")}</p>
      <button
        class="button"
        ?disabled=${!isOnline(this.app.state.connection.get())}
        @click=${() => this.app.attempt(() => this.app.call("changes.resume", { sessionId }))}
      >
        ${t("changes.resume")}
      </button>
    </div>`;
  }

  #rollbackButton({ sessionId, cycleId }: PlanChanges, step: number | null, label: string): TemplateResult {
    return html`<button
      class="button"
      ?disabled=${!isOnline(this.app.state.connection.get())}
      @click=${() => this.#ask({ sessionId, cycleId, step })}
    >
      ${reviewIcon("undo")} ${label}
    </button>`;
  }

  async #ask(asked: RollbackAsked): Promise<void> {
    const loaded = await this.app.attempt(() => withTexts(() => import("./rollback-dialog.ts"), "changes", "run"));
    if (loaded !== undefined) this.asked = asked;
  }

  #steps(changes: PlanChanges): TemplateResult {
    return html`${repeat(
      changes.steps,
      ({ step }) => step ?? 0,
      (step) => this.#step(step, changes),
    )}`;
  }

  #step({ step, text, calls, files, moreFiles }: StepChanges, changes: PlanChanges): TemplateResult {
    const hasButton = step !== null && files.some(({ restored }) => restored !== true);
    return html`
      <section>
        <div class="bar">
          ${this.#heading(step === null ? t("changes.noStep") : html`<span class="quiet">${step}</span> ${headingLine(text.includes("\n") ? headLine(text) : text)}`)}
          ${hasButton ? this.#rollbackButton(changes, step, t("changes.rollBackStep")) : nothing}
        </div>
        ${
          calls.some(isShown)
            ? html`<ul aria-label=${t("changes.commands")}>
                ${calls.filter(isShown).map((one) => callLine(one, this.#proves(one, changes)))}
              </ul>`
            : nothing
        }
        ${files.length === 0 ? html`<p class="small quiet">${t("changes.noFiles")}</p>` : nothing}
        <div>${this.#files(files, { changes, of: "plan", step })}</div>
        ${moreFiles > 0 ? html`<p class="small quiet">${t("changes.more", { n: moreFiles })}</p>` : nothing}
      </section>
    `;
  }

  #heading(words: unknown): TemplateResult {
    return this.isPart ? html`<h3 class="grow">${words}</h3>` : html`<h2 class="grow">${words}</h2>`;
  }

  /** The criteria that a call proves, and the way back to them. */
  #proves({ callId }: ChangingCall, { sessionId }: PlanChanges): readonly TemplateResult[] {
    const { steps, evidence = [] } = this.seen;
    const proven = evidence.filter((one) => "callId" in one && one.callId === callId);
    return proven.map(({ step, criterion }) => {
      const words = t("proof.proves", { criterion: visibly(plainLine(criterion)) });
      if (this.isPart) return html`<span class="proves quiet">${words}</span>`; // the session may be at another plan
      const number = steps.findIndex((one) => one.step.trim() === step) + 1;
      const href = `${this.app.router.href("plan", { sessionId })}#step-${number}`;
      const go = (event: Event): void => {
        event.preventDefault();
        this.app.router.open(href);
      };
      return html`<a class="proves" href=${href} @click=${go}>${words}</a>`;
    });
  }

  #others(changes: PlanChanges): TemplateResult | typeof nothing {
    const { outside, moreOutside } = changes;
    if (outside.length === 0) return nothing;
    return html`
      <section>
        ${this.#heading(t("changes.others"))}
        <div>${this.#files(outside, { changes, of: "others" })}</div>
        ${moreOutside > 0 ? html`<p class="small quiet">${t("changes.more", { n: moreOutside })}</p>` : nothing}
      </section>
    `;
  }

  #files(files: readonly ChangedFile[], at: At): TemplateResult {
    return html`${repeat(
      files,
      ({ path }) => path,
      (file) => this.#file(file, at),
    )}`;
  }

  #file({ path, change, undeclared, lost, restored }: ChangedFile, { changes, of, step }: At): TemplateResult {
    const key = `${of} ${step ?? ""} ${path}`;
    const { sessionId, cycleId } = changes;
    const version = changes.steps.reduce(
      (sum, { calls, moreCalls }) => sum + calls.length + moreCalls,
      changes.rollbacks.length,
    );
    const query: LinesQuery = { sessionId, cycleId, of, path, version, ...(step === undefined ? {} : { step }) };
    return html`
      <details ?open=${this.opened.has(key)} @toggle=${(event: Event) => this.#toggled(event, key)}>
        <summary>
          <span class="sign ${change}" aria-hidden="true">${SIGNS[change]}</span>
          <span class="unseen">${t(`changes.kind_${change}`)}</span>
          <code class="path ${restored === true ? "restored" : ""}">${breakable(path)}</code>
          ${restored === true ? html`<span class="chip good">${t("changes.restored")}</span>` : nothing}
          ${undeclared === true && of === "plan" ? html`<span class="chip waiting">${t("changes.undeclared")}</span>` : nothing}
          ${lost === true ? html`<span class="chip">${t("changes.lost")}</span>` : nothing}
        </summary>
        ${this.opened.has(key) ? html`<hp-file-lines .app=${this.app} .query=${query}></hp-file-lines>` : nothing}
      </details>
    `;
  }

  #toggled(event: Event, key: string): void {
    if (!(event.target instanceof HTMLDetailsElement)) return;
    const opened = new Set(this.opened);
    if (event.target.open) opened.add(key);
    else opened.delete(key);
    this.opened = opened;
  }
}
type At = { changes: PlanChanges; of: LinesQuery["of"]; step?: number | null };

/** A call of a file tool says no more than the file that it changed. */
const isShown = ({ command, status }: ChangingCall): boolean => command !== undefined || status === "running";

function callLine(
  { tool, command, exitCode, status, atMs, endedAtMs }: ChangingCall,
  proves: readonly TemplateResult[],
): TemplateResult {
  const isGood = exitCode === undefined ? status === "ok" : exitCode === 0;
  const ended = exitCode === undefined || exitCode === null ? status : t("changes.exit", { code: exitCode });
  return html`
    <li class="call small">
      ${icon("terminal", 14)} <code>${visibly(command ?? tool)}</code>
      ${
        endedAtMs === null
          ? html`<span class="chip accent">${t("changes.running")}</span>`
          : html`<span class="chip ${status === "unknown" ? "" : isGood ? "good" : "bad"}">${ended}</span>
              <span class="quiet">${sayClock(endedAtMs - atMs)}</span>`
      }
      <time class="quiet" datetime=${new Date(atMs).toISOString()} title=${sayDate(atMs)}>${sayTime(atMs)}</time>
      ${proves}
    </li>
  `;
}

function rollbackLine({ step, by, atMs, restored, left }: PlanChanges["rollbacks"][number]): TemplateResult {
  const about = { name: visibly(by), restored: restored ?? 0, left: left.length };
  const text = step === null ? t("changes.rolledBackPlan", about) : t("changes.rolledBackStep", { ...about, step });
  return html`<p class="small row">
    ${reviewIcon("undo", 14)} <span class="grow">${text}</span>
    <time class="quiet" datetime=${new Date(atMs).toISOString()} title=${sayDate(atMs)}>${sayTime(atMs)}</time>
  </p>`;
}

customElements.define("hp-change-list", ChangeList);
