/**
 * Shows a view of the routes table: loads its code when it is first wanted, and says so when that fails. After an update
 * the code that an open tab asks for may be gone; only a reload brings the new one.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { base } from "../theme/base.ts";
import { AppElement, ViewElement } from "./app-element.ts";
import type { View } from "./routes.ts";

export class Outlet extends AppElement {
  static override properties = {
    view: { attribute: false },
    params: { attribute: false },
    takesFocus: { type: Boolean },
    failed: { state: true },
  };
  static override styles = [
    base,
    buttons,
    marks,
    css`
      :host {
        display: grid;
        min-block-size: 0;
        min-inline-size: 0;
      }

      .view {
        min-block-size: 0;
        min-inline-size: 0;
      }

      .view:focus-visible {
        outline: none; /* the view as a whole is where reading begins, nothing to press */
      }
    `,
  ];

  declare view: View;
  declare params: Readonly<Record<string, string>>;
  /** Whether the keyboard goes to the view when it changes. */
  declare takesFocus: boolean;
  declare failed: boolean;
  #shown: ViewElement | undefined;
  #place = "";

  constructor() {
    super();
    this.failed = false;
    this.takesFocus = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("view")) void this.#load();
    if (this.#shown !== undefined && changed.has("params")) this.#arrive();
  }

  async #load(): Promise<void> {
    const { view } = this;
    this.failed = false;
    try {
      await view.load();
    } catch {
      this.failed = view === this.view;
      return;
    }
    if (view !== this.view || this.#shown?.localName === view.tag) return;
    const element = document.createElement(view.tag);
    if (!(element instanceof ViewElement)) throw new Error(`${view.tag} is no view`);
    element.className = "view";
    element.app = this.app;
    this.#shown = element;
    this.#arrive();
    this.requestUpdate();
    await element.updateComplete;
  }

  #arrive(): void {
    const shown = this.#shown;
    if (shown === undefined || shown.localName !== this.view.tag) return;
    shown.params = this.params;
    const place = JSON.stringify([this.view.tag, this.params]);
    const isFirst = this.#place === "";
    if (place === this.#place) return;
    this.#place = place;
    if (this.takesFocus && (!isFirst || shown.isForWriting))
      void this.updateComplete.then(() => shown.updateComplete).then(() => shown.takeFocus());
  }

  protected override render(): TemplateResult {
    if (this.failed) {
      return html`<div class="empty stack">
        <p>${t("app.viewFailed")}</p>
        <p><button class="button" @click=${() => location.reload()}>${t("app.reload")}</button></p>
      </div>`;
    }
    return html`${this.#shown?.localName === this.view.tag ? this.#shown : nothing}`;
  }
}

customElements.define("hp-outlet", Outlet);
