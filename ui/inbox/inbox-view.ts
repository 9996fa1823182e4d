/**
 * Everything that waits for a person, in all sessions, what is due first on top. Each can be decided here, on the same
 * card as in its session, or opened. `a` and `r` open the card; deciding stays a press of its own, of one thing at a time.
 * Several can be marked, copied and saved together.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import { ViewElement } from "../app/app-element.ts";
import { titleOf } from "../app/session/session-title.ts";
import { HpSessionCards } from "../cards/session-cards.ts";
import { sayDate } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import "../parts/countdown.ts";
import { filterBar, filters } from "../parts/filter-bar.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import type { WaitingSession } from "../state/waiting-list.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import "./bulk-bar.ts";
import { type FilterName, FILTERS, filterWaiting } from "./inbox-filter.ts";
import { inboxLook } from "./inbox-look.ts";
import { cardHref } from "./card-href.ts";
import "./notify-settings.ts";
import { createPlanFacts, type KnownFacts } from "./plan-facts.ts";
import { readMarks } from "./read-marks.ts";
import { sayAge } from "./say-age.ts";

type Shown = { id: SessionId; as: WaitingSession; session: SessionView | undefined };

class InboxView extends ViewElement {
  static override properties = {
    shown: { state: true },
    filter: { state: true },
    search: { state: true },
    chosen: { state: true },
  };
  static override styles = [base, buttons, fields, marks, filters, inboxLook];

  /** The one whose card is open; it stays after it was decided, to say so. */
  declare shown: Shown | undefined;
  declare filter: FilterName;
  declare search: string;
  /** Sessions that are chosen for what can be done with several. */
  declare chosen: ReadonlySet<SessionId>;
  #facts: KnownFacts | undefined;
  #stopKeys = (): void => undefined;
  /** While a card is open nothing changes its place: reading alone moves a deadline. */
  #order: readonly SessionId[] = [];

  constructor() {
    super();
    this.filter = "all";
    this.search = "";
    this.chosen = new Set();
  }

  get #known(): KnownFacts {
    this.#facts ??= createPlanFacts(this.app);
    return this.#facts;
  }

  protected override reads() {
    return [this.app.state.waiting, this.app.state.connection, clock, readMarks, this.#known];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopKeys = this.app.keys.add(
      { key: "j", does: "inbox.keyNext", run: () => this.#go(1) },
      { key: "k", does: "inbox.keyPrevious", run: () => this.#go(-1) },
      { key: "a", does: "inbox.keyAccept", run: () => void this.#decide("look") },
      { key: "r", does: "inbox.keyRevise", run: () => void this.#decide("revise") },
      { key: "x", does: "inbox.keySelect", run: () => this.#chooseAt() },
      { key: "u", does: "inbox.keyUnread", run: () => this.#goToUnread() },
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
    const parts = { facts: this.#known.get(), read: readMarks.get(), nowMs: clock.get() };
    const { filter, search, shown } = this;
    const all = this.app.state.waiting.get();
    const fits = new Set(filterWaiting(all, { filter, search, ...parts }));
    const waiting = all.filter((item) => fits.has(item) || item.id === shown?.id); // the open one stays
    if (shown === undefined) return waiting;
    const place = ({ id }: WaitingSession): number => (this.#order.includes(id) ? this.#order.indexOf(id) : Infinity);
    return waiting.toSorted((a, b) => place(a) - place(b) || 0);
  }

  #choose(id: SessionId): void {
    const others = [...this.chosen].filter((one) => one !== id);
    this.chosen = new Set(this.chosen.has(id) ? others : [...others, id]);
  }

  #chooseAt(): void {
    const item = this.#waiting()[Math.max(0, this.#at())];
    if (item !== undefined) this.#choose(item.id);
  }

  /** The next one below that nobody opened here, or the first of all. */
  #goToUnread(): void {
    const waiting = this.#waiting();
    const at = this.#at();
    const turned = [...waiting.slice(at + 1), ...waiting.slice(0, at + 1)];
    const next = turned.find(({ waiting: { id } }) => !readMarks.get().has(id));
    if (next !== undefined) this.#links[waiting.indexOf(next)]?.focus();
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
    readMarks.mark([item.waiting.id], true);
    await this.#read();
    await this.updateComplete;
    const cards = this.renderRoot.querySelector("hp-session-cards");
    if (!(cards instanceof HpSessionCards)) return;
    await cards.updateComplete;
    if (cards.getBoundingClientRect().bottom > innerHeight) cards.closest("li")?.scrollIntoView(); // not only its buttons
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
    void this.#known.read(this.app.state.waiting.get());
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
        ${isDecided ? html`<div class="decided">${this.#card(shown)}</div>` : nothing} ${this.#tools()}
        ${waiting.length === 0 ? this.#nothing() : this.#list(waiting)} ${this.#bulk()}
        <section class="tell" aria-labelledby="tell">
          <h2 id="tell">${t("inbox.tellHeading")}</h2>
          <hp-notify-settings .app=${this.app}></hp-notify-settings>
        </section>
      </div>
    `;
  }

  /** There from two on: one thing needs no filter. */
  #tools(): TemplateResult | typeof nothing {
    if (this.app.state.waiting.get().length < 2 && this.filter === "all" && this.search === "") return nothing;
    return html`<div class="tools">
      <input
        class="input"
        type="search"
        maxlength="200"
        aria-label=${t("inbox.find")}
        placeholder=${t("inbox.find")}
        .value=${this.search}
        @input=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) this.search = target.value;
        }}
      />
      ${filterBar({
        label: t("inbox.filter"),
        choices: FILTERS.map((id) => ({ id, label: t(`inbox.filter_${id}`) })),
        chosen: this.filter,
        choose: (name) => (this.filter = name),
      })}
    </div>`;
  }

  #bulk(): TemplateResult | typeof nothing {
    const items = this.app.state.waiting.get().filter(({ id }) => this.chosen.has(id));
    if (items.length === 0) return nothing;
    const plans = items.flatMap(({ waiting }) => this.#known.get().get(waiting.id)?.planId ?? []);
    return html`<hp-bulk-bar
      .app=${this.app}
      .items=${items}
      .plans=${plans}
      @hp-clear=${() => (this.chosen = new Set())}
    ></hp-bulk-bar>`;
  }

  #nothing(): TemplateResult {
    if (this.app.state.waiting.get().length > 0) return html`<p class="empty">${t("inbox.noneShown")}</p>`;
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
    const isRead = readMarks.get().has(waiting.id);
    return html`<li class="panel ${isRead ? "" : "unread"}">
      <div class="head">
        <input
          type="checkbox"
          aria-label=${t("inbox.select", { title: visibly(waiting.title) })}
          .checked=${this.chosen.has(id)}
          @change=${() => this.#choose(id)}
        />
        <a class="item" data-id=${id} href=${cardHref(item)} @click=${() => readMarks.mark([waiting.id], true)}>
          <span class="mark">${icon(waiting.kind === "approval" ? "sign" : "agent")}</span>
          <span class="words">
            <strong
              >${visibly(waiting.title)}${isRead ? nothing : html` <span class="unseen">${t("inbox.unread")}</span>`}</strong
            >
            <span class="small quiet clip">${titleOf(item)}</span>
            <span class="small quiet times">
              <time title=${sayDate(waiting.sinceMs)}
                >${t("inbox.age", { time: sayAge(clock.get() - waiting.sinceMs) })}</time
              >
              ${
                waiting.deadlineMs === null
                  ? nothing
                  : html`<span>${t("inbox.due")} <hp-countdown .untilMs=${waiting.deadlineMs}></hp-countdown></span>`
              }
              ${this.#about(waiting.id)}
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

  /** What a plan says about itself; its risks stand out. */
  #about(id: string): TemplateResult | typeof nothing {
    const facts = this.#known.get().get(id);
    if (facts === undefined) return nothing;
    return html`<span>${t("inbox.steps", { count: facts.steps })}</span>
      ${facts.risks === 0 ? nothing : html`<span class="risk">${t("inbox.risks", { count: facts.risks })}</span>`}
      ${facts.jobs === 0 ? nothing : html`<span class="risk">${t("inbox.jobs", { count: facts.jobs })}</span>`}`;
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
