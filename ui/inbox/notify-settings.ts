/** Whether and how this browser tells that something waits. The browser's own question comes after a click here only. */
import { css, html, nothing, type TemplateResult } from "lit";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { type PushState, pushState, startPush, stopPush } from "../push/web-push.ts";
import { isOnline } from "../state/connection.ts";
import { base } from "../theme/base.ts";
import { chooseShown, chooseSound, notifyChoice, permission } from "./notify-choice.ts";
import { playTone } from "./tone.ts";

class NotifySettings extends AppElement {
  static override properties = { push: { state: true } };
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

  /** Undefined until it is known. */
  declare push: PushState | undefined;
  #wasOnline = false;

  protected override reads() {
    return [notifyChoice, this.app.state.connection];
  }

  protected override willUpdate(): void {
    const online = isOnline(this.app.state.connection.get());
    if (online && !this.#wasOnline) void this.#lookAtPush();
    this.#wasOnline = online;
  }

  async #lookAtPush(): Promise<void> {
    this.push = await pushState(this.app);
  }

  async #choosePush(): Promise<void> {
    await this.app.attempt(() => (this.push === "yes" ? stopPush(this.app) : startPush(this.app)));
    await this.#lookAtPush();
  }

  /** Offered where the gateway offers it; why a browser cannot is said there. */
  #push(): TemplateResult | typeof nothing {
    const { push } = this;
    if (push === undefined || push === "off") return nothing;
    return html`<label>
      <input
        type="checkbox"
        .checked=${push === "yes"}
        ?disabled=${push === "unsupported" || push === "denied"}
        @change=${() => this.#choosePush()}
      />
      <span>
        ${t("inbox.push")}<br />
        <span class="small quiet">
          ${push === "unsupported" || push === "denied" ? t(`inbox.notify_${push}`) : t("inbox.pushHint")}
        </span>
      </span>
    </label>`;
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
      ${this.#push()}
      <label>
        <input type="checkbox" .checked=${sounds} @change=${() => this.#sound()} />
        <span>${t("inbox.sound")}</span>
      </label>
    `;
  }
}

customElements.define("hp-notify-settings", NotifySettings);
