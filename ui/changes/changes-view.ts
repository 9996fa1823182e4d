/** What the newest plan of a session that changed something did to its workspace, live while it runs. */
import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { ViewElement } from "../app/app-element.ts";
import { sessionIdIn } from "../app/session/session-id.ts";
import { t } from "../i18n/t.ts";
import { marks } from "../parts/look/marks.ts";
import { FollowedEvidence } from "../proof/followed-evidence.ts";
import { base } from "../theme/base.ts";
import "./change-list.ts";
import { FollowedChanges } from "./followed-changes.ts";

class ChangesView extends ViewElement {
  static override styles = [
    base,
    marks,
    css`
      :host {
        position: relative;
        overflow: auto;
        padding: var(--hp-5) var(--hp-4);
      }

      hp-change-list {
        max-inline-size: var(--hp-reading);
        margin-inline: auto;
      }
    `,
  ];

  readonly #changes = new FollowedChanges(this);
  readonly #seen = new FollowedEvidence(this);

  protected override reads() {
    return [this.app.state.connection, this.app.state.open];
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const sessionId = sessionIdIn(this.params["sessionId"]);
    this.#changes.follow(sessionId === undefined ? undefined : { sessionId });
  }

  protected override render(): TemplateResult {
    const now = this.#changes.get();
    if (now.status === "loading") return html`<p class="empty">${t("run.loading")}</p>`;
    if (now.status !== "ready") return html`<p class="empty">${t("run.failed")}</p>`;
    if (now.changes === null) return html`<p class="empty">${t("changes.none")}</p>`;
    return html`<hp-change-list
      .app=${this.app}
      .changes=${now.changes}
      .seen=${this.#seen.get()}
      @hp-rolled-back=${() => this.#changes.read()}
    ></hp-change-list>`;
  }
}

customElements.define("hp-changes-view", ChangesView);
