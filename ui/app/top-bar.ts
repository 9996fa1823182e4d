/**
 * The bar above the main view: its title, and actions on the session as a whole. On a phone the places of a session
 * scroll where they do not fit, and fade out towards those that are left.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { t } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import "../parts/menu.ts";
import type { MenuItem } from "../parts/menu.ts";
import { isOnline } from "../state/connection.ts";
import type { ReadySession } from "../state/open-session.ts";
import { base } from "../theme/base.ts";
import { AppElement } from "./app-element.ts";
import { type RouteName, routeOf } from "./routes.ts";
import { archiveSession } from "./session/session-actions.ts";
import { sidePane } from "./side-pane.ts";
import { titleOf } from "./session/session-title.ts";

const SESSION_PLACES = [
  { name: "session", text: "app.conversation" },
  { name: "plan", text: "app.plan" },
  { name: "run", text: "app.run" },
  { name: "changes", text: "app.changes" },
  { name: "timeline", text: "app.timeline" },
] as const satisfies readonly { name: RouteName; text: string }[];

export class TopBar extends AppElement {
  static override properties = { renaming: { state: true }, hasPane: { type: Boolean } };
  static override styles = [
    base,
    buttons,
    marks,
    css`
      :host {
        container: bar / inline-size;
        display: block;
        border-block-end: 1px solid var(--hp-line);
        background: var(--hp-surface);
      }

      .bar {
        display: flex;
        flex-wrap: nowrap;
        align-items: center;
        gap: 0 var(--hp-2);
        min-block-size: 3.25rem;
        padding: 0 var(--hp-3);
      }

      h1 {
        flex: 1 1 8rem;
        min-inline-size: 0;
        padding-inline: var(--hp-1);
        font-size: var(--hp-size-large);
      }

      .places {
        display: flex;
        align-self: stretch;
        margin-block-end: -1px;
      }

      .places a {
        display: flex;
        align-items: center;
        min-block-size: var(--hp-target);
        padding: 0 var(--hp-2);
        border-block-end: 2px solid transparent;
        color: var(--hp-quiet);
        font-size: var(--hp-size-small);
        font-weight: 550;
        text-decoration: none;
        white-space: nowrap;
      }

      .places a[aria-current] {
        border-color: var(--hp-accent);
        color: var(--hp-text);
      }

      @media (width >= 45rem) {
        .back {
          display: none;
        }
      }

      /* the title keeps its line, the places get their own */
      @container bar (width < 46rem) {
        .bar {
          flex-wrap: wrap;
        }

        .places {
          order: 1;
          flex-basis: 100%;
          justify-content: space-between;
          overflow-x: auto;
          scrollbar-width: none;
          animation: more;
          animation-timeline: scroll(self inline);
        }

        .places a {
          padding: 0 var(--hp-1);
          font-size: 0.8125rem;
        }

        .places a:focus-visible {
          outline-offset: -2px;
        }
      }

      @keyframes more {
        from {
          mask: linear-gradient(90deg, #000 85%, transparent);
        }
      }
    `,
  ];

  declare renaming: boolean;
  /** Whether there is a plan pane here that can be shown or hidden. */
  declare hasPane: boolean;

  constructor() {
    super();
    this.renaming = false;
    this.hasPane = false;
  }

  protected override reads() {
    return [this.app.router, this.app.state.open, this.app.state.connection, sidePane];
  }

  /** Of places that scroll, the present one is in sight. */
  protected override updated(): void {
    this.renderRoot.querySelector(".places [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  protected override render(): TemplateResult {
    const place = this.app.router.get();
    const open = this.app.state.open.get();
    const ready = open.status === "ready" && place?.params["sessionId"] === open.id ? open : undefined;
    const heading =
      ready !== undefined ? titleOf(ready.session) : place === undefined ? t("app.name") : t(routeOf(place.name).title);
    return html`<div class="bar">
      <a class="button bare square back" href=${this.app.router.href("home", {})} aria-label=${t("app.back")}>
        ${icon("back")}
      </a>
      <h1 class="clip" title=${heading}>${heading}</h1>
      ${ready === undefined ? nothing : this.#session(ready)}
    </div>`;
  }

  #session({ id, session }: ReadySession): TemplateResult {
    const here = this.app.router.get()?.name;
    return html`
      <nav class="places" aria-label=${t("app.sessionMenu")}>
        ${SESSION_PLACES.map(
          ({ name, text }) => html`
            <a href=${this.app.router.href(name, { sessionId: id })} aria-current=${name === here ? "page" : nothing}>
              ${t(text)}
            </a>
          `,
        )}
      </nav>
      ${this.hasPane ? this.#paneToggle() : nothing}
      <hp-menu
        label=${t("app.sessionMenu")}
        ?disabled=${!isOnline(this.app.state.connection.get())}
        .items=${menuOf(session.archived)}
        @hp-choose=${({ detail }: CustomEvent<string>) => this.#chosen(detail, { id, session })}
      ></hp-menu>
      ${
        this.renaming
          ? html`<hp-rename-dialog
              .app=${this.app}
              .session=${session}
              @hp-close=${() => (this.renaming = false)}
            ></hp-rename-dialog>`
          : nothing
      }
    `;
  }

  #paneToggle(): TemplateResult {
    return html`<button
      class="button bare square"
      aria-pressed=${sidePane.get()}
      aria-label=${t("app.planPane")}
      title=${t("app.keyPane")}
      @click=${() => sidePane.toggle()}
    >
      ${icon("pane")}
    </button>`;
  }

  async #chosen(choice: string, { id, session }: Pick<ReadySession, "id" | "session">): Promise<void> {
    if (choice === "archive") return archiveSession(this.app, id, !session.archived);
    const found = await this.app.attempt(() => import("./session/rename-dialog.ts"));
    this.renaming = found !== undefined;
  }
}

const menuOf = (archived: boolean): MenuItem[] => [
  { id: "rename", label: t("app.rename"), icon: "sign" },
  { id: "archive", label: archived ? t("app.unarchive") : t("app.archive"), icon: "archive" },
];

customElements.define("hp-top-bar", TopBar);
