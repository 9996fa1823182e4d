/**
 * The frame of the page.
 *
 *   narrow (from 320 px): one pane, the sessions at "/" and the rest behind a way back
 *   wide: sessions | main view        wider still: sessions | conversation | plan
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { sessionIdIn } from "./session/session-id.ts";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { base } from "../theme/base.ts";
import { AppElement } from "./app-element.ts";
import "./notice-list.ts";
import "./outlet.ts";
import { type Place, routeOf, type View } from "./routes.ts";
import { goBy, startSession } from "./session/session-actions.ts";
import { sidePane } from "./side-pane.ts";
import { shellStyles } from "./shell-styles.ts";
import "../slots/slot.ts";
import { Sidebar } from "./sidebar.ts";
import "./top-bar.ts";
import { titleOf } from "./session/session-title.ts";

export class Shell extends AppElement {
  static override properties = { showsKeys: { state: true }, isWide: { state: true }, isNarrow: { state: true } };
  static override styles = [base, buttons, marks, shellStyles];

  declare showsKeys: boolean;
  /** Whether there is room for a side pane: where there is none, it is not even loaded. */
  declare isWide: boolean;
  /** Whether there is room for one pane only: at home that is the list of sessions. */
  declare isNarrow: boolean;
  readonly #room = matchMedia("(width >= 72rem)");
  readonly #onePane = matchMedia("(width < 45rem)");
  #stopKeys = (): void => undefined;
  #wasAway = false;

  constructor() {
    super();
    this.showsKeys = false;
    this.isWide = this.#room.matches;
    this.#room.addEventListener("change", ({ matches }) => (this.isWide = matches));
    this.isNarrow = this.#onePane.matches;
    this.#onePane.addEventListener("change", ({ matches }) => (this.isNarrow = matches));
  }

  protected override reads() {
    const { connection, open, waiting } = this.app.state;
    return [this.app.router, connection, open, waiting, sidePane];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopKeys = this.app.keys.add(
      { key: "?", does: "app.keyHelp", run: () => void this.#showKeys() },
      { key: "/", does: "app.keySearch", run: () => this.#focusSearch() },
      { key: "n", does: "app.keyNew", run: () => void startSession(this.app) },
      { key: "i", does: "app.keyInbox", run: () => this.app.router.go("inbox", {}) },
      { key: "j", does: "app.keyNext", run: () => goBy(this.app, 1) },
      { key: "k", does: "app.keyPrevious", run: () => goBy(this.app, -1) },
      { key: "p", does: "app.keyPane", run: () => sidePane.toggle() },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopKeys();
  }

  async #showKeys(): Promise<void> {
    const found = await this.app.attempt(() => import("./keys-dialog.ts"));
    this.showsKeys = found !== undefined;
  }

  #focusSearch(): void {
    const sidebar = this.renderRoot.querySelector("hp-sidebar");
    if (sidebar instanceof Sidebar) sidebar.focusSearch();
  }

  /** Which session is open follows from the address, and from nothing else. */
  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { open, connection } = this.app.state;
    const wanted = sessionIdIn(this.app.router.get()?.params["sessionId"]);
    const now = open.get();
    if (wanted === undefined && now.status !== "none") open.close();
    else if (wanted !== undefined && (now.status === "none" || now.id !== wanted))
      void this.app.attempt(() => open.open(wanted));
    const isAway = connection.get().status === "reconnecting";
    if (this.#wasAway && connection.get().status === "online") this.app.notices.tell(t("app.onlineAgain"));
    this.#wasAway = isAway;
  }

  protected override updated(): void {
    const place = this.app.router.get();
    const open = this.app.state.open.get();
    const waiting = this.app.state.waiting.get().length;
    const name =
      open.status === "ready" ? titleOf(open.session) : place === undefined ? "" : t(routeOf(place.name).title);
    document.title = `${waiting === 0 ? "" : `(${waiting}) `}${name} · ${t("app.name")}`;
  }

  protected override render(): TemplateResult {
    const place = this.app.router.get();
    const pane = this.#paneOf(place);
    const side = sidePane.get() ? pane : undefined;
    return html`
      <nav aria-label=${t("app.skip")}>
        <a class="skip button" href="#main" @click=${(event: Event) => this.#skip(event)}>${t("app.skip")}</a>
      </nav>
      <div class="frame ${side === undefined ? "" : "with-side"}">
        ${this.#sidebar(place?.name === "home")}
        <main id="main" tabindex="-1" class=${place?.name === "home" ? "" : "here"}>
          <hp-top-bar .app=${this.app} ?hasPane=${pane !== undefined}></hp-top-bar>
          ${this.#headerSlot()} ${this.#connection()}
          ${place === undefined ? html`<p class="empty">${t("app.notFound")}</p>` : this.#view(place)}
        </main>
        ${
          side === undefined || place === undefined
            ? nothing
            : html`<aside aria-label=${t("app.plan")}>
                <hp-outlet .app=${this.app} .view=${side} .params=${place.params}></hp-outlet>
              </aside>`
        }
      </div>
      <hp-notice-list .app=${this.app}></hp-notice-list>
      ${
        this.showsKeys
          ? html`<hp-keys-dialog .app=${this.app} @hp-close=${() => (this.showsKeys = false)}></hp-keys-dialog>`
          : nothing
      }
    `;
  }

  /** What stands beside the main view where there is room. */
  #paneOf(place: Place | undefined): View | undefined {
    return place !== undefined && this.isWide ? routeOf(place.name).side : undefined;
  }

  /** Where there is room for one pane, the list is what home shows: then it is the main part. */
  #sidebar(isHome: boolean): TemplateResult {
    const isMain = isHome && this.isNarrow;
    return html`<hp-sidebar
      class=${isHome ? "here" : ""}
      role=${isMain ? "main" : nothing}
      ?isMain=${isMain}
      .app=${this.app}
    ></hp-sidebar>`;
  }

  #headerSlot(): TemplateResult | typeof nothing {
    const open = this.app.state.open.get();
    if (open.status !== "ready") return nothing;
    return html`<hp-slot name="session-header" .app=${this.app} .session=${open.session}></hp-slot>`;
  }

  #view({ name, params }: Place): TemplateResult {
    return html`<hp-outlet takesFocus .app=${this.app} .view=${routeOf(name).main} .params=${params}></hp-outlet>`;
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.renderRoot.querySelector("main")?.focus();
  }

  /** Always there, so that a screen reader announces it when its text changes. */
  #connection(): TemplateResult {
    const { status } = this.app.state.connection.get();
    const text = status === "reconnecting" || status === "offline" || status === "connecting" ? t(`app.${status}`) : "";
    return html`<div role="status" class="connection ${text === "" ? "" : "waiting"}">${text}</div>`;
  }
}

customElements.define("hp-shell", Shell);
