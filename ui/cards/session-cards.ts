/**
 * The cards of one session: what waits for a person in it, or a line about what became of that. It remembers what it
 * showed, so that a decision made elsewhere is said at once instead of the card just being gone.
 *
 *   (nothing) ──▶ card ──decided · answered · expired · withdrawn──▶ line ──hide · the next card──▶ …
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import {
  type ApprovalCard,
  approvalIn,
  type Card,
  type CardAction,
  foremost,
  type NoticeCard,
  progressOf,
} from "../../src/protocol/card/card.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import { cssVars } from "../parts/css-vars.ts";
import { sayProgress } from "../chat/say-progress.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { isOnline, operatorOf } from "../state/connection.ts";
import { type ClosedCards, NO_CLOSED } from "../state/closed-cards.ts";
import { decisionOn } from "../state/decide.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import "./approval-card.ts";
import { HpApprovalCard } from "./approval-card.ts";
import { cardText, headingText, statusText } from "./card-text.ts";
import { DecisionCard } from "./decision-card.ts";
import { takesWords } from "./notice-words.ts";
import { canTake, cardsOf, isWaitingCard, type WaitingCard } from "./waiting-card.ts";
import "./question-card.ts";
import "./unsent-words.ts";

const STATUS_CHARS_SHOWN_MAX = 400;
/** An answer is news for a while; afterwards the conversation tells it. */
const NEWS_MS = 60_000;

export class HpSessionCards extends AppElement {
  static override properties = {
    session: { attribute: false },
    closed: { attribute: false },
    putAway: { state: true },
    isAgain: { state: true },
    noticesHidden: { state: true },
  };
  static override styles = [
    base,
    buttons,
    marks,
    css`
      :host {
        display: block;
      }

      .line {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-1) var(--hp-3);
        align-items: center;
        padding: var(--hp-1) var(--hp-1) var(--hp-1) var(--hp-3);
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-raised);
        font-size: var(--hp-size-small);
      }

      .line .what {
        flex: 1 1 12rem;
        min-inline-size: 0;
      }

      .line .more {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--hp-2);
        align-items: center;
      }

      @media (width < 45rem) {
        .line .what {
          flex-basis: 0;
        }

        .line .more {
          order: 1;
          flex-basis: 100%;
          margin-inline-start: calc(-1 * var(--hp-2));
        }

        .line .more .row {
          margin-inline-start: var(--hp-2);
        }
      }

      .line .what p {
        overflow: hidden;
        text-overflow: ellipsis;
      }

      .line .chip {
        white-space: normal;
        border-radius: var(--hp-round-small);
      }

      .feedback {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 3;
        white-space: pre-wrap;
      }

      .done-bar {
        inline-size: 6rem;
      }
    `,
  ];

  declare session: SessionView;
  /** What became of cards that are gone, as far as it was heard. */
  declare closed: ClosedCards;
  /** What the person put away. */
  declare putAway: string;
  declare isAgain: string;
  declare noticesHidden: ReadonlySet<string>;
  /** What was shown last while it waited. */
  #seen: WaitingCard | undefined;
  #superseded = "";
  #hadFocus = false;
  #sessionId = "";

  constructor() {
    super();
    this.closed = NO_CLOSED;
    this.putAway = "";
    this.isAgain = "";
    this.noticesHidden = new Set();
  }

  protected override reads() {
    return [this.app.state.connection, this.app.state.decide, clock];
  }

