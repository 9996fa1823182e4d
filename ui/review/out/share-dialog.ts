/** `<hp-share-dialog>`: read-only links to a plan: made, copied once, listed, ended. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { PlanRevision } from "../../../src/plan-mode/protocol/plan.ts";
import type { ResultOf } from "../../../src/all-methods.ts";
import { AppElement } from "../../app/app-element.ts";
import { sayWhen } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { clock } from "../../parts/clock.ts";
import "../../parts/dialog.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { marks } from "../../parts/look/marks.ts";
import { isOnline } from "../../state/connection.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";

type Share = ResultOf<"plans.shares">["shares"][number];

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const LASTS: readonly { seconds: number; say(): string }[] = [
  { seconds: HOUR_S, say: () => t("review.hours", { count: 1 }) },
  { seconds: DAY_S, say: () => t("review.days", { count: 1 }) },
  { seconds: 7 * DAY_S, say: () => t("review.days", { count: 7 }) },
  { seconds: 30 * DAY_S, say: () => t("review.days", { count: 30 }) },
];
const WEEK = 2;

class ShareDialog extends AppElement {
  static override properties = {
    plan: { attribute: false },
    revisions: { attribute: false },
    shares: { state: true },
    link: { state: true },
    isBusy: { state: true },
    said: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    css`
      .make {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: var(--hp-3);
      }

      .whole {
        flex-basis: 100%;
      }

      .shares li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--hp-1) var(--hp-3);
        padding-block: var(--hp-2);
        border-block-start: 1px solid var(--hp-line);
      }
    `,
  ];

  declare plan: PlanRevision;
  declare revisions: readonly PlanRevision[];
  declare shares: readonly Share[];
  /** The address that was just made; its secret is nowhere else. */
  declare link: string;
  declare isBusy: boolean;
  declare said: string;

  constructor() {
    super();
    this.shares = [];
    this.link = "";
    this.isBusy = false;
    this.said = "";
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read();
  }

  async #read(): Promise<void> {
    const { sessionId } = this.plan;
    const answer = await this.app.attempt(() => this.app.call("plans.shares", { sessionId }));
    if (answer !== undefined) this.shares = answer.shares;
  }

  async #make(event: Event): Promise<void> {
    event.preventDefault();
    const chosen = this.renderRoot.querySelector("select")?.value ?? "";
    this.isBusy = true;
    const { planId } = this.plan;
    const made = await this.app.attempt(() =>
      this.app.call("plans.share", { planId, expiresInSeconds: Number(chosen) }),
    );
    this.isBusy = false;
    if (made === undefined) return;
    this.link = new URL(made.path, location.origin).href;
    await this.#read();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>("input")?.select();
  }

  async #copy(): Promise<void> {
    this.said = "";
    try {
      await navigator.clipboard.writeText(this.link);
      this.said = t("review.copied");
    } catch {
      this.renderRoot.querySelector<HTMLInputElement>("input")?.select();
      this.said = t("review.copyFailed");
    }
  }

  async #revoke(shareId: Share["shareId"]): Promise<void> {
    const done = await this.app.attempt(() => this.app.call("plans.unshare", { shareId }));
    if (done === undefined) return;
    this.said = t("review.revoked");
    await this.#read();
  }

  protected override render(): TemplateResult {
    const isOff = this.isBusy || !isOnline(this.app.state.connection.get());
    return html`<hp-dialog open heading=${t("review.shareHeading")}>
      <div class="stack">
        <p class="quiet">${t("review.shareHint", { revision: this.plan.revision })}</p>
        <form class="make" @submit=${(event: Event) => this.#make(event)}>
          <label class="field grow">
            <span>${t("review.shareFor")}</span>
            <select class="input">
              ${LASTS.map(({ seconds, say }, index) => html`<option value=${seconds} ?selected=${index === WEEK}>${say()}</option>`)}
            </select>
          </label>
          <button class="button primary" ?disabled=${isOff}>${t("review.shareCreate")}</button>
        </form>
        ${
          this.link === ""
            ? nothing
            : html`<div class="make">
                <label class="field grow">
                  <span>${t("review.shareLink")}</span>
                  <input class="input" readonly .value=${this.link} />
                </label>
                <button class="button" @click=${() => this.#copy()}>${t("review.copy")}</button>
                <p class="small quiet whole">${t("review.shareOnce")}</p>
              </div>`
        }
        <p role="status" class="small">${this.said}</p>
        <h3>${t("review.shares")}</h3>
        ${
          this.shares.length === 0
            ? html`<p class="quiet">${t("review.noShares")}</p>`
            : html`<ul class="shares">
                ${this.shares.map((share) => this.#share(share, isOff))}
              </ul>`
        }
      </div>
    </hp-dialog>`;
  }

  #share({ shareId, planId, by, expiresAtMs, revoked }: Share, isOff: boolean): TemplateResult {
    const name = visibly(by.name);
    const revision = this.revisions.find((plan) => plan.planId === planId)?.revision;
    const isOver = revoked || expiresAtMs <= clock.get();
    return html`<li>
      <span class="grow">
        ${revision === undefined ? t("review.shareLineOther", { name }) : t("review.shareLine", { revision, name })}
      </span>
      <span class="small quiet">
        ${isOver ? t("review.shareEnded") : t("review.shareEnds", { when: sayWhen(expiresAtMs, clock.get()) })}
      </span>
      ${
        isOver
          ? nothing
          : html`<button class="button danger" ?disabled=${isOff} @click=${() => this.#revoke(shareId)}>
              ${t("review.revoke")}
            </button>`
      }
    </li>`;
  }
}

customElements.define("hp-share-dialog", ShareDialog);
