/** A button of a plugin: runs an action of the same plugin in the session, after asking where the plugin wants that. */
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { language, t } from "../i18n/t.ts";
import "../parts/dialog.ts";
import { buttons } from "../parts/look/buttons.ts";
import { watch } from "../parts/watch.ts";
import { base } from "../theme/base.ts";
import type { LeafOf } from "./ui-element.ts";
import type { SlotContext } from "./draw.ts";
import { textOf, toneClass } from "./values.ts";
import { localizedText } from "../localized/localized-text.ts";

class PluginAction extends LitElement {
  static override properties = {
    context: { attribute: false },
    action: { attribute: false },
    isAsking: { state: true },
    isRunning: { state: true },
  };
  static override styles = [base, buttons];

  declare context: SlotContext;
  declare action: LeafOf<"action">;
  declare isAsking: boolean;
  declare isRunning: boolean;

  constructor() {
    super();
    this.isAsking = false;
    this.isRunning = false;
    watch(this, language);
  }

  async #run(): Promise<void> {
    const { app, pluginId, sessionId } = this.context;
    this.isAsking = false;
    if (sessionId === undefined) return;
    this.isRunning = true;
    const done = await app.attempt(() =>
      app.call("sessions.action", { sessionId, pluginId, action: this.action.action }),
    );
    this.isRunning = false;
    if (done !== undefined)
      app.notices.tell(done.message === "" ? t("slots.done") : localizedText(done.message, done.said));
  }

  protected override render(): TemplateResult {
    const { sessionId, isOnline, data } = this.context;
    const { label, tone, confirm } = this.action;
    const reason = !isOnline ? t("slots.offline") : sessionId === undefined ? t("slots.noSession") : undefined;
    const look = toneClass(tone) === "bad" ? "danger" : toneClass(tone) === "good" ? "primary" : "";
    return html`
      <button
        class="button ${look}"
        title=${reason ?? nothing}
        ?disabled=${reason !== undefined || this.isRunning}
        @click=${() => (confirm === undefined ? void this.#run() : (this.isAsking = true))}
      >
        ${textOf(label, data)}
      </button>
      ${
        confirm === undefined
          ? nothing
          : html`<hp-dialog
              heading=${t("slots.confirm")}
              ?open=${this.isAsking}
              @hp-close=${() => (this.isAsking = false)}
            >
              <div class="stack">
                <p>${textOf(confirm, data)}</p>
                <div class="row">
                  <button class="button ${look === "danger" ? "danger" : "primary"}" @click=${() => this.#run()}>
                    ${textOf(label, data)}
                  </button>
                  <button class="button" @click=${() => (this.isAsking = false)}>${t("slots.cancel")}</button>
                </div>
              </div>
            </hp-dialog>`
      }
    `;
  }
}

customElements.define("hp-plugin-action", PluginAction);