  takeFocus(): void {
    void this.updateComplete.then(() => this.#cardElement?.takeFocus());
  }

  /** Opens the text in which a person says what should change. */
  openRevise(): void {
    const card = this.#cardElement;
    if (card instanceof HpApprovalCard) card.openRevise();
    else card?.takeFocus();
  }

  get #cardElement(): DecisionCard | undefined {
    const found = this.renderRoot.querySelector("hp-approval-card, hp-question-card");
    return found instanceof DecisionCard ? found : undefined;
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const isOther = this.#sessionId !== this.session.id;
    this.#sessionId = this.session.id;
    if (isOther) {
      this.#seen = undefined;
      this.#superseded = "";
    }
    this.#hadFocus = !isOther && this.matches(":focus-within");
    const card = foremost(cardsOf(this.session));
    if (!isWaitingCard(card) || card.id === this.#seen?.id) return;
    const took = this.#seen?.kind === "approval" && card.kind === "approval" && (card.revision ?? 1) > 1;
    this.#superseded = took ? card.id : "";
    this.#seen = card;
  }

  /** The keyboard stays with the cards while there is one, and is given back when there is none. */
  protected override updated(): void {
    if (!this.#hadFocus || this.matches(":focus-within")) return;
    if (this.#cardElement === undefined) emit(this, "hp-card-left");
    else this.takeFocus();
  }

  protected override render(): TemplateResult {
    const cards = cardsOf(this.session);
    const card = foremost(cards);
    const decided = card?.kind === "approval" ? card : undefined;
    return html`${this.#waiting(card)}
      <div role="status">
        ${isWaitingCard(card) ? html`<span class="unseen">${newsOf(card)}</span>` : this.#line(decided)}
        ${cards.filter(({ kind }) => kind === "notice").map((notice) => this.#notice(notice))}
      </div>`;
  }

  #waiting(card: Card | undefined): TemplateResult | typeof nothing {
    const { app, session } = this;
    if (!isWaitingCard(card)) {
      const again = this.isAgain === "" ? undefined : reconsidered(session);
      if (again?.id !== this.isAgain) return nothing;
      return html`<hp-approval-card again .app=${app} .session=${session} .card=${again}></hp-approval-card>`;
    }
    if (card.kind !== "approval") {
      return html`<hp-question-card .app=${app} .session=${session} .card=${card}></hp-question-card>`;
    }
    return html`<hp-approval-card
      .app=${app}
      .session=${session}
      .card=${card}
      ?superseding=${this.#superseded === card.id}
    ></hp-approval-card>`;
  }

  #line(card: ApprovalCard | undefined): TemplateResult | typeof nothing {
    const past = this.#seen === undefined ? undefined : this.closed.get(this.#seen.id);
    const isNews = past?.outcome?.atMs !== undefined && clock.get() - past.outcome.atMs < NEWS_MS;
    if (past !== undefined && isNews && isTold(past) && past.id !== this.putAway) return this.#over(past);
    if (card !== undefined) return this.putAway === card.id ? nothing : this.#decided(card);
    return past === undefined ? this.#gone() : nothing;
  }

  /** What was shown is over, and nobody here heard how. */
  #gone(): TemplateResult | typeof nothing {
    const id = this.#seen?.id;
    if (id === undefined || this.putAway === id) return nothing;
    const isOurs = this.app.state.decide.doneHere(id) !== undefined;
    return this.#note(id, html`<p>${t(isOurs ? "cards.answeredHere" : "cards.closedElsewhere")}</p>`);
  }

