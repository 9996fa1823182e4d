/** The view of a link that adds a passkey: whose it will be, a name for it, and one button. Nobody need be logged in. */
import { startRegistration } from "@simplewebauthn/browser";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { EnrolmentAnswerOf } from "../../src/protocol/wire/enrolment.ts";
import { postTo } from "../../src/client/browser-login.ts";
import { language, t } from "../i18n/t.ts";
import { textIn } from "../parts/form-text.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { loneCard } from "../parts/look/lone-card.ts";
import { watch } from "../parts/watch.ts";
import { problemLines } from "../problems/problem-lines.ts";
import { type Problem, problemOf } from "../problems/problem-of.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";

type Offered = EnrolmentAnswerOf<"/auth/passkey/options">;
type Added = EnrolmentAnswerOf<"/auth/passkey/enrol">;
type Stage =
  | { at: "loading" }
  | { at: "offered"; offered: Offered; busy: boolean; problem?: Problem }
  | { at: "added"; added: Added }
  | { at: "failed"; problem: Problem };

type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

export class EnrolPage extends LitElement {
  static override properties = { stage: { state: true } };
  static override styles = [
    base,
    buttons,
    fields,
    loneCard,
    css`
      code {
        overflow-wrap: anywhere;
      }
    `,
  ];

  declare stage: Stage;
  #code = "";

  constructor() {
    super();
    this.stage = { at: "loading" };
    watch(this, language);
  }

  async open(code: string): Promise<void> {
    this.#code = code;
    try {
      const offered = await postTo<Offered>(location.origin, "/auth/passkey/options", { code });
      this.stage = { at: "offered", offered, busy: false };
    } catch (error) {
      this.stage = { at: "failed", problem: problemOf(error) };
    }
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { stage } = this;
    if (stage.at !== "offered" || stage.busy || !(event.target instanceof HTMLFormElement)) return;
    const { offered } = stage;
    const name = textIn(event.target, "name");
    this.stage = { at: "offered", offered, busy: true };
    const made = await this.#make(offered);
    if (made === undefined) {
      const problem = { text: t("settings.enrolCancelled"), isEnglish: false, detail: "" };
      this.stage = { at: "offered", offered, busy: false, problem };
      return;
    }
    try {
      const body = { code: this.#code, name, response: made };
      this.stage = { at: "added", added: await postTo<Added>(location.origin, "/auth/passkey/enrol", body) };
    } catch (error) {
      this.stage = { at: "failed", problem: problemOf(error) };
    }
  }

  /** Undefined where the browser made none: it does not say whether the person or a timer ended it. */
  async #make({ publicKey }: Offered): Promise<object | undefined> {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway made it for exactly this
      const { id, response } = await startRegistration({ optionsJSON: publicKey as unknown as CreationOptions });
      const { clientDataJSON, attestationObject, transports = [] } = response;
      return { credentialId: id, clientDataJSON, attestationObject, transports };
    } catch {
      return undefined;
    }
  }

  protected override render(): TemplateResult {
    return html`<main class="stack">
      <h1>${t("settings.enrolAdd")}</h1>
      ${this.#body()}
    </main>`;
  }

  #body(): TemplateResult {
    const { stage } = this;
    switch (stage.at) {
      case "loading":
        return html`<p class="quiet" role="status">${t("settings.loading")}</p>`;
      case "failed":
        return html`<p role="alert">${problemLines(stage.problem)}</p>`;
      case "added":
        return html`<p role="status">${t("settings.enrolDone", { name: visibly(stage.added.operator) })}</p>
          <p class="small quiet">${t("settings.passkeyFingerprint")} <code>${stage.added.fingerprint}</code></p>
          <p><a class="button primary" href="/inbox">${t("app.inbox")}</a></p>`;
      case "offered":
        return this.#form(stage);
    }
  }

  #form({ offered, busy, problem }: Extract<Stage, { at: "offered" }>): TemplateResult {
    if (offered.origin !== location.origin) {
      const link = `${offered.origin}/#passkey=${this.#code}`;
      return html`<p>${t("settings.enrolElsewhere")}</p>
        <p><a class="button primary" href=${link}>${offered.origin}</a></p>`;
    }
    return html`<p>${t("settings.enrolFor", { name: visibly(offered.operator) })}</p>
      <p class="quiet small">${t("settings.enrolHint")}</p>
      <div role="alert">${problem === undefined ? nothing : html`<p>${problemLines(problem)}</p>`}</div>
      <form class="stack" @submit=${(event: SubmitEvent) => this.#add(event)}>
        <label class="field">
          <span>${t("settings.enrolName")}</span>
          <input class="input" name="name" maxlength="64" autocomplete="off" />
        </label>
        <button class="button primary" ?disabled=${busy}>${t("settings.enrolAdd")}</button>
      </form>`;
  }
}

customElements.define("hp-enrol-page", EnrolPage);
