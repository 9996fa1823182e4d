/**
 * The plan beside the conversation, where there is room: to read and to annotate, and to follow while it is carried out.
 * Decisions are made on the card.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ViewElement } from "../app/app-element.ts";
import { sessionIdIn } from "../app/session/session-id.ts";
import { t, withTexts } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import "../parts/tabs.ts";
import { submissionOf } from "../state/plan-review.ts";
import { base } from "../theme/base.ts";
import "./plan-review.ts";
import { recordLink } from "./record-link.ts";

type Look = "run" | "plan";

class PlanPane extends ViewElement {
  static override properties = { look: { state: true }, canFollow: { state: true } };
  static override styles = [
    base,
    buttons,
    marks,
    css`
      :host {
        display: flex;
        flex-direction: column;
        block-size: 100%;
      }

      hp-plan-review,
      .run {
        flex: 1;
        min-block-size: 0;
      }

      .run {
        position: relative;
        overflow: auto;
        padding: var(--hp-4);
      }

      .choice {
        display: flex;
        align-items: center;
        padding: var(--hp-1) var(--hp-3) 0;
      }

      hp-tabs {
        flex: 1;
        min-inline-size: 0;
      }
    `,
  ];

  declare look: Look;
  /** Whether the code that draws a run is here; most sessions never need it. */
  declare canFollow: boolean;
  /** The session whose plan was seen being carried out: what was followed stays when it is done. */
  #followed = "";

  constructor() {
    super();
    this.look = "run";
    this.canFollow = false;
  }

  protected override reads() {
    return [this.app.state.open];
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const open = this.app.state.open.get();
    if (open.status !== "ready" || open.id !== this.params["sessionId"]) return;
    const phase = open.plan?.now.phase;
    const isFollowed = this.#followed === open.id;
    if (phase === "executing" && !isFollowed) {
      this.#followed = open.id;
      this.look = "run";
      void this.app
        .attempt(() => withTexts(() => import("../run/run-panel.ts"), "cards", "problems", "proof", "run", "localized"))
        .then((found) => (this.canFollow = found !== undefined));
    } else if (isFollowed && phase !== "executing" && phase !== "off") {
      this.#followed = ""; // the next plan is made: there is something to read again
    }
  }

  protected override render(): TemplateResult {
    const sessionId = sessionIdIn(this.params["sessionId"]);
    if (sessionId === undefined) return html`<p class="empty">${t("review.none")}</p>`;
    const isFollowed = this.canFollow && this.#followed === sessionId;
    return html`${isFollowed ? this.#choice() : ""}
    ${
      isFollowed && this.look === "run"
        ? html`<div class="run" tabindex="0" aria-label=${t("app.run")} role="region">
            <hp-run-panel .app=${this.app}></hp-run-panel>
          </div>`
        : html`<hp-plan-review compact .app=${this.app} .sessionId=${sessionId}></hp-plan-review>`
    }`;
  }

  #choice(): TemplateResult {
    return html`<div class="choice">
      <hp-tabs
        label=${t("review.views")}
        .tabs=${[
          { id: "run", label: t("app.run") },
          { id: "plan", label: t("app.plan") },
        ]}
        selected=${this.look}
        @hp-select=${({ detail }: CustomEvent<Look>) => (this.look = detail)}
      ></hp-tabs>
      ${this.look === "run" ? this.#toRecord() : nothing}
    </div>`;
  }

  /** Of the plan that is followed; beside its text the toolbar has one. */
  #toRecord(): TemplateResult | typeof nothing {
    const open = this.app.state.open.get();
    const plan = open.status === "ready" ? open.plan : undefined;
    const planId = submissionOf(plan)?.planId ?? plan?.past?.at(-1)?.planId;
    return planId === undefined ? nothing : recordLink(this.app, planId);
  }
}

customElements.define("hp-plan-pane", PlanPane);