  #over(card: Card): TemplateResult {
    return this.#note(card.id, html`<p>${this.#status(card)}</p>`);
  }

  #status(card: Card): string {
    return statusText(card, operatorOf(this.app.state.connection.get())).slice(0, STATUS_CHARS_SHOWN_MAX);
  }

  #decided(card: ApprovalCard): TemplateResult {
    const { id, title, outcome } = card;
    const isByRule = isRunning(card) && outcome?.by !== undefined && outcome.by.kind !== "operator";
    const words = card.state === "rejected" ? (outcome?.words ?? "") : "";
    return this.#note(
      id,
      html`<p>
          <strong class="clip">${visibly(title)}</strong>
          <span class=${isByRule ? "chip waiting" : "quiet"}>${this.#status(card)}</span>
        </p>
        ${words === "" ? nothing : html`<p class="feedback quiet">${visibly(words)}</p>`}`,
      this.#afterwards(card),
    );
  }

  #afterwards(card: ApprovalCard): TemplateResult {
    const { id, planId, steps } = card;
    return html`${isRunning(card) ? progress(steps) : nothing}
    ${
      card.actions.length > 0 && this.isAgain !== id
        ? html`<button class="button bare small" @click=${() => this.#again(id)}>${t("cards.afterAll")}</button>`
        : nothing
    }
    ${
      planId === undefined
        ? nothing
        : html`<a class="button bare small" href=${this.app.router.href("plan", { sessionId: this.session.id })}
            >${t("chat.openPlan")}</a
          >`
    }`;
  }

  /** What people should know; hidden, it stays so until it is another. */
  #notice(card: Card): TemplateResult | typeof nothing {
    if (card.kind !== "notice" || this.noticesHidden.has(card.id)) return nothing;
    return html`<div class="line ${card.level === "warning" ? "warning" : ""}">
      <div class="what">
        <p><strong>${headingText(card)}</strong></p>
        <p class="quiet">${this.#status(card)}</p>
      </div>
      <div class="more">${card.actions.map((action) => this.#noticeAction(card, action))}</div>
      <button
        class="button bare square"
        aria-label=${t("cards.dismiss")}
        @click=${() => (this.noticesHidden = new Set([...this.noticesHidden, card.id]))}
      >
        ${icon("bad", 14)}
      </button>
    </div>`;
  }

  /** One click, or words; whatever takes more has a card of its own. */
  #noticeAction(card: NoticeCard, action: CardAction): TemplateResult | typeof nothing {
    if (takesWords(action))
      return html`<hp-notice-words .app=${this.app} .session=${this.session} .card=${card}></hp-notice-words>`;
    if (action.input.kind !== "none") return nothing;
    const connection = this.app.state.connection.get();
    const decision = decisionOn(card, action.id);
    const isFree = isOnline(connection) && canTake(card, action, operatorOf(connection));
    return html`<button
      class="button small"
      ?disabled=${!isFree || this.app.state.decide.of(card.id)?.status === "deciding"}
      @click=${() => decision && this.app.attempt(() => this.app.state.decide.decide(this.session.id, decision))}
    >
      ${cardText(action.label)}
    </button>`;
  }

  async #again(id: string): Promise<void> {
    this.isAgain = id;
    await this.updateComplete;
    this.takeFocus();
  }

  #note(id: string, what: TemplateResult, more: TemplateResult | typeof nothing = nothing): TemplateResult {
    return html`<div class="line">
      <div class="what">${what}</div>
      ${more === nothing ? nothing : html`<div class="more">${more}</div>`}
      <button class="button bare square" aria-label=${t("cards.dismiss")} @click=${() => this.#hide(id)}>
        ${icon("bad", 14)}
      </button>
    </div>`;
  }

  #hide(id: string): void {
    this.putAway = id;
    emit(this, "hp-card-left");
  }
}

const isRunning = ({ state }: ApprovalCard): boolean => state === "approved" || state === "edited";

/** The plan that was sent back, once more before the person: they may still change their mind. */
function reconsidered(session: SessionView): ApprovalCard | undefined {
  const card = approvalIn(cardsOf(session));
  return card !== undefined && card.state === "rejected" && card.actions.length > 0 ? card : undefined;
}

/** A plan that was carried out needs no line: the conversation says so. */
const isTold = ({ state }: Card): boolean => state !== "completed" && state !== "given";

/** For whoever does not see the card come. */
const newsOf = (card: WaitingCard): string =>
  card.kind === "approval" ? `${headingText(card)}: ${visibly(card.title)}` : headingText(card);

function progress(steps: ApprovalCard["steps"]): TemplateResult {
  const { done, cancelled, all } = progressOf(steps);
  return html`<span class="row"
    ><span
      class="done-bar"
      aria-hidden="true"
      style=${cssVars({ "--done": all === 0 ? 0 : (done + cancelled) / all })}
    ></span
    ><span>${sayProgress(steps)}</span></span
  >`;
}

customElements.define("hp-session-cards", HpSessionCards);
