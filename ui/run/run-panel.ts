/**
 * `<hp-run-panel .app=${…}>`: the plan of the open session while it is carried out. Stands in the view of its own and
 * in the side pane alike. What changes by itself is announced, politely and only when a step moves.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { HistoryItem } from "../../src/protocol/methods.ts";
import { headLine } from "../../src/protocol/text/inline-markdown.ts";
import { AppElement } from "../app/app-element.ts";
import { sayClock, sayDate, sayTime } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { sayProgress } from "../chat/say-progress.ts";
import { clock } from "../parts/clock.ts";
import { icon, type IconName } from "../parts/icon.ts";
import { marks } from "../parts/look/marks.ts";
import { pulse } from "../parts/look/pulse.ts";
import type { Timeline } from "../state/record/timeline.ts";
import { familyOf } from "../chat/tool/call-facts.ts";
import { headingLine } from "../text/heading-line.ts";
import { inlineText } from "../text/inline-text.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { FollowedEvidence } from "../proof/followed-evidence.ts";
import { proofLook } from "../proof/proof-lines.ts";
import "./act/step-decision.ts";
import { type Stages, stagesOf } from "./act/stages-of.ts";
import "./act/vouch.ts";
import { FollowedTimeline } from "./followed-timeline.ts";
import { runPanelStyles } from "./run-panel-styles.ts";
import { type StepPlace, stepProof } from "./steps/step-proof.ts";
import { callsByStep, type StepCall } from "./steps/step-calls.ts";

export { failedByStep } from "./steps/step-calls.ts";
import "./timers/timer-list.ts";
import { isClosed, type Run, type RunRefusal, runOf, type RunStep } from "./steps/run-of.ts";

/** How far back the beginning of a run is looked for. */
const PAGES_BACK_MAX = 10;
const REFUSALS_SHOWN_MAX = 20;

type StepAt = { number: number; isCurrent: boolean; stages: Stages | undefined };

export class RunPanel extends AppElement {
  static override styles = [base, marks, pulse, runPanelStyles, proofLook];

  readonly #timeline = new FollowedTimeline(this, (timeline) => this.#lookBack(timeline));
  readonly #seen = new FollowedEvidence(this);
  #pagesBack = 0;
  /** The part that the address named last: it is brought into sight once. */
  #arrivedAt = "";
  #read: { key: unknown; calls: ReadonlyMap<string, readonly StepCall[]> } = { key: undefined, calls: new Map() };
  #proving: ReadonlySet<string> = new Set();

  protected override reads() {
    return [this.app.state.open, clock];
  }

