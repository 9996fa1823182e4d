/** One setting. Nothing is saved by moving through a list: what is chosen is saved by its button, and checked by the gateway. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Json } from "../../../src/protocol/json.ts";
import { AppElement } from "../../app/app-element.ts";
import type { Place } from "../../app/routes.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { isOnline, operatorOf } from "../../state/connection.ts";
import { problemLines } from "../../problems/problem-lines.ts";
import { type Problem, problemOf } from "../../problems/problem-of.ts";
import { base } from "../../theme/base.ts";
import { type Setting, shownOf, valueOf } from "./settings-of.ts";

class ConfigField extends AppElement {
  static override properties = {
    setting: { attribute: false },
    value: { attribute: false },
    typed: { state: true },
    problem: { state: true },
    isSaving: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: block;
      }

      form {
        display: flex;
        gap: var(--hp-2);
        align-items: end;
      }

      .field {
        flex: 1;
        min-inline-size: 0;
      }

      .problem {
        color: var(--hp-bad);
      }

      /* not on the paragraph, which is empty most of the time */
      .problem span {
        white-space: pre-wrap;
      }
    `,
  ];

  declare setting: Setting;
  declare value: Json | undefined;
  /** Undefined while it stands as it is kept. */
  declare typed: string | undefined;
  declare problem: Problem | undefined;
  declare isSaving: boolean;
  #cameBy: Place | undefined;

  constructor() {
    super();
    this.problem = undefined;
    this.isSaving = false;
  }

  protected override reads() {
    return [this.app.state.connection, this.app.router];
  }

  /** Whoever came for this very setting is led to it, once. */
  #arrive(): void {
    const place = this.app.router.get();
    if (place === this.#cameBy || place?.search.get("at") !== this.setting.path) return;
    this.#cameBy = place;
    this.scrollIntoView({ block: "center" });
    this.renderRoot.querySelector<HTMLElement>("input, select")?.focus();
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { path } = this.setting;
    if (this.typed === undefined || this.isSaving) return;
    const value = valueOf(this.setting, this.typed);
    this.isSaving = true;
    try {
      const { restartNeeded } = await (value === undefined
        ? this.app.call("config.unset", { path })
        : this.app.call("config.set", { path, value }));
      this.app.notices.tell(restartNeeded ? t("settings.savedRestart") : t("settings.saved"));
      this.problem = undefined;
      this.typed = undefined;
      emit(this, "hp-saved");
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.isSaving = false;
  }

  /** What a person chose stays chosen in a list whatever its options say, so it is set. */
  protected override updated(): void {
    this.#arrive();
    const list = this.renderRoot.querySelector("select");
    if (list !== null) list.value = this.typed ?? shownOf(this.value);
  }

  protected override render(): TemplateResult {
    const { label, hint } = this.setting;
    const connection = this.app.state.connection.get();
    const mayChange = isOnline(connection) && (operatorOf(connection)?.scopes.includes("operator.admin") ?? false);
    const shown = this.typed ?? shownOf(this.value);
    const isChanged = shown !== shownOf(this.value);
    return html`
      <form @submit=${(event: SubmitEvent) => this.#save(event)}>
        <label class="field">
          <span>${t(label)}</span>
          ${this.#input(shown, mayChange)}
        </label>
        ${
          isChanged
            ? html`<button class="button primary" ?disabled=${!mayChange || this.isSaving}>
                ${t("settings.save")}
              </button>`
            : nothing
        }
      </form>
      ${hint === undefined ? nothing : html`<p class="small quiet" id="hint">${t(hint)}</p>`}
      <p class="small problem" id="problem" role="alert">
        ${this.problem === undefined ? nothing : problemLines(this.problem)}
      </p>
    `;
  }

  #input(shown: string, mayChange: boolean): TemplateResult {
    const { kind, hint } = this.setting;
    const described = [hint === undefined ? "" : "hint", this.problem === undefined ? "" : "problem"].join(" ").trim();
    const type = ({ target }: Event): void => {
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) this.typed = target.value;
    };
    const isWrong = this.problem === undefined ? "false" : "true";
    if (kind.type !== "yes-no" && kind.type !== "one-of") {
      return html`<input
        class="input"
        type="text"
        inputmode=${kind.type === "number" ? "numeric" : nothing}
        placeholder=${t("settings.asDefault")}
        maxlength="2000"
        spellcheck="false"
        autocomplete="off"
        aria-describedby=${described === "" ? nothing : described}
        aria-invalid=${isWrong}
        ?disabled=${!mayChange}
        .value=${shown}
        @input=${type}
      />`;
    }
    const options =
      kind.type === "one-of"
        ? kind.options
        : ([
            { value: "true", label: "settings.yes" },
            { value: "false", label: "settings.no" },
          ] as const);
    return html`<select
      class="input"
      aria-describedby=${described === "" ? nothing : described}
      aria-invalid=${isWrong}
      ?disabled=${!mayChange}
      @change=${type}
    >
      <option value="" ?selected=${shown === ""}>${t("settings.asDefault")}</option>
      ${options.map(
        ({ value, label }) => html`<option value=${value} ?selected=${value === shown}>${t(label)}</option>`,
      )}
    </select>`;
  }
}

customElements.define("hp-config-field", ConfigField);
