/**
 * The cards of one session: what waits for a person in it, or a line about what became of that. It remembers what it
 * showed, so that a decision made elsewhere is said at once instead of the card just being gone.
 *
 *   (nothing) ──▶ card ──decided · answered · expired · withdrawn──▶ line ──hide · the next card──▶ …
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SessionView } from "../../src/protocol/methods.ts";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import { cssVars } from "../parts/css-vars.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { operatorOf } from "../state/connection.ts";
import { NO_OUTCOMES, type Outcome, type Outcomes } from "../state/outcomes.ts";
import { planOf } from "../state/plan-of.ts";
import { answerOf } from "../said/name-of.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import "./approval-card.ts";
import { HpApprovalCard } from "./approval-card.ts";
import { type Card, cardOf, type DecidedCard, reconsidered, type WaitingCard } from "./card-of.ts";
import { DecisionCard, personName } from "./decision-card.ts";
import "./question-card.ts";

const ANSWER_CHARS_SHOWN_MAX = 300;
/** An answer is news for a while; afterwards the conversation tells it. */
const NEWS_MS = 60_000;

/** What was shown last while it waited, and to which cycle it belonged. */
type Seen = { card: WaitingCard; cycleId: string };

export class HpSessionCards extends AppElement {
  static override properties = {
    session: { attribute: false },
    outcomes: { attribute: false },
    putAway: { state: true },
    isAgain: { state: true },
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
  declare outcomes: Outcomes;
  /** What the person put away. */
  declare putAway: string;
  declare isAgain: string;
  #seen: Seen | undefined;
  #superseded = "";
  #hadFocus = false;
  #sessionId = "";

  constructor() {
    super();
    this.outcomes = NO_OUTCOMES;
    this.putAway = "";
    this.isAgain = "";
  }

  protected override reads() {
    return [this.app.state.connection, clock];
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
    const card = cardOf(this.session);
    if (card === undefined || card.kind === "decided" || card.id === this.#seen?.card.id) return;
    const cycleId = this.#cycleId();
    const took = this.#seen?.card.kind === "approval" && this.#seen.cycleId === cycleId && card.kind === "approval";
    this.#superseded = took ? card.id : "";
    this.#seen = { card, cycleId };
  }

  /** The keyboard stays with the cards while there is one, and is given back when there is none. */
  protected override updated(): void {
    if (!this.#hadFocus || this.matches(":focus-within")) return;
    if (this.#cardElement === undefined) emit(this, "hp-card-left");
    else this.takeFocus();
  }

  #cycleId(): string {
    const now = planOf(this.session)?.now;
    return now === undefined ? "" : now.phase === "off" ? (now.cycleId ?? "") : now.cycle.id;
  }

  protected override render(): TemplateResult {
    const card = cardOf(this.session);
    const isWaiting = card !== undefined && card.kind !== "decided";
    return html`${this.#waiting(card)}
      <div role="status">
        ${isWaiting ? html`<span class="unseen">${newsOf(card)}</span>` : this.#line(card?.kind === "decided" ? card : undefined)}
      </div>`;
  }

  #waiting(card: Card | undefined): TemplateResult | typeof nothing {
    const { app, session } = this;
    switch (card?.kind) {
      case "approval":
        return html`<hp-approval-card
          .app=${app}
          .session=${session}
          .card=${card}
          ?superseding=${this.#superseded === card.id}
        ></hp-approval-card>`;
      case "question":
        return html`<hp-question-card .app=${app} .session=${session} .card=${card}></hp-question-card>`;
      default: {
        const again = this.isAgain === "" ? undefined : reconsidered(session);
        if (again?.id !== this.isAgain) return nothing;
        return html`<hp-approval-card again .app=${app} .session=${session} .card=${again}></hp-approval-card>`;
      }
    }
  }

  #line(card: DecidedCard | undefined): TemplateResult | typeof nothing {
    const past = this.#past();
    const isNews = past !== undefined && clock.get() - past.atMs < NEWS_MS;
    if (isNews && past.of !== this.putAway) return this.#closed(past);
    if (card !== undefined) return this.putAway === card.id ? nothing : this.#decided(card);
    return past === undefined && !this.#isCompleted() ? this.#gone() : nothing;
  }

  /** What was shown is over, and nobody here heard how. */
  #gone(): TemplateResult | typeof nothing {
    const id = this.#seen?.card.id;
    if (id === undefined || this.putAway === id) return nothing;
    const isOurs = this.app.state.decide.doneHere(id) !== undefined;
    return this.#note(id, html`<p>${t(isOurs ? "cards.answeredHere" : "cards.closedElsewhere")}</p>`);
  }

