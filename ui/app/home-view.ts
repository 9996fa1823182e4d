/** The start view: one field, and an explanation of what happens with what is written into it. */
import { css, html, type TemplateResult } from "lit";
import { t } from "../i18n/t.ts";
import { textIn } from "../parts/form-text.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { isOnline } from "../state/connection.ts";
import "../home/work-place.ts";
import { marks } from "../parts/look/marks.ts";
import "../slots/slot.ts";
import { base } from "../theme/base.ts";
import { ViewElement } from "./app-element.ts";
import { startWith } from "./session/session-actions.ts";

const MESSAGE_CHARS_MAX = 65_536;
const isApple = navigator.platform.startsWith("Mac") || navigator.platform.startsWith("iP");

class HomeView extends ViewElement {
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    css`
      :host {
        display: grid;
        align-content: safe center;
        justify-items: center;
        padding: var(--hp-5);
        position: relative;
        overflow: auto;
      }

      form {
        inline-size: min(34rem, 100%);
        justify-items: start;
      }

      .slot {
        inline-size: min(34rem, 100%);
        margin-block-start: var(--hp-5);
      }

      h2 {
        font-size: var(--hp-size-title);
      }

      .palette {
        justify-self: center;
        margin-block-start: var(--hp-4);
      }

      textarea.input {
        field-sizing: content;
        min-block-size: 5.5rem;
        max-block-size: 40dvh;
      }
    `,
  ];

  protected override reads() {
    return [this.app.state.connection];
  }

  /** A person may begin to type at once, so letters must not count as shortcuts here. */
  override get isForWriting(): boolean {
    return true;
  }

  override takeFocus(): void {
    this.renderRoot.querySelector("textarea")?.focus();
  }

  async #start(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const text = textIn(event.target, "text");
    if (text !== "") await startWith(this.app, text);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.renderRoot.querySelector("form")?.requestSubmit();
  }

  protected override render(): TemplateResult {
    return html`
      <form class="stack" @submit=${(event: SubmitEvent) => this.#start(event)}>
        <h2>${t("app.homeHeading")}</h2>
        <p class="quiet">${t("app.homeHint")}</p>
        <textarea
          class="input"
          name="text"
          required
          aria-label=${t("app.homeHeading")}
          placeholder=${t("app.homeExample")}
          maxlength=${MESSAGE_CHARS_MAX}
          @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
        ></textarea>
        <button class="button primary" ?disabled=${!isOnline(this.app.state.connection.get())}>
          ${icon("send")}${t("chat.send")}
        </button>
      </form>
      <hp-work-place class="slot" .app=${this.app}></hp-work-place>
      <button class="button bare small quiet palette" @click=${() => dispatchEvent(new Event("hp-palette"))}>
        ${icon("search", 16)}${t("palette.name")}<kbd class="key">${isApple ? "⌘" : "Ctrl"} K</kbd>
      </button>
      <div class="slot"><hp-slot name="dashboard" .app=${this.app}></hp-slot></div>
    `;
  }
}

customElements.define("hp-home-view", HomeView);
