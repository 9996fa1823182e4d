/**
 * `<hp-decision-bar>`: approves or sends back the plan above it. What keeps a signature one deliberate act holds
 * here as on the card: the buttons rest for a moment when another plan comes, and a double click counts once.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { findAction } from "../../../src/protocol/card/availability.ts";
import type { ApprovalCard, CardAction } from "../../../src/protocol/card/card.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import { AppElement } from "../../app/app-element.ts";
import { acceptHint } from "../../cards/accept-hint.ts";
import { blockersOf } from "../../cards/blockers-of.ts";
import { cardText } from "../../cards/card-text.ts";
import { keptWords } from "../../cards/kept-words.ts";
import { isLintWarning } from "../../cards/lint-warnings.ts";
import { thumbLook } from "../../cards/thumb-look.ts";
import { canTake } from "../../cards/waiting-card.ts";
import { sayList } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { marks } from "../../parts/look/marks.ts";
import "../../parts/sheet.ts";
import { SEND_KEY, writingKeys } from "../../parts/writing-keys.ts";
import { problemLines } from "../../problems/problem-lines.ts";
import { refusalProblem } from "../../problems/problem-of.ts";
import { isOnline, mayDecide, type Operator, operatorOf } from "../../state/connection.ts";
import { besideText, decisionOn } from "../../state/decide.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";

/** Longer than a double click takes. */
const ARMED_AFTER_MS = 600;
const FEEDBACK_CHARS_MAX = 8_192;

