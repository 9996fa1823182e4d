/** Whether and how this browser tells that something waits. The browser's own question comes after a click here only. */
import { css, html, nothing, type TemplateResult } from "lit";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { base } from "../theme/base.ts";
import { chooseShown, chooseSound, notifyChoice, permission } from "./notify-choice.ts";
import { playTone } from "./tone.ts";

class NotifySettings extends AppElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: grid;
        gap: var(--hp-3);
      }

      label {
        display: flex;
        gap: var(--hp-2);
        align-items: baseline;
      }
    `,
  ];

  protected override reads() {
    return [notifyChoice];
  }

  #sound(): void {
    const sounds = !notifyChoice.get().sounds;
    chooseSound(sounds);
    if (sounds) playTone(); // so that they know it
  }

  protected override render(): TemplateResult {
    const { shows, sounds } = notifyChoice.get();
    const allowed = permission();
    const isOn = shows && allowed === "granted";
    return html`
      <label>
        <input
          type="checkbox"
          .checked=${isOn}
          ?disabled=${allowed === "unsupported" || allowed === "denied"}
          @change=${() => this.app.attempt(() => chooseShown(!isOn)).then(() => this.requestUpdate())}
        />
        <span>
          ${t("inbox.notify")}
          ${
            allowed === "granted" || allowed === "default"
              ? nothing
              : html`<br /><span class="small quiet">${t(`inbox.notify_${allowed}`)}</span>`
          }
        </span>
      </label>
      <label>
        <input type="checkbox" .checked=${sounds} @change=${() => this.#sound()} />
        <span>${t("inbox.sound")}</span>
      </label>
    `;
  }
}

customElements.define("hp-notify-settings", NotifySettings);
