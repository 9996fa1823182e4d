/** What runs, since when, and whether it can write. */
import { html, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import { sayDate, sayNumber } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import { Section } from "../section.ts";

type Gateway = { status: ResultOf<"status">; health: ResultOf<"health">; atMs: number };

class GatewaySection extends Section<Gateway> {
  protected async read(): Promise<Gateway> {
    const [status, health] = await Promise.all([this.app.call("status", {}), this.app.call("health", {})]);
    return { status, health, atMs: Date.now() };
  }

  protected draw({ status, health, atMs }: Gateway): TemplateResult {
    const { store } = health;
    const facts: [string, string][] = [
      [t("settings.version"), status.version],
      [t("settings.node"), status.node],
      [t("settings.uptime"), sayDate(atMs - status.uptimeMs)],
      [
        t("settings.store"),
        store.writable
          ? t("settings.storeGood", { store: visibly(status.store) })
          : t("settings.storeBad", { store: visibly(status.store), detail: visibly(store.detail) }),
      ],
      [t("settings.modelNow"), status.model],
      [t("settings.connections"), sayNumber(status.connections)],
      [t("settings.turns"), sayNumber(status.runningTurns)],
      [t("settings.waiting"), sayNumber(status.waiting)],
      [t("settings.home"), status.home],
    ];
    return html`<dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt class="quiet">${name}</dt>
            <dd>${visibly(value)}</dd>
          </div>`,
      )}
    </dl>`;
  }
}

customElements.define("hp-gateway-section", GatewaySection);
