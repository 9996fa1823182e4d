/** The view of a browser that is not logged in: how to get a link, and a field to paste one. */
import { css, html, nothing, type TemplateResult } from "lit";
import { LitElement } from "lit";
import { loginCodeIn } from "../../src/client/browser-login.ts";
import { language, t } from "../i18n/t.ts";
import { emit } from "../parts/emit.ts";
import { textIn } from "../parts/form-text.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { loneCard } from "../parts/look/lone-card.ts";
import { watch } from "../parts/watch.ts";
import { problemLines } from "../problems/problem-lines.ts";
import { problemOf } from "../problems/problem-of.ts";
import { base } from "../theme/base.ts";

export class SignedOutPage extends LitElement {
  static override properties = { reason: { attribute: false }, problem: { state: true } };
  static override styles = [
    base,
    buttons,
    fields,
    loneCard,
    css`
      pre {
        margin: 0;
        padding: var(--hp-3);
        overflow-x: auto;
        border-radius: var(--hp-round-small);
        background: var(--hp-sunken);
      }
    `,
  ];

  /** Why a link was not taken: what was thrown. */
  declare reason: unknown;
  declare problem: string;

  constructor() {
    super();
    this.reason = undefined;
    this.problem = "";
    watch(this, language);
  }

  #paste(event: SubmitEvent): void {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const link = textIn(event.target, "link");
    const code = loginCodeIn(`#${link.split("#").at(-1) ?? ""}`);
    this.problem = code === undefined ? t("app.noLink") : "";
    if (code !== undefined) emit(this, "hp-log-in", code);
  }

  protected override render(): TemplateResult {
    return html`
      <main class="stack">
        <h1>${t("app.name")}</h1>
        ${this.reason === undefined ? nothing : html`<p role="alert">${problemLines(problemOf(this.reason))}</p>`}
        <p class="quiet">${t("app.signedOutHint")}</p>
        <pre tabindex="0"><code>holdpoint link</code></pre>
        <form class="stack" @submit=${(event: SubmitEvent) => this.#paste(event)}>
          <label class="field">
            <span>${t("app.pasteLink")}</span>
            <input class="input" name="link" autocomplete="off" spellcheck="false" required />
            <span class="problem" role="status">${this.problem}</span>
          </label>
          <button class="button primary">${t("app.logIn")}</button>
        </form>
      </main>
    `;
  }
}

customElements.define("hp-signed-out", SignedOutPage);
