/**
 * What the cards have in common. A card belongs to one id: when that changes, drafts and refusals are those of the new
 * one, and its buttons rest for a moment, so that a click meant for the plan before it signs nothing.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SessionView } from "../../src/protocol/methods.ts";
import { type CardAction, type CardDeadline, type NoticeCard, shownDeadline } from "../../src/protocol/card/card.ts";
import type { Json } from "../../src/protocol/json.ts";
import type { By } from "../../src/protocol/actor.ts";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import "../parts/countdown.ts";
import { icon } from "../parts/icon.ts";
import { problemLines } from "../problems/problem-lines.ts";
import { refusalProblem } from "../problems/problem-of.ts";
import { isOnline, mayDecide, type Operator, operatorOf } from "../state/connection.ts";
import { type Attempt, type Decision, decisionOn } from "../state/decide.ts";
import { visibly } from "../text/visibly.ts";
import { cardText, personName } from "./card-text.ts";
import { canTake, type WaitingCard } from "./waiting-card.ts";
import { keepReading } from "./reading-lease.ts";

/** Longer than a double click takes. */
const ARMED_AFTER_MS = 600;

export class DecisionCard<Kind extends WaitingCard | NoticeCard = WaitingCard> extends AppElement {
  static override properties: Record<string, object> = {
    session: { attribute: false },
    card: { attribute: false },
    isArmed: { state: true },
    isWriting: { state: true },
  };

  declare session: SessionView;
  declare card: Kind;
  declare isArmed: boolean;
  /** Whether the text for a revision or an answer is open. */
  declare isWriting: boolean;
  #arming: ReturnType<typeof setTimeout> | undefined;
  #stopReading = (): void => undefined;
  #id = "";

  constructor() {
    super();
    this.isArmed = false;
    this.isWriting = false;
  }

  protected override reads() {
    return [this.app.state.connection, this.app.state.decide, clock];
  }

  /** Moved within a list it leaves the page and comes back: what was opened stays open. */
  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#id !== "") this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopReading();
    clearTimeout(this.#arming);
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (this.#id === this.card.id) return;
    this.#id = this.card.id;
    this.isWriting = false;
    this.#begin();
  }

  #begin(): void {
    this.isArmed = false;
    clearTimeout(this.#arming);
    this.#arming = setTimeout(() => (this.isArmed = true), ARMED_AFTER_MS);
    this.#stopReading();
    if (this.card.deadline === undefined) return; // no time runs that reading could stop
    this.#stopReading = keepReading(this.app, { sessionId: this.session.id, approvalId: this.card.id });
  }

  /** The heading, never a button: whatever key comes next decides nothing. */
  takeFocus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("h2")?.focus());
  }

  /** Opens the field for words, or closes it and goes back to the button that opened it. */
  protected async writing(open: boolean, button: string): Promise<void> {
    this.isWriting = open;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(open ? "textarea" : button)?.focus();
  }

  protected get operator(): Operator | undefined {
    return operatorOf(this.app.state.connection.get());
  }

  protected get isOnline(): boolean {
    return isOnline(this.app.state.connection.get());
  }

  protected get attempt(): Attempt | undefined {
    return this.app.state.decide.of(this.card.id);
  }

  /** Whether anything can be decided here and now. */
  protected get isReady(): boolean {
    return this.isArmed && this.isOnline && mayDecide(this.operator) && this.attempt?.status !== "deciding";
  }

  /** Whether a moment is all that it takes. */
  protected get isResting(): boolean {
    return !this.isArmed && this.isOnline && mayDecide(this.operator);
  }

  /** Whether this person can take this action here and now. */
  protected can(action: CardAction): boolean {
    return this.isReady && canTake(this.card, action, this.operator);
  }

  protected labelOf({ label }: CardAction): string {
    return cardText(label);
  }

  protected async act(action: CardAction, given?: Json, event?: Event): Promise<boolean> {
    const decision = decisionOn(this.card, action.id, given);
    return decision !== undefined && this.decide(decision, event);
  }

  /** The second click of a double click decides nothing. */
  protected async decide(decision: Decision, event?: Event): Promise<boolean> {
    if (!this.isReady || (event instanceof MouseEvent && event.detail > 1)) return false;
    this.takeFocus(); // the button that was pressed is about to rest
    const outcome = await this.app.attempt(() => this.app.state.decide.decide(this.session.id, decision));
    return outcome === "done";
  }

  protected nameOf(by: By): string {
    return personName(by, this.operator);
  }

  protected timeLeft(
    deadline: CardDeadline | undefined,
    label: "cards.timeLeft" | "cards.timeToAnswer",
  ): TemplateResult | typeof nothing {
    if (deadline === undefined) return nothing;
    const { untilMs, paused } = shownDeadline(deadline, clock.get());
    return html`<span class="time quiet">
      ${icon("clock", 14)}${t(label)}
      <hp-countdown left .untilMs=${untilMs} ?paused=${paused}></hp-countdown>${
        paused && deadline.readBy !== undefined ? html` · ${this.#readBy(deadline.readBy)}` : nothing
      }
    </span>`;
  }

  #readBy(by: By): string {
    return by.id === this.operator?.id ? t("cards.readingYou") : t("cards.readingBy", { name: visibly(by.name) });
  }

  /** What weakens every decision here, before the buttons. */
  protected warnings(): TemplateResult {
    return html`${this.card.warnings?.map((warning) => html`<p class="note" role="note">${cardText(warning)}</p>`)}`;
  }

  /** Why nothing can be pressed, or why the last press did nothing. Both regions are always there, to be heard. */
  protected state(offline: "cards.offline" | "cards.offlineQuestion"): TemplateResult {
    const { attempt } = this;
    const waiting = !this.isOnline
      ? t(offline)
      : !mayDecide(this.operator)
        ? t("cards.mayNotDecide")
        : attempt?.status === "deciding"
          ? t(attempt.asksPasskey === true ? "cards.signing" : "cards.deciding")
          : "";
    return html`
      <div role="status">${waiting === "" ? nothing : html`<p class="note">${waiting}</p>`}</div>
      <div role="alert">
        ${
          attempt?.status === "refused" && this.stillHolds(attempt)
            ? html`<p class="note bad">${this.refusal(attempt)}</p>`
            : nothing
        }
      </div>
    `;
  }

  /** Whether what stood in the way does so still. */
  protected stillHolds(_attempt: Extract<Attempt, { status: "refused" }>): boolean {
    return true;
  }

  protected refusal(attempt: Extract<Attempt, { status: "refused" }>): TemplateResult {
    return problemLines(refusalProblem(attempt));
  }
}
