/** `<hp-sure-dialog .about=${…}>`: asks before a mode that allows more. Emits `hp-sure` or `hp-close`. */
import { html, LitElement, type TemplateResult } from "lit";
import { language, t } from "../i18n/t.ts";
import "../parts/dialog.ts";
import { emit } from "../parts/emit.ts";
import { buttons } from "../parts/look/buttons.ts";
import { watch } from "../parts/watch.ts";
import { base } from "../theme/base.ts";
import type { ModeWarning } from "./mode-of.ts";

class SureDialog extends LitElement {
  static override properties = { about: { attribute: false } };
  static override styles = [base, buttons];

  declare about: ModeWarning;

  constructor() {
    super();
    watch(this, language);
  }

  protected override render(): TemplateResult {
    const { about } = this;
    return html`
      <hp-dialog open heading=${t(`modes.sure_${about}`)}>
        <div class="stack">
          <p>${t(`modes.sureText_${about}`)}</p>
          <div class="row">
            <button class="button" autofocus @click=${() => emit(this, "hp-close")}>${t("app.cancel")}</button>
            <button class="button danger" @click=${() => emit(this, "hp-sure")}>${t(`modes.sureYes_${about}`)}</button>
          </div>
        </div>
      </hp-dialog>
    `;
  }
}

customElements.define("hp-sure-dialog", SureDialog);
