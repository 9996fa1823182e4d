/** `<hp-confirm-edited>`: what the person changed, as the gateway sees it, and the signature under it. */
import { css, html, nothing, type TemplateResult } from "lit";
import { findAction } from "../../../src/protocol/card/availability.ts";
import { approvalIn } from "../../../src/protocol/card/card.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import type { PlanDiff } from "../../../src/plan-mode/protocol/review.ts";
import { AppElement } from "../../app/app-element.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/dialog.ts";
import { cardsOf } from "../../cards/waiting-card.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { marks } from "../../parts/look/marks.ts";
import { problemLines } from "../../problems/problem-lines.ts";
import { refusalProblem } from "../../problems/problem-of.ts";
import { isOnline } from "../../state/connection.ts";
import { besideText } from "../../state/decide.ts";
import { base } from "../../theme/base.ts";
import { changeLook, stepChanges } from "../diff/change-list.ts";
import type { EditBase } from "./kept-edit.ts";

class ConfirmEdited extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    edition: { attribute: false },
    steps: { attribute: false },
    revision: { attribute: false },
    diff: { state: true },
  };
  static override styles = [
    base,
    buttons,
    marks,
    changeLook,
    css`
      .told {
        padding: var(--hp-2) var(--hp-3);
        border-radius: var(--hp-round);
      }
    `,
  ];

  declare sessionId: SessionId;
  declare edition: EditBase;
  declare steps: PlanStep[];
  /** The number that the edition gets. */
  declare revision: number;
  declare diff: PlanDiff | undefined;
  /** What the card said when this dialog was opened: a rejection that comes later is not approved over (PL-20). */
  #seen: JsonObject = {};

  protected override reads() {
    return [this.app.state.connection, this.app.state.decide];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#seen = this.#cardSeen();
    void this.#compare();
  }

  #cardSeen(): JsonObject {
    const open = this.app.state.open.get();
    const card = open.status === "ready" ? approvalIn(cardsOf(open.session)) : undefined;
    const value = card?.id === this.edition.approvalId ? findAction(card, "approve-edition")?.patch.value : undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    const { overRejection } = value;
    return overRejection === undefined ? {} : { overRejection };
  }

  async #compare(): Promise<void> {
    const { planId } = this.edition;
    const answer = await this.app.attempt(() => this.app.call("plans.diff", { planId, steps: this.steps }));
    if (answer === undefined) return emit(this, "hp-close");
    this.diff = answer.diff ?? undefined;
  }

  async #approve(event: MouseEvent): Promise<void> {
    if (event.detail > 1) return; // the second click of a double click signs nothing
    const allowEdits = this.renderRoot.querySelector<HTMLInputElement>("input")?.checked ?? false;
    const { approvalId, digest } = this.edition;
    const steps = this.steps.map(plainStep);
    const planApproval = { action: "approve_edited", approvalId, digest, ...this.#seen, steps, allowEdits };
    const decision = besideText({ of: approvalId, action: "approve-edition", patch: { planApproval } });
    const outcome = await this.app.attempt(() => this.app.state.decide.decide(this.sessionId, decision));
    if (outcome === "done") emit(this, "hp-edited");
  }

  protected override render(): TemplateResult {
    const { diff } = this;
    return html`<hp-dialog open heading=${t("review.confirmEdited")}>
      ${diff === undefined ? html`<p class="empty">${t("review.loading")}</p>` : this.#body(diff)}
    </hp-dialog>`;
  }

  #body(diff: PlanDiff): TemplateResult {
    const attempt = this.app.state.decide.of(this.edition.approvalId);
    const isSame = diff.steps.every(({ change, moved }) => change === "same" && !moved);
    const isOff = attempt?.status === "deciding" || !isOnline(this.app.state.connection.get());
    return html`<div class="stack">
      ${isSame ? html`<p class="empty">${t("review.nothingEdited")}</p>` : stepChanges(diff.steps)}
      ${isSame ? nothing : html`<p class="quiet small">${t("review.confirmHint", { revision: this.revision })}</p>`}
      <label class="row small"><input type="checkbox" />${t("review.allowEdits")}</label>
      <div role="alert">
        ${attempt?.status === "refused" ? html`<p class="told bad">${problemLines(refusalProblem(attempt))}</p>` : nothing}
      </div>
      <div class="row">
        <button class="button sign" ?disabled=${isOff} @click=${(event: MouseEvent) => this.#approve(event)}>
          ${icon("sign")}${t("review.approveEdited")}
        </button>
        <button class="button" @click=${() => emit(this, "hp-close")}>${t("app.cancel")}</button>
      </div>
    </div>`;
  }
}

/** Without fields that are not there. */
function plainStep({ step, status, ...optional }: PlanStep): JsonObject {
  const given = Object.entries(optional).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return { step, status, ...Object.fromEntries(given) };
}

customElements.define("hp-confirm-edited", ConfirmEdited);
