/**
 * Everything that waits for a person, in all sessions, what is due first on top. Each can be decided here, on the same
 * card as in its session, or opened. `a` and `r` open the card; deciding stays a press of its own.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import { ViewElement } from "../app/app-element.ts";
import { titleOf } from "../app/session/session-title.ts";
import { HpSessionCards } from "../cards/session-cards.ts";
import { sayDate, sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import "../parts/countdown.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import type { WaitingSession } from "../state/waiting-list.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { inboxLook } from "./inbox-look.ts";
import { cardHref } from "./notify.ts";
import "./notify-settings.ts";

type Shown = { id: SessionId; as: WaitingSession; session: SessionView | undefined };

class InboxView extends ViewElement {
  static override properties = { shown: { state: true } };
  static override styles = [base, buttons, marks, inboxLook];

  /** The one whose card is open; it stays after it was decided, to say so. */
  declare shown: Shown | undefined;
  #stopKeys = (): void => undefined;
  /** While a card is open nothing changes its place: reading alone moves a deadline. */
  #order: readonly SessionId[] = [];

  protected override reads() {
    return [this.app.state.waiting, this.app.state.connection, clock];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopKeys = this.app.keys.add(
      { key: "j", does: "inbox.keyNext", run: () => this.#go(1) },
      { key: "k", does: "inbox.keyPrevious", run: () => this.#go(-1) },
      { key: "a", does: "inbox.keyAccept", run: () => void this.#decide("look") },
      { key: "r", does: "inbox.keyRevise", run: () => void this.#decide("revise") },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopKeys();
  }

  get #links(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>("a.item")];
  }

  #waiting(): readonly WaitingSession[] {
    const waiting = this.app.state.waiting.get();
    if (this.shown === undefined) return waiting;
    const place = ({ id }: WaitingSession): number => (this.#order.includes(id) ? this.#order.indexOf(id) : Infinity);
    return waiting.toSorted((a, b) => place(a) - place(b) || 0);
  }

  /** The item that has the keyboard, or that it would get first. */
  #at(): number {
    return this.#links.findIndex((link) => link.closest("li")?.matches(":focus-within"));
  }

  #go(step: 1 | -1): void {
    const links = this.#links;
    const at = this.#at();
    const next = at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + step));
    links[next]?.focus();
  }

  async #decide(how: "look" | "revise"): Promise<void> {
    const item = this.#waiting()[Math.max(0, this.#at())];
    if (item !== undefined) await this.#open(item, how);
  }

  async #open(item: WaitingSession, how: "look" | "revise"): Promise<void> {
    this.#order = this.#waiting().map(({ id }) => id);
    if (this.shown?.id !== item.id) this.shown = { id: item.id, as: item, session: undefined };
    await this.#read();
    await this.updateComplete;
    const cards = this.renderRoot.querySelector("hp-session-cards");
    if (!(cards instanceof HpSessionCards)) return;
    await cards.updateComplete;
    if (how === "revise") cards.openRevise();
    else cards.takeFocus();
  }

  async #read(): Promise<void> {
    const id = this.shown?.id;
    if (id === undefined) return;
    const got = await this.app.attempt(() => this.app.call("sessions.get", { sessionId: id }));
    if (got !== undefined && this.shown?.id === id) this.shown = { ...this.shown, session: got.session };
  }

  async #close(): Promise<void> {
    const id = this.shown?.id;
    this.shown = undefined;
    await this.updateComplete;
    const links = this.#links;
    (links.find((link) => link.dataset["id"] === id) ?? links[0] ?? this).focus();
  }

  /** The list hears of every change; the open card is read again whenever its session changed, or left the list. */
  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { shown } = this;
    if (shown?.session === undefined) return;
    const now = this.app.state.waiting.get().find(({ id }) => id === shown.id);
    const isGone = now === undefined && shown.session.waiting !== null;
    if (!isGone && (now === undefined || now === shown.as)) return;
    this.shown = { ...shown, as: now ?? { ...shown.as } };
    void this.#read();
  }

  protected override render(): TemplateResult {
    const waiting = this.#waiting();
    const { shown } = this;
    const isDecided = shown !== undefined && !waiting.some(({ id }) => id === shown.id);
    return html`
      <div class="inbox">
        <p class="unseen" role="status">
          ${waiting.length === 0 ? t("inbox.empty") : t("app.waitingCount", { count: waiting.length })}
        </p>
        ${isDecided ? html`<div class="decided">${this.#card(shown)}</div>` : nothing}
        ${waiting.length === 0 ? this.#nothing() : this.#list(waiting)}
        <section class="tell" aria-labelledby="tell">
          <h2 id="tell">${t("inbox.tellHeading")}</h2>
          <hp-notify-settings .app=${this.app}></hp-notify-settings>
        </section>
      </div>
    `;
  }

  #nothing(): TemplateResult {
    return html`<div class="empty" aria-hidden="true">
      <p>${icon("check", 32)}</p>
      <p>${t("inbox.empty")}</p>
      <p class="small">${t("inbox.emptyHint")}</p>
    </div>`;
  }

  #list(waiting: readonly WaitingSession[]): TemplateResult {
    return html`<ul class="list">
      ${repeat(
        waiting,
        ({ id }) => id,
        (item) => this.#item(item),
      )}
    </ul>`;
  }

  #item(item: WaitingSession): TemplateResult {
    const { id, waiting } = item;
    const isOpen = this.shown?.id === id;
    return html`<li class="panel">
      <div class="head">
        <a class="item" data-id=${id} href=${cardHref(item)}>
          <span class="mark">${icon(waiting.kind === "approval" ? "sign" : "agent")}</span>
          <span class="words">
            <strong>${visibly(waiting.title)}</strong>
            <span class="small quiet clip">${titleOf(item)}</span>
            <span class="small quiet times">
              <time title=${sayDate(waiting.sinceMs)}
                >${t("inbox.since", { when: sayWhen(waiting.sinceMs, clock.get()) })}</time
              >
              ${
                waiting.deadlineMs === null
                  ? nothing
                  : html`<span>${t("inbox.due")} <hp-countdown .untilMs=${waiting.deadlineMs}></hp-countdown></span>`
              }
            </span>
          </span>
        </a>
        <button
          class="button"
          aria-expanded=${isOpen}
          aria-label=${t(isOpen ? "inbox.closeOn" : "inbox.decideOn", { title: visibly(waiting.title) })}
          @click=${() => (isOpen ? this.#close() : this.#open(item, "look"))}
        >
          ${isOpen ? t("parts.close") : t("inbox.decide")}
        </button>
      </div>
      ${isOpen && this.shown !== undefined ? html`<div class="card">${this.#card(this.shown)}</div>` : nothing}
    </li>`;
  }

  #card({ session }: Shown): TemplateResult | typeof nothing {
    if (session === undefined) return html`<p class="empty small">${t("app.connecting")}</p>`;
    return html`<hp-session-cards
      .app=${this.app}
      .session=${session}
      @hp-card-left=${() => this.#close()}
    ></hp-session-cards>`;
  }
}

customElements.define("hp-inbox-view", InboxView);
