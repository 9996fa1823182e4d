/** A one-time link for another device. It is shown, never stored, and gone with the view. */
import { css, html, nothing, type TemplateResult } from "lit";
import { AppElement } from "../../app/app-element.ts";
import { copyText } from "../../app/copy-text.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/countdown.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { isOnline } from "../../state/connection.ts";
import { base } from "../../theme/base.ts";

const LOOPBACK = /^(?:localhost|127\.|\[::1\])/;

class DeviceLink extends AppElement {
  static override properties = { link: { state: true } };
  static override styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--hp-2);
        justify-items: start;
      }

      .made {
        display: grid;
        gap: var(--hp-2);
        inline-size: 100%;
      }

      .address {
        display: flex;
        gap: var(--hp-2);
        align-items: end;
      }

      .address .field {
        flex: 1;
        min-inline-size: 0;
      }
    `,
  ];

  declare link: { address: string; expiresAtMs: number } | undefined;

  protected override reads() {
    return [this.app.state.connection];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.link = undefined;
  }

  async #make(): Promise<void> {
    const made = await this.app.attempt(() => this.app.call("tokens.link", {}));
    if (made !== undefined) {
      this.link = { address: `${location.origin}/${made.fragment}`, expiresAtMs: made.expiresAtMs };
    }
  }

  protected override render(): TemplateResult {
    const { link } = this;
    return html`
      <button class="button" ?disabled=${!isOnline(this.app.state.connection.get())} @click=${() => this.#make()}>
        ${t("settings.link")}
      </button>
      <div class="made" role="status">
        ${
          link === undefined
            ? nothing
            : html`
                <p class="small quiet">${t("settings.linkHint")}</p>
                <div class="address">
                  <label class="field">
                    <span>${t("settings.linkAddress")}</span>
                    <input
                      class="input"
                      readonly
                      .value=${link.address}
                      @focus=${({ target }: Event) => target instanceof HTMLInputElement && target.select()}
                    />
                  </label>
                  <button class="button" @click=${() => copyText(this.app, link.address, t("settings.copied"))}>
                    ${t("settings.copy")}
                  </button>
                </div>
                <p class="small quiet">
                  ${t("settings.expires")} <hp-countdown .untilMs=${link.expiresAtMs}></hp-countdown>
                </p>
                ${LOOPBACK.test(location.hostname) ? html`<p class="small">${t("settings.linkLocal")}</p>` : nothing}
              `
        }
      </div>
    `;
  }
}

customElements.define("hp-device-link", DeviceLink);
