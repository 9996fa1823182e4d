/** The list behind `?`: made from the shortcuts that work at this very moment. */
import { css, html, type TemplateResult } from "lit";
import { t } from "../i18n/t.ts";
import "../parts/dialog.ts";
import { marks } from "../parts/look/marks.ts";
import { base } from "../theme/base.ts";
import { AppElement } from "./app-element.ts";
import { isCtrlDigit } from "./keys.ts";

class KeysDialog extends AppElement {
  static override styles = [
    base,
    marks,
    css`
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--hp-2) var(--hp-4);
        align-items: baseline;
      }

      p {
        margin-block-start: var(--hp-4);
      }
    `,
  ];

  protected override reads() {
    return [this.app.keys.shortcuts, this.app.keys.ctrlDigits];
  }

  protected override render(): TemplateResult {
    const { shortcuts, ctrlDigits } = this.app.keys;
    const inForce = shortcuts.get().filter(({ key }) => ctrlDigits.get() || !isCtrlDigit(key));
    const byKey = new Map(inForce.map((shortcut) => [shortcut.key, shortcut]));
    return html`
      <hp-dialog open heading=${t("app.keys")}>
        <dl>
          ${[...byKey.values()].map(
            ({ key, does }) =>
              html`<dt><kbd class="key">${key}</kbd></dt>
                <dd>${t(does)}</dd>`,
          )}
        </dl>
        <p class="quiet small">${t("app.keysHint")}</p>
      </hp-dialog>
    `;
  }
}

customElements.define("hp-keys-dialog", KeysDialog);
