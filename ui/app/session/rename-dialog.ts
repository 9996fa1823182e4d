/** The dialog that gives a session another title. */
import { html, type TemplateResult } from "lit";
import type { SessionView } from "../../../src/protocol/methods.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/dialog.ts";
import { emit } from "../../parts/emit.ts";
import { textIn } from "../../parts/form-text.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { base } from "../../theme/base.ts";
import { AppElement } from "../app-element.ts";

class RenameDialog extends AppElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, buttons, fields];

  declare session: SessionView;

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const title = textIn(event.target, "title");
    const sessionId = this.session.id;
    if (title === "" || (await this.app.attempt(() => this.app.call("sessions.patch", { sessionId, title })))) {
      emit(this, "hp-close");
    }
  }

  protected override render(): TemplateResult {
    return html`
      <hp-dialog open heading=${t("app.renameHeading")}>
        <form class="stack" @submit=${(event: SubmitEvent) => this.#save(event)}>
          <label class="field">
            <span>${t("app.title")}</span>
            <input class="input" name="title" maxlength="200" required autofocus .value=${this.session.title} />
          </label>
          <div class="row">
            <button class="button primary">${t("app.save")}</button>
            <button class="button" type="button" @click=${() => emit(this, "hp-close")}>${t("app.cancel")}</button>
          </div>
        </form>
      </hp-dialog>
    `;
  }
}

customElements.define("hp-rename-dialog", RenameDialog);