  /** The past belongs to one session; another session has another. */
  protected override willUpdate(_changed: PropertyValues<this>): void {
    const open = this.app.state.open.get();
    if (this.#timeline.follow(open.status === "ready" ? open.id : undefined)) this.#pagesBack = 0;
  }

  /** A long run began before the newest page. */
  #lookBack({ status, before, items }: Timeline): void {
    if (status !== "ready" || before === null || this.#pagesBack >= PAGES_BACK_MAX) return;
    if (items.some(({ event }) => event === "plan.approved")) return;
    this.#pagesBack += 1;
    void this.#timeline.earlier();
  }

  /** An address may name a step, a criterion or a call; what it names may come later than the rest. */
  protected override updated(): void {
    const wanted = location.hash.slice(1);
    if (wanted !== "" && wanted !== this.#arrivedAt && this.#goTo(wanted)) this.#arrivedAt = wanted;
  }

  protected override render(): TemplateResult {
    const open = this.app.state.open.get();
    if (open.status === "missing") return html`<p class="empty">${t("app.missing")}</p>`;
    const timeline = this.#timeline.get();
    if (open.status !== "ready" || timeline === undefined) return html`<p class="empty">${t("run.loading")}</p>`;
    const run = runOf(open.plan, timeline.items, this.#seen.get());
    // always there, so that a screen reader announces it when its text changes
    return html`
      <p class="unseen" role="status">${run === undefined ? "" : sayRun(run)}</p>
      ${run === undefined ? this.#none(timeline.status === "loading") : this.#run(run)}
      <hp-timer-list small .app=${this.app} .sessionId=${open.id}></hp-timer-list>
    `;
  }

  #none(isLoading: boolean): TemplateResult {
    return html`<p class="empty">${isLoading ? t("run.loading") : t("run.noRun")}</p>`;
  }

  #run(run: Run): TemplateResult {
    const total = run.steps.length;
    const stages = this.#stages();
    return html`
      <header class="stack">
        <h2>${inlineText(run.title)}</h2>
        ${
          total === 0
            ? nothing
            : html`<progress max=${total} .value=${run.done} aria-label=${t("run.progress")}></progress>`
        }
        <p class="row wrap small quiet">
          <span class="chip ${STATE_TONES[run.state]}">${t(`run.state_${run.state}`)}</span>
          ${total === 0 ? nothing : html`<strong>${sayProgress(run.steps)}</strong>`} ${this.#approver(run)}
          ${this.#elapsed(run)}
        </p>
        ${
          run.current === undefined
            ? nothing
            : html`<p class="now">
                <span class="pulse">${icon("agent", 16)}</span>
                <span>${t("run.now", { doing: visibly(headLine(run.current.doing ?? run.current.text)) })}</span>
              </p>`
        }
        ${run.state === "left" ? html`<p class="small">${t("run.wasLeft")}</p>` : nothing}
      </header>
      ${
        total === 0
          ? nothing
          : html`<ol aria-label=${t("run.steps")}>
              ${run.steps.map((step, index) => this.#step(step, { number: index + 1, isCurrent: step === run.current, stages }))}
            </ol>`
      }
      ${this.#refusals(run.refusals)}
    `;
  }

  #approver({ by, byRule }: Run): TemplateResult | typeof nothing {
    if (byRule !== undefined) return html`<span class="chip waiting">${byRule}</span>`;
    return by === "" ? nothing : html`<span>${t("run.approvedBy", { name: by })}</span>`;
  }

  #elapsed({ startedAtMs, endedAtMs }: Run): TemplateResult | typeof nothing {
    if (startedAtMs === undefined) return nothing;
    const label = endedAtMs === undefined ? t("run.elapsed") : t("run.took");
    const took = sayClock((endedAtMs ?? clock.get()) - startedAtMs);
    return html`<span class="time" title=${sayDate(startedAtMs)}
      >${icon("clock", 14)}<span class="unseen">${label}</span>${took}</span
    >`;
  }

  #step(step: RunStep, { number, isCurrent, stages }: StepAt): TemplateResult {
    const { status } = step;
    const decided = isClosed(step) ? undefined : stages; // what is over stays as it was
    const calls = this.#calls().get(step.text) ?? [];
    return html`
      <li class="step ${status}" id="step-${number}" tabindex="-1" @hp-run-decided=${keepKeyboard}>
        <span class="mark">${icon(STEP_ICONS[status], 16)}<span class="unseen">${t(`chat.step_${status}`)}</span></span>
        <div class="grow">
          <div class="row">
            <span class="grow text"><span class="quiet small">${number}</span> ${headingLine(step.text)}</span>
            ${stages?.byStep.get(step.text.trim())?.isSkipped === true ? html`<span class="chip">${t("run.skipped")}</span>` : nothing}
            ${this.#stepTime(step)} ${this.#decision(step, decided)}
          </div>
          ${
            status === "in_progress" && !isCurrent && step.doing !== undefined
              ? html`<p class="small doing">${inlineText(step.doing)}</p>`
              : nothing
          }
          ${stepProof(step, { number, calls, goTo: (id) => this.#goTo(id), ...this.#vouching(decided, number) })}
        </div>
      </li>
    `;
  }