export class DecisionBar extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    card: { attribute: false },
    isArmed: { state: true },
    isWriting: { state: true },
    isEmptyTold: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    thumbLook,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        padding: var(--hp-3) var(--hp-5);
        border-block-start: 1px solid var(--hp-line);
        background: var(--hp-raised);
      }

      .inner {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        inline-size: 100%;
        max-inline-size: var(--hp-reading);
        margin-inline: auto;
      }

      .facts {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-1) var(--hp-4);
        font-size: var(--hp-size-small);
      }

      .told {
        padding: var(--hp-1) var(--hp-3);
        border-radius: var(--hp-round);
        font-size: var(--hp-size-small);
      }

      [role="status"]:empty,
      [role="alert"]:empty {
        position: absolute; /* for screen readers only */
      }

      @container review (width >= 60rem) {
        .inner {
          max-inline-size: min(var(--hp-reading), 100% - 13rem);
          margin-inline: max(13rem, calc((100% - 13rem - var(--hp-reading)) / 2 + 13rem)) auto;
        }
      }

      /* the buttons go below the hint where both do not fit: a hint of one letter per line would fill a phone */
      .send {
        display: flex;
        flex-wrap: wrap;
        justify-content: end;
        align-items: center;
        gap: var(--hp-2);
      }

      #send-back-hint {
        flex: 1 1 14rem;
      }

      /* on a phone the plan needs the room; the card in the conversation says it */
      @media (width < 45rem) {
        #accept-hint {
          display: none;
        }
      }

      @container review (width < 34rem) {
        :host {
          padding: var(--hp-2) var(--hp-3);
        }

        .send .button {
          font-size: var(--hp-size-small);
        }
      }
    `,
  ];

  declare sessionId: SessionId;
  declare card: ApprovalCard;
  declare isArmed: boolean;
  declare isWriting: boolean;
  declare isEmptyTold: boolean;
  #id = "";
  #arming: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.isArmed = false;
    this.isWriting = false;
    this.isEmptyTold = false;
  }

  protected override reads() {
    return [this.app.state.connection, this.app.state.decide];
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (this.#id === this.card.id) return;
    this.#id = this.card.id;
    this.isArmed = false;
    this.isWriting = false;
    this.isEmptyTold = false;
    clearTimeout(this.#arming);
    this.#arming = setTimeout(() => (this.isArmed = true), ARMED_AFTER_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#arming);
    this.#id = ""; // shown again, it rests again
  }

  get #isReady(): boolean {
    const connection = this.app.state.connection.get();
    const isDeciding = this.app.state.decide.of(this.card.id)?.status === "deciding";
    return this.isArmed && isOnline(connection) && mayDecide(operatorOf(connection)) && !isDeciding;
  }

  /** Whether the buttons only rest for a moment. */
  get #isResting(): boolean {
    const connection = this.app.state.connection.get();
    return !this.isArmed && isOnline(connection) && mayDecide(operatorOf(connection));
  }

  get #operator(): Operator | undefined {
    return operatorOf(this.app.state.connection.get());
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  async #decide(action: string, given?: string, event?: Event): Promise<boolean> {
    const decision = decisionOn(this.card, action, given);
    if (decision === undefined || !this.#isReady || (event instanceof MouseEvent && event.detail > 1)) return false;
    this.renderRoot.querySelector<HTMLElement>(".inner")?.focus(); // the button that was pressed is about to rest
    const outcome = await this.app.attempt(() => this.app.state.decide.decide(this.sessionId, besideText(decision)));
    if (outcome === "done") emit(this, "hp-decided", decision.action);
    return outcome === "done";
  }

  /** From outside, by a key: to the first of the buttons, where Enter presses it; before them while they rest. */
  takeFocus(): void {
    const first = this.renderRoot.querySelector<HTMLElement>("textarea, .decide .button:not(:disabled)");
    (first ?? this.renderRoot.querySelector<HTMLElement>(".inner"))?.focus();
  }

  /** From outside: the words are there already. */
  openSendBack(): void {
    void this.#write(true);
  }

  async #write(open: boolean): Promise<void> {
    this.isWriting = open;
    await this.updateComplete;
    if (open) this.#field?.focus();
    else this.renderRoot.querySelector<HTMLElement>("#send-back")?.focus();
  }

  async #sendBack(): Promise<void> {
    const feedback = this.#field?.value.trim() ?? "";
    this.isEmptyTold = feedback === "" && this.card.notesOpen === 0;
    if (this.isEmptyTold) return this.#field?.focus();
    const cardId = this.card.id;
    const isDone = await this.#decide("reject", feedback);
    if (!isDone) return this.#field?.focus();
    keptWords.write(this.sessionId, { cardId, text: "" });
    this.isWriting = false;
  }

  readonly #typed = writingKeys({ send: () => void this.#sendBack(), leave: () => void this.#write(false) });

  protected override render(): TemplateResult {
    return html`<div class="inner" role="group" tabindex="-1" aria-label=${t("review.decide")}>
      ${this.isWriting ? nothing : this.#facts()} ${this.#state()} ${this.isWriting ? this.#form() : this.#choices()}
    </div>`;
  }

  /** While words are written none of these is there: no button beside the text approves anything. */
  #choices(): TemplateResult {
    return html`<div class="actions decide ${this.#isResting ? "resting" : ""}">${this.#actions()}</div>
      ${acceptHint(this.card)}`;
  }

  #facts(): TemplateResult | typeof nothing {
    const { notesOpen, notesAnswered = 0 } = this.card;
    const waiting = notesOpen - notesAnswered;
    const facts = [
      ...(this.card.warnings ?? []).filter((text) => !isLintWarning(text)).map(cardText), // those stand above the plan
      ...signingFacts(this.card),
      ...blockersOf(this.card, this.#operator).map(({ text }) => cardText(text)),
    ];
    if (facts.length === 0 && notesOpen === 0) return nothing;
    return html`<div class="facts">
      ${facts.map((fact) => html`<span>${fact}</span>`)}
      ${waiting === 0 ? nothing : html`<span class="quiet">${t("review.openThreads", { count: waiting })}</span>`}
      ${
        notesAnswered === 0
          ? nothing
          : html`<span class="quiet">${t("review.answeredNotes", { count: notesAnswered })}</span>`
      }
    </div>`;
  }

  /**
   * Why nothing can be pressed, or why the last press did nothing; both regions are always there, for screen readers.
   */
  #state(): TemplateResult {
    const connection = this.app.state.connection.get();
    const attempt = this.app.state.decide.of(this.card.id);
    const waiting = !isOnline(connection)
      ? t("review.stillPending")
      : !mayDecide(operatorOf(connection))
        ? t("review.mayNotDecide")
        : attempt?.status === "deciding"
          ? t(attempt.asksPasskey === true ? "cards.signing" : "review.deciding")
          : "";
    return html`<div role="status">${waiting === "" ? nothing : html`<p class="told waiting">${waiting}</p>`}</div>
      <div role="alert">
        ${attempt?.status === "refused" ? html`<p class="told bad">${problemLines(refusalProblem(attempt))}</p>` : nothing}
      </div>`;
  }

  #actions(): TemplateResult {
    const of = (id: string, draw: (action: CardAction) => TemplateResult): TemplateResult | typeof nothing => {
      const action = findAction(this.card, id);
      return action === undefined ? nothing : draw(action);
    };
    return html`
      <span class="together">
        ${of("approve", (action) => this.#click(action))}
        ${of(
          "reject",
          (action) =>
            html`<button
              class="button"
              id="send-back"
              aria-expanded=${this.isWriting}
              ?disabled=${!this.#isReady}
              @click=${() => this.#write(!this.isWriting)}
            >
              ${cardText(action.label)}
            </button>`,
        )}
      </span>
      <hp-sheet label=${t("cards.more")}>
        <span class="together">
          ${of("approve-allowing-edits", (action) => this.#click(action))}
          ${of("approve-standing", (action) => this.#click(action))}
          ${of(
            "approve-edition",
            (action) =>
              html`<button class="button" ?disabled=${!this.#isReady} @click=${() => emit(this, "hp-edit-steps")}>
                ${cardText(action.label)}
              </button>`,
          )}
        </span>
      </hp-sheet>
    `;
  }

  #click(action: CardAction): TemplateResult {
    const isFirst = action.id === "approve";
    return html`<button
      class="button ${isFirst ? "sign" : ""}"
      aria-describedby="accept-hint"
      ?disabled=${!this.#isReady || !canTake(this.card, action, this.#operator)}
      @click=${(event: Event) => this.#decide(action.id, undefined, event)}
    >
      ${isFirst ? icon("sign") : nothing}${cardText(action.label)}
    </button>`;
  }

  #form(): TemplateResult {
    const { notesOpen } = this.card;
    return html`<form
      class="stack"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.#sendBack();
      }}
    >
      <label class="field">
        <span>${t("review.sendBackLabel")}</span>
        <textarea
          class="input"
          rows="2"
          maxlength=${FEEDBACK_CHARS_MAX}
          aria-describedby="send-back-hint"
          .value=${keptWords.read(this.sessionId, this.card.id)}
          @input=${() => keptWords.write(this.sessionId, { cardId: this.card.id, text: this.#field?.value ?? "" })}
          @keydown=${this.#typed}
        ></textarea>
      </label>
      <div class="send">
        <p class="small ${this.isEmptyTold ? "" : "quiet"}" id="send-back-hint" role="status">
          ${
            this.isEmptyTold
              ? t("review.sendBackEmpty")
              : notesOpen === 0
                ? t("review.sendBackHint", { key: SEND_KEY })
                : t("review.sendBackNotes", { count: notesOpen })
          }
        </p>
        <button class="button bare" type="button" @click=${() => this.#write(false)}>${t("app.cancel")}</button>
        <button class="button primary" ?disabled=${!this.#isReady}>${t("review.sendBackSend")}</button>
      </div>
    </form>`;
  }
}

function signingFacts({ signing }: ApprovalCard): string[] {
  if (signing === undefined || signing.quorum < 2) return [];
  const names = signing.signatures.map(({ by }) => visibly(by.name));
  const missing = signing.missing.map(visibly);
  return [
    t("cards.signatures", { given: names.length, count: signing.quorum }),
    ...(names.length === 0 ? [] : [t("review.signedBy", { names: sayList(names) })]),
    ...(missing.length === 0 ? [] : [t("review.missing", { names: sayList(missing) })]),
  ];
}

customElements.define("hp-decision-bar", DecisionBar);
