/**
 * A form of a plugin: the browser checks what it can, the plugin's own schema decides, and its errors are shown in
 * place.
 */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Json, JsonObject } from "../../src/protocol/json.ts";
import { language, t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { watch } from "../parts/watch.ts";
import { problemLines } from "../problems/problem-lines.ts";
import { type Problem, problemOf } from "../problems/problem-of.ts";
import { localizedText } from "../localized/localized-text.ts";
import { base } from "../theme/base.ts";
import type { LeafOf, UiField } from "./ui-element.ts";
import type { SlotContext } from "./draw.ts";
import { textOf } from "./values.ts";

class PluginForm extends LitElement {
  static override properties = {
    context: { attribute: false },
    form: { attribute: false },
    isRunning: { state: true },
    problem: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    css`
      .box {
        display: flex;
        gap: var(--hp-2);
        align-items: baseline;
      }

      .problem {
        color: var(--hp-bad);
        white-space: pre-wrap;
      }
    `,
  ];

  declare context: SlotContext;
  declare form: LeafOf<"form">;
  declare isRunning: boolean;
  declare problem: Problem | undefined;

  constructor() {
    super();
    this.isRunning = false;
    this.problem = undefined;
    watch(this, language);
  }

  async #send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { app, pluginId, sessionId } = this.context;
    const { target } = event;
    if (!(target instanceof HTMLFormElement) || sessionId === undefined || this.isRunning) return;
    this.isRunning = true;
    this.problem = undefined;
    try {
      const params = paramsIn(target, this.form.fields);
      const { message, said } = await app.call("sessions.action", {
        sessionId,
        pluginId,
        action: this.form.action,
        params,
      });
      app.notices.tell(message === "" ? t("slots.done") : localizedText(message, said));
      target.reset();
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.isRunning = false;
  }

  protected override render(): TemplateResult {
    const { sessionId, isOnline, data } = this.context;
    const reason = !isOnline ? t("slots.offline") : sessionId === undefined ? t("slots.noSession") : undefined;
    return html`
      <form class="stack" @submit=${(event: SubmitEvent) => this.#send(event)}>
        ${this.form.fields.map((field) => this.#field(field))}
        <p class="problem small" role="alert">${this.problem === undefined ? nothing : problemLines(this.problem)}</p>
        <div class="row">
          <button class="button primary" title=${reason ?? nothing} ?disabled=${reason !== undefined || this.isRunning}>
            ${textOf(this.form.submit, data)}
          </button>
        </div>
      </form>
    `;
  }

  #field(field: UiField): TemplateResult | typeof nothing {
    const label = textOf(field.label, this.context.data);
    switch (field.type) {
      case "text":
        return html`<label class="field"><span>${label}</span>${textInput(field)}</label>`;
      case "number":
        return html`<label class="field"
          ><span>${label}</span
          ><input
            class="input"
            type="number"
            step="any"
            name=${field.name}
            min=${field.min ?? nothing}
            max=${field.max ?? nothing}
            ?required=${field.required ?? false}
        /></label>`;
      case "boolean":
        return html`<label class="box"><input type="checkbox" name=${field.name} /><span>${label}</span></label>`;
      case "choice":
        return html`<label class="field"
          ><span>${label}</span
          ><select class="input" name=${field.name} ?required=${field.required ?? false}>
            <option value="">${t("slots.choose")}</option>
            ${field.options.map(
              (option) => html`<option value=${option.value}>${textOf(option.label, this.context.data)}</option>`,
            )}
          </select></label
        >`;
      default:
        return nothing; // of a newer gateway
    }
  }
}

const textInput = ({ name, required = false, multiline = false, maxChars }: Extract<UiField, { type: "text" }>) =>
  multiline
    ? html`<textarea
        class="input"
        name=${name}
        rows="3"
        maxlength=${maxChars ?? nothing}
        ?required=${required}
      ></textarea>`
    : html`<input class="input" name=${name} maxlength=${maxChars ?? nothing} ?required=${required} />`;

/** What was left empty is not sent: the plugin's schema decides whether it may be missing. */
function paramsIn(form: HTMLFormElement, given: readonly UiField[]): JsonObject {
  const values = new FormData(form);
  return Object.fromEntries(
    given.flatMap((field): [string, Json][] => {
      const value = values.get(field.name);
      if (field.type === "boolean") return [[field.name, value !== null]];
      if (typeof value !== "string" || value.trim() === "") return [];
      return [[field.name, field.type === "number" ? Number(value) : value]];
    }),
  );
}

customElements.define("hp-plugin-form", PluginForm);
