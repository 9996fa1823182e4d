/** `<hp-rollback-dialog .app .asked>`: what a rollback would do to each file, and the button that does it. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PreviewedFile, RollbackPreview } from "../../src/changes/protocol/changes.ts";
import type { CycleId, SessionId } from "../../src/protocol/ids.ts";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import "../parts/dialog.ts";
import { emit } from "../parts/emit.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { changesLook } from "./changes-look.ts";
import { SIGNS } from "./signs.ts";

export type RollbackAsked = { sessionId: SessionId; cycleId: CycleId; step: number | null };

class RollbackDialog extends AppElement {
  static override properties = {
    asked: { attribute: false },
    preview: { state: true },
    choice: { state: true },
    isBusy: { state: true },
  };
  static override styles = [base, buttons, marks, changesLook];

  declare asked: RollbackAsked;
  declare preview: RollbackPreview | undefined;
  declare choice: "keep" | "overwrite" | undefined;
  declare isBusy: boolean;

  constructor() {
    super();
    this.preview = undefined;
    this.choice = undefined;
    this.isBusy = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("asked")) void this.#look();
  }

  async #look(): Promise<void> {
    this.preview = undefined;
    const found = await this.app.attempt(() => this.app.call("changes.preview", this.asked));
    if (found === undefined) emit(this, "hp-close");
    else this.preview = found.preview;
  }

  /** A file that changed meanwhile makes the preview stale: it is shown again, and nothing was done. */
  async #rollBack({ digest, conflicts }: RollbackPreview): Promise<void> {
    this.isBusy = true;
    const chosen = conflicts === 0 || this.choice === undefined ? {} : { conflicts: this.choice };
    const done = await this.app.attempt(() => this.app.call("changes.rollback", { ...this.asked, digest, ...chosen }));
    this.isBusy = false;
    if (done === undefined) return this.#look();
    this.app.notices.tell(t("changes.done", { restored: done.restored, left: done.left.length }));
    emit(this, "hp-close");
  }

  protected override render(): TemplateResult {
    const { step } = this.asked;
    const heading = step === null ? t("changes.rollBackPlan") : t("changes.rollBackStepNumber", { step });
    return html`<hp-dialog open heading=${heading} @hp-close=${() => emit(this, "hp-close")}>
      ${this.preview === undefined ? html`<p class="quiet">${t("run.loading")}</p>` : this.#preview(this.preview)}
    </hp-dialog>`;
  }

  #preview(preview: RollbackPreview): TemplateResult {
    const { files, moreFiles, conflicts } = preview;
    if (files.length === 0) return html`<p>${t("changes.nothingToPutBack")}</p>`;
    const mayGo = conflicts === 0 || this.choice !== undefined;
    return html`
      <div class="stack">
        <p>${t("changes.previewText")}</p>
        <ul class="files" tabindex="0" aria-label=${t("changes.previewText")}>
          ${files.map(previewed)}
        </ul>
        ${moreFiles > 0 ? html`<p class="small quiet">${t("changes.more", { n: moreFiles })}</p>` : nothing}
        ${conflicts > 0 ? this.#choices(conflicts) : nothing}
        <div class="bar">
          <button class="button danger" ?disabled=${!mayGo || this.isBusy} @click=${() => this.#rollBack(preview)}>
            ${t("changes.rollBackStep")}
          </button>
          <button class="button" @click=${() => emit(this, "hp-close")}>${t("app.cancel")}</button>
        </div>
      </div>
    `;
  }

  #choices(conflicts: number): TemplateResult {
    return html`<fieldset class="stack">
      <legend class="warning">${t("changes.conflicts", { n: conflicts })}</legend>
      ${(["keep", "overwrite"] as const).map(
        (choice) =>
          html`<label class="choice">
            <input
              type="radio"
              name="choice"
              .checked=${this.choice === choice}
              @change=${() => (this.choice = choice)}
            />
            <span>${t(`changes.choice_${choice}`)}</span>
          </label>`,
      )}
    </fieldset>`;
  }
}

const previewed = ({ path, change, conflict }: PreviewedFile): TemplateResult => html`
  <li>
    <span class="sign ${change}" aria-hidden="true">${SIGNS[change]}</span>
    <span class="unseen">${t(`changes.kind_${change}`)}</span>
    <code class="path">${visibly(path)}</code>
    ${conflict === undefined ? nothing : html`<span class="chip waiting">${t(`changes.conflict_${conflict}`)}</span>`}
  </li>
`;

customElements.define("hp-rollback-dialog", RollbackDialog);
