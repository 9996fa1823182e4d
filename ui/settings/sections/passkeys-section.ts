/** Passkeys: who has which, revoke one, and make a link with which somebody adds one. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import type { OperatorId } from "../../../src/protocol/ids.ts";
import { copyText } from "../../app/copy-text.ts";
import { sayDate, sayWhen } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/countdown.ts";
import { operatorOf } from "../../state/connection.ts";
import { withPasskey } from "../../state/with-passkey.ts";
import { visibly } from "../../text/visibly.ts";
import { revokeQuestion } from "./revoke-question.ts";
import { Section } from "../section.ts";

type Passkey = ResultOf<"passkeys.list">["passkeys"][number];
type Made = ResultOf<"passkeys.link">;
type Person = { id: OperatorId; name: string };
type Found = { passkeys: readonly Passkey[]; people: readonly Person[] };

class PasskeysSection extends Section<Found> {
  static override styles = [
    ...Section.styles,
    css`
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-2);
        align-items: end;
      }

      .line .field {
        flex: 1 1 12rem;
        min-inline-size: 0;
      }

      .line .button {
        white-space: normal;
      }

      .made {
        display: grid;
        gap: var(--hp-2);
      }
    `,
  ];
  static override properties = { asked: { state: true }, made: { state: true }, isSigning: { state: true } };

  declare asked: Passkey | undefined;
  declare made: Made | undefined;
  declare isSigning: boolean;

  constructor() {
    super();
    this.isSigning = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.made = undefined; // shown, never stored, and gone with the view
  }

  protected async read(): Promise<Found> {
    const { passkeys } = await this.app.call("passkeys.list", {});
    if (!this.isAdmin) return { passkeys, people: [] };
    const { tokens } = await this.app.call("tokens.list", {});
    return { passkeys, people: tokens.filter(({ device, revokedAtMs }) => device === null && revokedAtMs === null) };
  }

  async #link(operatorId: OperatorId): Promise<void> {
    this.made = undefined;
    const made = await this.app.attempt(() =>
      withPasskey(
        (presence) => this.app.call("passkeys.link", { operatorId, ...(presence === undefined ? {} : { presence }) }),
        { asking: () => (this.isSigning = true) },
      ),
    );
    this.isSigning = false;
    this.made = made;
    await this.again(); // one of them may have been used just now
  }

  async #revoke({ credentialId }: Passkey): Promise<void> {
    this.asked = undefined;
    const done = await this.app.attempt(() => this.app.call("passkeys.revoke", { credentialId }));
    if (done !== undefined) this.app.notices.tell(t("settings.revokedNow"));
    await this.again();
  }

  protected draw({ passkeys, people }: Found): TemplateResult {
    return html`
      <p class="small quiet">${t("settings.passkeysHint")}</p>
      ${this.isAdmin ? this.#linking(people) : html`<p class="small quiet">${t("settings.passkeyAskAdmin")}</p>`}
      ${passkeys.length === 0 ? html`<p>${t("settings.passkeysNone")}</p>` : nothing}
      <ul class="items">
        ${passkeys.map((passkey) => this.#passkey(passkey, people))}
      </ul>
      ${this.#question()}
    `;
  }

  #linking(people: readonly Person[]): TemplateResult {
    const { made } = this;
    const me = operatorOf(this.app.state.connection.get())?.id;
    return html`<form
        class="line"
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const chosen = this.renderRoot.querySelector("select")?.value;
          const person = people.find(({ id }) => id === chosen);
          if (person !== undefined) void this.#link(person.id);
        }}
      >
        <label class="field">
          <span>${t("settings.passkeyFor")}</span>
          <select class="input">
            ${people.map(({ id, name }) => html`<option value=${id} ?selected=${id === me}>${visibly(name)}</option>`)}
          </select>
        </label>
        <button class="button" ?disabled=${!this.isOnline}>${t("settings.passkeyLink")}</button>
      </form>
      <div class="made" role="status">
        ${this.isSigning ? html`<p>${t("cards.signing")}</p>` : nothing}
        ${
          made === undefined
            ? nothing
            : html`<p class="small quiet">${t("settings.passkeyLinkHint", { name: visibly(made.operator.name) })}</p>
                <div class="line">
                  <label class="field">
                    <span>${t("settings.linkAddress")}</span>
                    <input
                      class="input"
                      readonly
                      .value=${made.link}
                      @focus=${({ target }: Event) => target instanceof HTMLInputElement && target.select()}
                    />
                  </label>
                  <button class="button" @click=${() => copyText(this.app, made.link, t("settings.copied"))}>
                    ${t("settings.copy")}
                  </button>
                </div>
                <p class="small quiet">
                  ${t("settings.expires")} <hp-countdown .untilMs=${made.expiresAtMs}></hp-countdown>
                </p>`
        }
      </div>`;
  }

  #passkey(passkey: Passkey, people: readonly Person[]): TemplateResult {
    const { name, operatorId, state, createdAtMs, usedAtMs, fingerprint, rpId } = passkey;
    const owner = people.find(({ id }) => id === operatorId)?.name;
    const title = owner === undefined ? visibly(name) : `${visibly(name)} · ${visibly(owner)}`;
    const used =
      usedAtMs === null
        ? t("settings.passkeyUnused")
        : t("settings.passkeyUsed", { when: sayWhen(usedAtMs, Date.now()) });
    return html`<li>
      <div class="grow">
        <p class="row wrap">
          <strong>${title}</strong>
          ${state === "usable" ? nothing : html`<span class="chip">${t("settings.revoked")}</span>`}
        </p>
        <p class="row wrap times small quiet">
          <span>${t("settings.made", { when: sayDate(createdAtMs) })}</span><span>${used}</span><span>${rpId}</span>
        </p>
        <p class="small quiet">${t("settings.passkeyFingerprint")} <code>${fingerprint}</code></p>
      </div>
      ${
        state === "usable"
          ? html`<button
              class="button danger"
              ?disabled=${!this.isOnline}
              aria-label=${`${t("settings.revoke")}: ${title}`}
              @click=${() => (this.asked = passkey)}
            >
              ${t("settings.revoke")}
            </button>`
          : nothing
      }
    </li>`;
  }

  #question(): TemplateResult {
    const { asked } = this;
    return revokeQuestion({
      heading: t("settings.passkeyRevokeHeading"),
      hint: t("settings.passkeyRevokeHint"),
      name: asked?.name,
      revoke: () => void (asked !== undefined && this.#revoke(asked)),
      close: () => void (this.asked = undefined),
    });
  }
}

customElements.define("hp-passkeys-section", PasskeysSection);
