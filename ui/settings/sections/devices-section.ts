/** Who is logged in where: revoke one, log this browser out, or make a link for another device. */
import { html, nothing, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import { sayDate, sayList, sayWhen } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { operatorOf } from "../../state/connection.ts";
import { visibly } from "../../text/visibly.ts";
import { revokeQuestion } from "./revoke-question.ts";
import { Section } from "../section.ts";
import "./device-link.ts";

type Token = ResultOf<"tokens.list">["tokens"][number];

class DevicesSection extends Section<readonly Token[]> {
  static override properties = { asked: { state: true }, showsRevoked: { state: true } };

  declare asked: Token | undefined;
  declare showsRevoked: boolean;

  constructor() {
    super();
    this.showsRevoked = false;
  }

  protected async read(): Promise<readonly Token[]> {
    if (!this.isAdmin) return [];
    return (await this.app.call("tokens.list", {})).tokens;
  }

  async #revoke(token: Token): Promise<void> {
    this.asked = undefined;
    const done = await this.app.attempt(() => this.app.call("tokens.revoke", { id: token.id }));
    if (done !== undefined) this.app.notices.tell(t("settings.revokedNow"));
    await this.again();
  }

  protected draw(tokens: readonly Token[]): TemplateResult {
    const me = operatorOf(this.app.state.connection.get());
    const revoked = tokens.filter(({ revokedAtMs }) => revokedAtMs !== null);
    const shown = this.showsRevoked ? tokens : tokens.filter(({ revokedAtMs }) => revokedAtMs === null);
    const sorted = shown.toSorted(
      (a, b) => (b.device?.seenAtMs ?? b.createdAtMs) - (a.device?.seenAtMs ?? a.createdAtMs),
    );
    return html`
      <p>${me === undefined ? nothing : t("settings.you", { name: visibly(me.name) })}</p>
      <hp-device-link .app=${this.app}></hp-device-link>
      ${this.isAdmin ? nothing : html`<p class="small quiet">${t("settings.needsAdmin")}</p>`}
      <ul class="items">
        ${sorted.map((token) => this.#token(token, me?.device))}
      </ul>
      ${
        revoked.length === 0
          ? nothing
          : html`<label class="row small">
              <input
                type="checkbox"
                .checked=${this.showsRevoked}
                @change=${() => (this.showsRevoked = !this.showsRevoked)}
              />
              ${t("settings.showRevoked")}
            </label>`
      }
      <div>
        <button
          class="button"
          ?disabled=${!this.isOnline}
          title=${this.isOnline ? nothing : t("settings.offline")}
          @click=${() => this.app.attempt(() => this.app.logOut())}
        >
          ${t("settings.logOut")}
        </button>
      </div>
      ${this.#question()}
    `;
  }

  #token(token: Token, here: string | undefined): TemplateResult {
    const { device, name, createdAtMs, revokedAtMs, scopes } = token;
    const now = Date.now();
    const title =
      device === null ? t("settings.token", { name: visibly(name) }) : t("settings.browser", { name: visibly(name) });
    const times =
      device === null
        ? [t("settings.made", { when: sayDate(createdAtMs) })]
        : [
            t("settings.seen", { when: sayWhen(device.seenAtMs, now) }),
            t("settings.until", { when: sayDate(device.expiresAtMs) }),
          ];
    return html`
      <li>
        <div class="grow">
          <p class="row wrap">
            <strong>${title}</strong>
            ${token.id === here ? html`<span class="chip accent">${t("settings.here")}</span>` : nothing}
            ${revokedAtMs === null ? nothing : html`<span class="chip">${t("settings.revoked")}</span>`}
          </p>
          <p class="row wrap times small quiet">${times.map((time) => html`<span>${time}</span>`)}</p>
          <p class="small quiet">${sayList(scopes)}</p>
        </div>
        ${
          revokedAtMs !== null || token.id === here
            ? nothing
            : html`<button
                class="button danger"
                ?disabled=${!this.isOnline}
                aria-label=${`${t("settings.revoke")}: ${title}`}
                @click=${() => (this.asked = token)}
              >
                ${t("settings.revoke")}
              </button>`
        }
      </li>
    `;
  }

  #question(): TemplateResult {
    const { asked } = this;
    return revokeQuestion({
      heading: t("settings.revokeHeading"),
      hint: t("settings.revokeHint"),
      name: asked?.name,
      revoke: () => void (asked !== undefined && this.#revoke(asked)),
      close: () => void (this.asked = undefined),
    });
  }
}

customElements.define("hp-devices-section", DevicesSection);
