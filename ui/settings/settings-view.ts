/** The settings view: this browser, log-ins, scheduled jobs, timers, the gateway's configuration, its plugins, and its status. */
import { css, html, type TemplateResult } from "lit";
import { ViewElement } from "../app/app-element.ts";
import { keepLanguage } from "../i18n/kept-language.ts";
import { LOCALES } from "../i18n/locales.ts";
import { language, speak, t } from "../i18n/t.ts";
import "../inbox/notify-settings.ts";
import "../run/timers/timer-list.ts";
import type { TimerList } from "../run/timers/timer-list.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import "../slots/slot.ts";
import { base } from "../theme/base.ts";
import { chooseTheme, theme, THEMES } from "../theme/theme.ts";
import "./sections/config-section.ts";
import "./sections/devices-section.ts";
import "./sections/gateway-section.ts";
import "./sections/passkeys-section.ts";
import "./sections/jobs-section.ts";
import "./sections/plugins-section.ts";

class SettingsView extends ViewElement {
  static override styles = [
    base,
    fields,
    marks,
    css`
      :host {
        position: relative;
        overflow: auto;
        padding: var(--hp-4);
      }

      .sections {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-4);
        max-inline-size: var(--hp-reading);
        margin-inline: auto;
      }

      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-3);
        min-inline-size: 0;
        padding: var(--hp-4);
      }

      .box {
        display: flex;
        gap: var(--hp-2);
        align-items: baseline;
      }

      @media (width >= 45rem) {
        .look {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }

        .look > :is(h2, .box, h3, hp-notify-settings) {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  protected override reads() {
    return [theme, this.app.keys.enabled, this.app.keys.ctrlDigits];
  }

  async #speak(locale: string): Promise<void> {
    keepLanguage(locale);
    await this.app.attempt(() => speak([locale]));
  }

  get #timers(): TimerList | null {
    return this.renderRoot.querySelector<TimerList>("hp-timer-list");
  }

  protected override render(): TemplateResult {
    return html`
      <div class="sections">
        ${this.#look()}
        <section class="panel">
          <h2>${t("settings.devices")}</h2>
          <hp-devices-section .app=${this.app}></hp-devices-section>
        </section>
        <section class="panel">
          <h2>${t("settings.passkeys")}</h2>
          <hp-passkeys-section .app=${this.app}></hp-passkeys-section>
        </section>
        <section class="panel">
          <h2>${t("settings.jobs")}</h2>
          <hp-jobs-section .app=${this.app} @hp-jobs-changed=${() => this.#timers?.again()}></hp-jobs-section>
        </section>
        <section class="panel">
          <hp-timer-list .app=${this.app}></hp-timer-list>
        </section>
        <section class="panel">
          <h2>${t("settings.config")}</h2>
          <hp-config-section .app=${this.app}></hp-config-section>
        </section>
        <section class="panel">
          <h2>${t("settings.plugins")}</h2>
          <hp-plugins-section .app=${this.app}></hp-plugins-section>
          <hp-slot name="settings" .app=${this.app}></hp-slot>
        </section>
        <section class="panel">
          <h2>${t("settings.gateway")}</h2>
          <hp-gateway-section .app=${this.app}></hp-gateway-section>
        </section>
      </div>
    `;
  }

  #look(): TemplateResult {
    return html`
      <section class="panel look">
        <h2>${t("settings.thisBrowser")}</h2>
        <label class="field">
          <span>${t("settings.theme")}</span>
          <select
            class="input"
            @change=${(event: Event) => chooseTheme(THEMES.find((name) => name === chosen(event)) ?? "system")}
          >
            ${THEMES.map(
              (name) =>
                html`<option value=${name} ?selected=${name === theme.get()}>${t(`settings.theme_${name}`)}</option>`,
            )}
          </select>
        </label>
        <label class="field">
          <span>${t("settings.language")}</span>
          <select class="input" @change=${(event: Event) => this.#speak(chosen(event))}>
            ${Object.entries(LOCALES).map(
              ([id, { name }]) =>
                html`<option value=${id} lang=${id} ?selected=${id === language.get().locale}>${name}</option>`,
            )}
          </select>
        </label>
        <label class="box">
          <input
            type="checkbox"
            .checked=${this.app.keys.enabled.get()}
            @change=${() => this.app.keys.enable(!this.app.keys.enabled.get())}
          />
          <span>${t("settings.keysOn")}</span>
        </label>
        <label class="box">
          <input
            type="checkbox"
            .checked=${this.app.keys.ctrlDigits.get()}
            @change=${() => this.app.keys.enableCtrlDigits(!this.app.keys.ctrlDigits.get())}
          />
          <span>${t("settings.ctrlDigitsOn")}</span>
        </label>
        <h3>${t("settings.notices")}</h3>
        <hp-notify-settings .app=${this.app}></hp-notify-settings>
      </section>
    `;
  }
}

const chosen = ({ target }: Event): string => (target instanceof HTMLSelectElement ? target.value : "");

customElements.define("hp-settings-view", SettingsView);
