/**
 * The conversation of one session: its entries, the answer being written, what waits for a decision, and the field to
 * write in. A card that can act takes the composer's place, unless somebody is in the middle of a sentence.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ViewElement } from "../app/app-element.ts";
import { foremost } from "../../src/protocol/card/card.ts";
import { hasNoteDrafts, keptWords } from "../cards/kept-words.ts";
import { canAct, cardsOf } from "../cards/waiting-card.ts";
import type { HpSessionCards } from "../cards/session-cards.ts";
import { t, withTexts } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { pulse } from "../parts/look/pulse.ts";
import { HpVirtualList, virtualList } from "../parts/virtual/virtual-list.ts";
import type { ReadySession } from "../state/open-session.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { asides } from "./asides.ts";
import { chatStyles } from "./chat-styles.ts";
import { Composer } from "./composer.ts";
import { entryRow } from "./entry-row.ts";
import "./mode-chip.ts";
import { modeControlsOf } from "./mode-of.ts";
import type { TalkRecord } from "./record/talk-record.ts";
import { type Row, rowsOf } from "./rows.ts";

const QUEUED_SHOWN_MAX = 3;

class ChatView extends ViewElement {
  static override properties = { Cards: { state: true }, record: { state: true } };
  static override styles = [base, buttons, marks, pulse, virtualList, chatStyles];

  /** Loaded with the first card: most sessions show none for a long while. */
  declare Cards: typeof HpSessionCards | undefined;
  /** What people decided, beside the transcript; loaded after the first picture. */
  declare record: TalkRecord | undefined;
  #isLoading = false;
  #isComposerHidden = false;
  #hadComposer = false;
  #linkedTo = "";

  protected override reads() {
    return [this.app.state.open, this.app.state.connection, asides];
  }

  /** Once a frame at most: a burst of a thousand events is drawn a few times, not a thousand. */
  protected override async scheduleUpdate(): Promise<void> {
    await new Promise(requestAnimationFrame);
    await super.scheduleUpdate();
  }

  override takeFocus(): void {
    if (this.#isComposerHidden) this.#cards?.takeFocus();
    else this.#composer?.takeFocus();
  }

  get #composer(): Composer | undefined {
    const found = this.renderRoot.querySelector("hp-composer");
    return found instanceof Composer ? found : undefined;
  }

  get #cards(): HpSessionCards | undefined {
    const found = this.renderRoot.querySelector("hp-session-cards");
    return this.Cards !== undefined && found instanceof this.Cards ? found : undefined;
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const open = this.app.state.open.get();
    const cards = open.status === "ready" ? cardsOf(open.session) : [];
    const card = foremost(cards);
    const composer = this.#composer;
    const hasWords = open.status === "ready" && (keptWords.all(open.id).length > 0 || hasNoteDrafts(open.id));
    if ((cards.length > 0 || hasWords) && !this.#isLoading) void this.#loadCards();
    this.#isComposerHidden =
      this.Cards !== undefined && canAct(card, this.app.state.connection.get()) && composer?.isInUse !== true;
    this.#hadComposer = composer?.matches(":focus-within") === true;
  }

  async #loadCards(): Promise<void> {
    this.#isLoading = true;
    this.Cards = (
      await this.app.attempt(() =>
        withTexts(() => import("../cards/session-cards.ts"), "cards", "problems", "localized"),
      )
    )?.HpSessionCards;
    if (this.Cards === undefined) this.#isLoading = false; // tried again with the next change
  }

  /** The focus moves from the composer to the card's heading, where no key decides anything. */
  protected override updated(): void {
    if (this.#hadComposer && this.#isComposerHidden) this.#cards?.takeFocus();
    this.#followLink();
  }

  /** A notification led here: the keyboard goes to its card, once. */
  #followLink(): void {
    const open = this.app.state.open.get();
    const linked = this.app.router.get()?.search.get("card") ?? "";
    if (linked === this.#linkedTo || open.status !== "ready" || this.Cards === undefined) return;
    this.#linkedTo = linked;
    if (foremost(cardsOf(open.session))?.id !== linked) return;
    if (this.app.router.get()?.search.get("do") === "revise") this.#cards?.openRevise();
    else this.#cards?.takeFocus();
  }

  protected override render(): TemplateResult {
    const open = this.app.state.open.get();
    if (open.status === "missing") return html`<p class="empty">${t("app.missing")}</p>`;
    if (open.status !== "ready") return html`<p class="empty">${t("app.connecting")}</p>`;
    const { app } = this;
    const { id, session, plan, closed } = open;
    return html`${this.#log(open)}
      <div
        class="dock"
        @hp-card-left=${() => this.#composer?.takeFocus()}
        @hp-draft-put=${() => this.#composer?.readDraft()}
      >
        ${this.#doing(open)} ${this.#queue(open)}
        ${
          this.Cards === undefined
            ? nothing
            : html`<hp-unsent-words
                  .app=${app}
                  .open=${open}
                  @hp-write-words=${() => this.#cards?.openRevise()}
                ></hp-unsent-words>
                <hp-session-cards .app=${app} .session=${session} .closed=${closed}></hp-session-cards>`
        }
        <hp-composer
          .app=${app}
          .sessionId=${id}
          ?hidden=${this.#isComposerHidden}
          @focusout=${() => this.requestUpdate()}
          @hp-typed=${() => this.requestUpdate()}
        ></hp-composer>
        ${
          plan === undefined
            ? nothing
            : html`<div class="under">
                <hp-mode-chip
                  .app=${app}
                  .sessionId=${id}
                  .plan=${plan}
                  .controls=${modeControlsOf(session)}
                ></hp-mode-chip>
              </div>`
        }
      </div>`;
  }

  #log(open: ReadySession): TemplateResult {
    const rows = rowsOf(open, asides.of(open.id), this.record?.eventsOf(open));
    if (rows.length === 0) return this.#nothingYet(open);
    return html`<hp-virtual-list
      class="log"
      role="log"
      tabindex="0"
      aria-label=${t("chat.log")}
      starts-at-end
      .rows=${rows}
      .keyOf=${({ key }: Row) => key}
      .draw=${(row: Row) => entryRow(row, { app: this.app, open })}
      @hp-near-start=${() => void this.app.attempt(() => this.app.state.open.earlier())}
      @hp-to-card=${() => this.#cards?.takeFocus()}
    ></hp-virtual-list>`;
  }

  /** Explains to a newcomer what a session in plan mode does with a message. */
  #nothingYet({ plan }: ReadySession): TemplateResult {
    return html`<div class="empty log">
      <p>${t("chat.empty")}</p>
      ${plan?.now.mode === "plan" ? html`<p class="small">${t("app.homeHint")}</p>` : nothing}
    </div>`;
  }

  #doing({ session }: ReadySession): TemplateResult | typeof nothing {
    const { turn, id } = session;
    if (turn.status === "idle") return nothing;
    const isStopping = turn.status === "running" && turn.aborting;
    return html`<div class="doing row small quiet">
      <span class="pulse">${icon("agent", 16)}</span>
      <span class="grow">${isStopping ? t("chat.stopping") : t("chat.working")}</span>
      <button
        class="button bare"
        ?disabled=${isStopping}
        @click=${() => this.app.attempt(() => this.app.call("chat.abort", { sessionId: id }))}
      >
        ${icon("stop", 16)}${t("chat.stop")}
      </button>
    </div>`;
  }

  /** Messages that the agent has not taken up yet: the newest as text, and how many there are. */
  #queue({ session, queue }: ReadySession): TemplateResult {
    const { queuedMessages: count } = session;
    return html`<div class="queue small quiet" role="status">
      ${
        count === 0
          ? nothing
          : html`<span>${t("chat.queued", { count })}</span>
              <ul>
                ${queue.slice(-Math.min(count, QUEUED_SHOWN_MAX)).map(({ text }) => html`<li class="clip">${visibly(text)}</li>`)}
              </ul>`
      }
    </div>`;
  }

  async #loadRecord(): Promise<void> {
    const loaded = await withTexts(() => import("./record/talk-record.ts"), "run", "localized").catch(() => undefined);
    if (loaded !== undefined && this.isConnected) this.record = new loaded.TalkRecord(this);
  }

  /** After sending, the person wants to see the answer, wherever they were reading. */
  protected override firstUpdated(): void {
    void this.#loadRecord();
    this.addEventListener("hp-sent", () => {
      const log = this.renderRoot.querySelector("hp-virtual-list");
      if (log instanceof HpVirtualList) log.toEnd();
    });
  }
}

customElements.define("hp-chat-view", ChatView);