  #past(): Outcome | undefined {
    const seen = this.#seen?.card;
    return seen?.kind === "question" ? this.outcomes.get(seen.question.questionId) : this.#left();
  }

  /** A cycle that ended with its work done needs no line: the conversation says so. */
  #isCompleted(): boolean {
    const now = planOf(this.session)?.now;
    return now?.phase === "off" && now.left === "completed";
  }

  #left(): Outcome | undefined {
    return planOf(this.session)?.now.phase === "off" && this.#seen !== undefined
      ? this.outcomes.get(this.#seen.cycleId)
      : undefined;
  }

  #closed(outcome: Outcome): TemplateResult {
    const name = outcome.by === undefined ? "" : personName(outcome.by, operatorOf(this.app.state.connection.get()));
    return this.#note(outcome.of, html`<p>${closedText(outcome, name)}</p>`);
  }

  #decided({ id, how, by, submission, feedback, done, steps }: DecidedCard): TemplateResult {
    const name = by === undefined ? "" : personName(by, operatorOf(this.app.state.connection.get()));
    const isByRule = by !== undefined && by.kind !== "operator";
    const isRunning = how === "approved" || how === "edited";
    const text = isByRule && isRunning ? t("cards.byRule", { name }) : decidedText(how, name);
    return this.#note(
      id,
      html`<p>
          <strong class="clip">${visibly(submission.title)}</strong>
          <span class=${isByRule && isRunning ? "chip waiting" : "quiet"}>${text}</span>
        </p>
        ${feedback === "" ? nothing : html`<p class="feedback quiet">${visibly(feedback)}</p>`}`,
      html`${isRunning ? progress(done, steps) : nothing}
        ${
          how === "rejected" && this.isAgain !== id
            ? html`<button class="button bare small" @click=${() => this.#again(id)}>${t("cards.afterAll")}</button>`
            : nothing
        }
        <a class="button bare small" href=${this.app.router.href("plan", { sessionId: this.session.id })}
          >${t("chat.openPlan")}</a
        >`,
    );
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

/** For whoever does not see the card come. */
const newsOf = (card: WaitingCard): string =>
  card.kind === "approval" ? `${t("cards.planWaits")}: ${visibly(card.submission.title)}` : t("cards.questionWaits");

const progress = (done: number, all: number): TemplateResult =>
  html`<span class="row"
    ><span class="done-bar" aria-hidden="true" style=${cssVars({ "--done": all === 0 ? 0 : done / all })}></span
    ><span>${t("chat.progress", { done, all })}</span></span
  >`;

function decidedText(how: DecidedCard["how"], name: string): string {
  switch (how) {
    case "approved":
      return t("cards.approvedBy", { name });
    case "edited":
      return t("cards.editedByPerson", { name });
    case "rejected":
      return t("cards.rejectedBy", { name });
    case "timed_out":
      return t("cards.timedOut");
  }
}

function closedText(outcome: Outcome, name: string): string {
  switch (outcome.how) {
    case "answered":
      return t("cards.answeredBy", { name, answer: answerOf(outcome).slice(0, ANSWER_CHARS_SHOWN_MAX) });
    case "declined":
      return t("cards.declinedBy", { name });
    case "deferred":
      return t("cards.deferredBy", { name });
    case "timed_out":
      return t("cards.questionTimedOut");
    case "superseded":
      return t("cards.questionSuperseded");
    case "left":
      return name === "" ? t("cards.questionSuperseded") : t("cards.leftBy", { name });
  }
}

customElements.define("hp-session-cards", HpSessionCards);
