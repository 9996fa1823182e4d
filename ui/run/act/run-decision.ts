/**
 * What decisions about a plan that is being carried out have in common: they name the plan that the person saw, are sent
 * once, and say why the last try did nothing.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { AppElement } from "../../app/app-element.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { marks } from "../../parts/look/marks.ts";
import { problemLines } from "../../problems/problem-lines.ts";
import { refusalProblem } from "../../problems/problem-of.ts";
import { isOnline, mayDecide, operatorOf } from "../../state/connection.ts";
import type { Attempt } from "../../state/decide.ts";
import { base } from "../../theme/base.ts";
import type { Stages } from "./stages-of.ts";

export abstract class RunDecision extends AppElement {
  static override properties: Record<string, object> = {
    sessionId: { attribute: false },
    plan: { attribute: false },
  };
  static override styles = [
    base,
    buttons,
    marks,
    css`
      :host {
        display: block;
      }

      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-1) var(--hp-2);
        align-items: center;
      }

      .told {
        padding: var(--hp-1) var(--hp-3);
        border-radius: var(--hp-round);
      }
    `,
  ];

  declare sessionId: SessionId;
  declare plan: Pick<Stages, "approvalId" | "digest">;

  protected override reads() {
    return [this.app.state.connection, this.app.state.decide];
  }

  /** What is decided about, among all that is decided about this plan. */
  protected abstract get about(): string;

  get #id(): string {
    return `${this.plan.approvalId}:${this.about}`;
  }

  get #attempt(): Attempt | undefined {
    return this.app.state.decide.of(this.#id);
  }

  protected get mayDecide(): boolean {
    return mayDecide(operatorOf(this.app.state.connection.get()));
  }

  protected get isReady(): boolean {
    return isOnline(this.app.state.connection.get()) && this.mayDecide && this.#attempt?.status !== "deciding";
  }

  /** The second click of a double click decides nothing. */
  protected async send(action: string, given: JsonObject, event?: Event): Promise<boolean> {
    if (!this.isReady || (event instanceof MouseEvent && event.detail > 1)) return false;
    const planApproval: JsonObject = { action, approvalId: this.plan.approvalId, ...given };
    const decision = { of: this.#id, action, patch: { planApproval } };
    const step = this.closest(".step") ?? this; // by then the answer may have taken away what was pressed
    const outcome = await this.app.attempt(() => this.app.state.decide.decide(this.sessionId, decision));
    if (outcome === "done") emit(step, "hp-run-decided");
    return outcome === "done";
  }

  /** Both regions are always there, for screen readers. */
  protected state(): TemplateResult {
    const attempt = this.#attempt;
    const waiting =
      attempt?.status !== "deciding" ? "" : t(attempt.asksPasskey === true ? "cards.signing" : "cards.deciding");
    return html`<div role="status">
        ${waiting === "" ? nothing : html`<p class="told waiting small">${waiting}</p>`}
      </div>
      <div role="alert">
        ${
          attempt?.status === "refused"
            ? html`<p class="told bad small">${problemLines(refusalProblem(attempt))}</p>`
            : nothing
        }
      </div>`;
  }
}
