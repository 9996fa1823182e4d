/** The configuration: the few settings that people change, and everything else to read. */
import { html, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import "../config/config-field.ts";
import { restOf, SETTINGS, settingAt } from "../config/settings-of.ts";
import { Section } from "../section.ts";

type Configuration = ResultOf<"config.get">;

class ConfigSection extends Section<Configuration> {
  protected read(): Promise<Configuration> {
    return this.app.call("config.get", {});
  }

  protected draw({ value, file }: Configuration): TemplateResult {
    return html`
      ${this.isAdmin ? html`` : html`<p class="small quiet">${t("settings.needsAdmin")}</p>`}
      <div class="stack" @hp-saved=${() => this.again()}>
        ${SETTINGS.map(
          (setting) =>
            html`<hp-config-field
              .app=${this.app}
              .setting=${setting}
              .value=${settingAt(value, setting.path)}
            ></hp-config-field>`,
        )}
      </div>
      <details>
        <summary>${t("settings.configRest")}</summary>
        <p class="small quiet">${t("settings.configRestHint")}</p>
        <dl class="facts small">
          ${restOf(value).map(
            ([path, text]) =>
              html`<div>
                <dt class="quiet">${visibly(path)}</dt>
                <dd><code>${visibly(text)}</code></dd>
              </div>`,
          )}
        </dl>
      </details>
      <p class="small quiet">${t("settings.configFile", { file: visibly(file) })}</p>
    `;
  }
}

customElements.define("hp-config-section", ConfigSection);
