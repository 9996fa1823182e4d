/**
 * `<hp-plan-row>`: one plan in the conversation, as a list of its steps that changes while it is carried out. Its calls
 * are not shown one by one; what it needs from a person stands on the card.
 */
import { html, nothing, type TemplateResult } from "lit";
import { approvalIn, type CardStep, type CardStepStatus, progressOf } from "../../../src/protocol/card/card.ts";
import { AppElement } from "../../app/app-element.ts";
import { t } from "../../i18n/t.ts";
import { cssVars } from "../../parts/css-vars.ts";
import { icon, type IconName } from "../../parts/icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { marks } from "../../parts/look/marks.ts";
import type { ReadySession } from "../../state/open-session.ts";
import { inlineText, lineOrBlock } from "../../text/inline-text.ts";
import { base } from "../../theme/base.ts";
import type { PlanRow } from "../rows.ts";
import { sayProgress } from "../say-progress.ts";
import { areClosed, type ShownStep } from "./folded-steps.ts";
import { planLook } from "./plan-look.ts";

const KEPT_MAX = 200;

/** What a person opened or closed, kept while the row is scrolled away. */
const toggled = new Map<string, boolean>();

const STEP_ICONS: Readonly<Record<CardStepStatus, IconName>> = {
  pending: "pending",
  in_progress: "agent",
  completed: "check",
  cancelled: "bad",
};

export class HpPlanRow extends AppElement {
  static override properties = { row: { attribute: false }, open: { attribute: false } };
  static override styles = [base, buttons, marks, planLook];

  declare row: PlanRow;
  declare open: ReadySession;

  #toggle(event: Event, isOpenByItself: boolean): void {
    const isOpen = event.target instanceof HTMLDetailsElement && event.target.open;
    if (isOpen === (toggled.get(this.row.key) ?? isOpenByItself)) return;
    toggled.set(this.row.key, isOpen);
    for (const key of [...toggled.keys()].slice(0, Math.max(0, toggled.size - KEPT_MAX))) toggled.delete(key);
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { row, open } = this;
    const { title, steps } = row.isLatest ? liveOf(row, open) : row;
    const card = row.isLatest ? approvalIn(open.session.cards ?? []) : undefined;
    const isRunning = card?.state === "approved" || card?.state === "edited";
    const isOpen = toggled.get(row.key) ?? isRunning;
    return html`<details class="plan" ?open=${isOpen} @toggle=${(event: Event) => this.#toggle(event, isRunning)}>
      <summary>
        ${icon("plan", 16)}
        <strong class="grow title">${title === "" ? t("chat.planSteps") : inlineText(title)}</strong>
        ${progress(steps)}<span class="turns">${icon("down", 14)}</span>
      </summary>
      ${
        isOpen
          ? html`<ol tabindex="0" aria-label=${t("chat.planSteps")}>
                ${steps.map(stepLine)}
              </ol>
              <a class="button bare small" href=${this.app.router.href("plan", { sessionId: open.id })}
                >${t("chat.openPlan")}</a
              >`
          : nothing
      }
    </details>`;
  }
}

/** While nothing is begun the number of steps says more than that none is done. */
function progress(steps: readonly ShownStep[]): TemplateResult | typeof nothing {
  if (steps.length === 0) return nothing;
  const { done, cancelled, all } = progressOf(steps);
  if (done === 0 && steps.every(({ status }) => status === "pending"))
    return html`<span class="count quiet">${t("chat.steps", { count: steps.length })}</span>`;
  return html`<span
      class="done-bar ${areClosed(steps) ? "all" : ""}"
      aria-hidden="true"
      style=${cssVars({ "--done": all === 0 ? 1 : (done + cancelled) / all })}
    ></span
    ><span class="count">${sayProgress(steps)}</span>`;
}

const stepLine = ({ text, status, activeForm }: ShownStep): TemplateResult =>
  html`<li class=${status}>
    <span class="mark">${icon(STEP_ICONS[status], 14)}<span class="unseen">${t(`chat.step_${status}`)}: </span></span>
    <div class="text">${lineOrBlock(status === "in_progress" ? (activeForm ?? text) : text)}</div>
  </li>`;

/** The card says how its steps stand; once it is closed, the state of the session still holds them. */
function liveOf({ title, steps }: PlanRow, { session, plan }: ReadySession): Pick<PlanRow, "title" | "steps"> {
  const card = approvalIn(session.cards ?? []);
  if (card !== undefined && card.steps.length > 0) return { title: card.title, steps: card.steps };
  const stored = plan?.now.steps ?? [];
  return stored.length === 0 ? { title, steps } : { title, steps: stored.map(toShown) };
}

const toShown = ({
  step,
  status,
  activeForm,
}: {
  step: string;
  status: CardStepStatus;
  activeForm?: string | undefined;
}) => ({ text: step, status, ...(activeForm === undefined ? {} : { activeForm }) }) satisfies Partial<CardStep>;

customElements.define("hp-plan-row", HpPlanRow);
