/** The sessions, what waits in them, and the way to everything else. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SessionSummary } from "../../src/protocol/methods.ts";
import { sayDate, sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import { icon, type IconName } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import "../slots/slot.ts";
import { isOnline } from "../state/connection.ts";
import { base } from "../theme/base.ts";
import { AppElement } from "./app-element.ts";
import type { PlainKey } from "../i18n/text-types.ts";
import type { RouteName } from "./routes.ts";
import { startSession } from "./session/session-actions.ts";
import { sidebarStyles } from "./sidebar-styles.ts";
import { titleOf } from "./session/session-title.ts";

const TYPING_MS = 200;

const PLACES: readonly {
  name: RouteName & ("inbox" | "library" | "audit" | "settings");
  text: PlainKey;
  icon: IconName;
}[] = [
  { name: "inbox", text: "app.inbox", icon: "inbox" },
  { name: "library", text: "app.library", icon: "plan" },
  { name: "audit", text: "app.audit", icon: "record" },
  { name: "settings", text: "app.settings", icon: "settings" },
];

export class Sidebar extends AppElement {
  static override properties = { isMain: { type: Boolean } };
  static override styles = [base, buttons, fields, marks, sidebarStyles];

  /** Whether the sidebar fills the whole window. */
  declare isMain: boolean;

  #typing: ReturnType<typeof setTimeout> | undefined;

  protected override reads() {
    const { sessions, waiting, connection } = this.app.state;
    return [sessions, waiting, connection, this.app.router, clock];
  }

  focusSearch(): void {
    this.renderRoot.querySelector<HTMLElement>("input")?.focus();
  }

  #search(event: Event): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    const search = event.target.value;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.app.attempt(() => this.app.state.sessions.filter({ search })), TYPING_MS);
  }

  protected override render(): TemplateResult {
    const { sessions, connection } = this.app.state;
    const { filter } = sessions.get();
    return html`
      ${this.isMain ? html`<h1 class="unseen">${t("app.name")}</h1>` : nothing}
      <header role=${this.isMain ? "none" : nothing}>
        <a class="brand" href=${this.app.router.href("home", {})}>${icon("brand", 22)}${t("app.name")}</a>
      </header>
      <button class="button primary" ?disabled=${!isOnline(connection.get())} @click=${() => startSession(this.app)}>
        ${icon("add")}${t("app.newSession")}
      </button>
      <nav aria-label=${t("app.menu")}>
        <ul>
          ${PLACES.map((place) => this.#place(place))}
        </ul>
      </nav>
      <div class="search" role="search">
        ${icon("search", 16)}
        <input
          class="input"
          type="search"
          aria-label=${t("app.search")}
          placeholder=${t("app.search")}
          maxlength="200"
          .value=${filter.search}
          @input=${(event: Event) => this.#search(event)}
        />
      </div>
      ${this.isMain ? html`<h2 class="unseen">${t("app.sessions")}</h2>` : nothing}
      <nav class="sessions" aria-label=${filter.archived ? t("app.archivedSessions") : t("app.sessions")}>
        ${this.#list()}
      </nav>
      ${this.isMain ? html`<div class="dashboard"><hp-slot name="dashboard" .app=${this.app}></hp-slot></div>` : nothing}
      <div class="foot">
        <button
          class="button bare small quiet"
          aria-pressed=${filter.archived}
          @click=${() => this.app.attempt(() => sessions.filter({ archived: !filter.archived }))}
        >
          ${icon("archive", 16)}${filter.archived ? t("app.showCurrent") : t("app.showArchived")}
        </button>
      </div>
    `;
  }

  #place({ name, text, icon: picture }: (typeof PLACES)[number]): TemplateResult {
    const waiting = name === "inbox" ? this.app.state.waiting.get().length : 0;
    const here = this.app.router.get()?.name;
    const current = here === name ? "page" : name === "audit" && here === "charts" ? "true" : nothing; // figures of it
    return html`
      <li>
        <a class="place" href=${this.app.router.href(name, {})} aria-current=${current}>
          ${icon(picture)}<span class="grow">${t(text)}</span>
          ${
            waiting === 0
              ? nothing
              : html`<span class="badge waiting" aria-hidden="true">${waiting}</span>
                  <span class="unseen">${t("app.waitingCount", { count: waiting })}</span>`
          }
        </a>
      </li>
    `;
  }

  #list(): TemplateResult {
    const { status, sessions, filter, nextCursor } = this.app.state.sessions.get();
    if (status === "ready" && sessions.length === 0) {
      const text = filter.search === "" ? t("app.noSessions") : t("app.noMatches", { search: filter.search });
      return html`<p class="empty small">${text}</p>`;
    }
    return html`
      <ul>
        ${repeat(
          sessions,
          ({ id }) => id,
          (session) => this.#session(session),
        )}
      </ul>
      ${
        nextCursor === null
          ? nothing
          : html`<button
              class="button bare small"
              @click=${() => this.app.attempt(() => this.app.state.sessions.more())}
            >
              ${t("app.loadMore")}
            </button>`
      }
    `;
  }

  #session(session: SessionSummary): TemplateResult {
    const { id, waiting, updatedAtMs, failed = false } = session;
    const isHere = this.app.router.get()?.params["sessionId"] === id;
    return html`
      <li>
        <a
          class="session"
          href=${this.app.router.href("session", { sessionId: id })}
          aria-current=${isHere ? "page" : nothing}
        >
          <span class="grow clip">${titleOf(session)}</span>
          ${
            failed
              ? html`<span class="badge bad">${icon("bad", 14)}<span class="unseen">${t("chat.failed")}</span></span>`
              : nothing
          }
          ${
            waiting === null
              ? html`<time class="small quiet" title=${sayDate(updatedAtMs)}
                  >${sayWhen(updatedAtMs, clock.get())}</time
                >`
              : html`<span class="badge waiting"
                  >${icon("waiting", 14)}<span class="unseen">${t("app.waitingHere")}</span></span
                >`
          }
        </a>
      </li>
    `;
  }
}

customElements.define("hp-sidebar", Sidebar);