  #stages(): Stages | undefined {
    const open = this.app.state.open.get();
    return open.status === "ready" ? stagesOf(open.plan) : undefined;
  }

  #vouching(plan: Stages | undefined, number: number): Pick<StepPlace, "vouch"> {
    const open = this.app.state.open.get();
    if (plan === undefined || open.status !== "ready") return {};
    return {
      vouch: ({ criterion, by }) =>
        html`<hp-vouch
          .app=${this.app}
          .sessionId=${open.id}
          .plan=${plan}
          .step=${number}
          .criterion=${criterion}
          ?asksPerson=${by === "person"}
        ></hp-vouch>`,
    };
  }

  #decision({ text }: RunStep, plan: Stages | undefined): TemplateResult | typeof nothing {
    const open = this.app.state.open.get();
    const stage = plan?.byStep.get(text.trim());
    if (plan === undefined || stage === undefined || open.status !== "ready") return nothing;
    return html`<hp-step-decision
      .app=${this.app}
      .sessionId=${open.id}
      .plan=${plan}
      .step=${stage}
    ></hp-step-decision>`;
  }

  /** From a criterion to the call that proves it, and back. */
  #goTo(id: string): boolean {
    const found = this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    if (found === null) return false;
    for (let at: HTMLElement | null = found; at !== null; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true;
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
    return true;
  }

  /** Read once for each state of the transcript. */
  #calls(): ReadonlyMap<string, readonly StepCall[]> {
    const open = this.app.state.open.get();
    const items: readonly HistoryItem[] = open.status === "ready" ? open.items : [];
    const proving = (this.#seen.get().evidence ?? []).flatMap((one) => ("callId" in one ? one.callId : []));
    if (proving.length !== this.#proving.size || proving.some((id) => !this.#proving.has(id)))
      this.#proving = new Set(proving);
    const key = [items, this.#proving];
    if (!isSame(this.#read.key, key)) this.#read = { key, calls: callsByStep(items, this.#proving) };
    return this.#read.calls;
  }

  #stepTime({ status, startedAtMs, endedAtMs }: RunStep): TemplateResult | typeof nothing {
    if (startedAtMs === undefined) return nothing;
    const until = isClosed({ status }) ? endedAtMs : clock.get();
    if (until === undefined) return nothing;
    const label = isClosed({ status }) ? t("run.took") : t("run.elapsed");
    return html`<span class="time small quiet" title=${sayDate(startedAtMs)}
      ><span class="unseen">${label}</span>${sayClock(until - startedAtMs)}</span
    >`;
  }

  #refusals(refusals: readonly RunRefusal[]): TemplateResult | typeof nothing {
    if (refusals.length === 0) return nothing;
    const shown = refusals.slice(-REFUSALS_SHOWN_MAX).toReversed();
    return html`
      <section class="stack">
        <h3>${t("run.refusals")} <span class="badge waiting">${refusals.length}</span></h3>
        <ul class="stack">
          ${repeat(
            shown,
            ({ cursor }) => cursor,
            ({ atMs, tool, rule, enteredAt }) => html`
              <li class="refusal small">
                <p class="row wrap">
                  <code>${visibly(tool)}</code
                  ><span class="quiet grow">${t("run.byRule", { rule: visibly(rule) })}</span>
                  <time class="quiet" datetime=${new Date(atMs).toISOString()} title=${sayDate(atMs)}
                    >${sayTime(atMs)}</time
                  >
                </p>
                <p>${t(`chat.rule_${familyOf({ rule, entered_at: enteredAt })}`)}</p>
              </li>
            `,
          )}
        </ul>
      </section>
    `;
  }
}

/** With the step, when the button that decided about it goes. */
const keepKeyboard = ({ currentTarget }: Event): void =>
  currentTarget instanceof HTMLElement ? currentTarget.focus({ preventScroll: true }) : undefined;

const isSame = (one: unknown, other: readonly unknown[]): boolean =>
  Array.isArray(one) && one.every((item, at) => item === other[at]);

const STATE_TONES: Readonly<Record<Run["state"], string>> = { running: "accent", completed: "good", left: "" };

const STEP_ICONS: Readonly<Record<RunStep["status"], IconName>> = {
  pending: "pending",
  in_progress: "agent",
  completed: "check",
  cancelled: "bad",
};

/** Without the clock: a sentence that changes every second would be read out every second. */
function sayRun({ state, steps, current }: Run): string {
  if (state === "completed") return t("run.happened_completed");
  if (state === "left") return t("run.wasLeft");
  if (current === undefined) return sayProgress(steps);
  return `${sayProgress(steps)} · ${t("run.now", { doing: visibly(headLine(current.doing ?? current.text)) })}`;
}

customElements.define("hp-run-panel", RunPanel);
