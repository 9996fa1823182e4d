/** What can be done with several things that wait at once: only what decides nothing. */
import { css, html, type TemplateResult } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import { AppElement } from "../app/app-element.ts";
import { copyText } from "../app/copy-text.ts";
import { t } from "../i18n/t.ts";
import { emit } from "../parts/emit.ts";
import { buttons } from "../parts/look/buttons.ts";
import { saveFile } from "../parts/save-file.ts";
import type { WaitingSession } from "../state/waiting-list.ts";
import { base } from "../theme/base.ts";
import { cardHref } from "./card-href.ts";
import { readMarks } from "./read-marks.ts";

/** Between the plans of one file. */
const RULE = "\n\n---\n\n";

class BulkBar extends AppElement {
  static override properties = { items: { attribute: false }, plans: { attribute: false } };
  static override styles = [
    base,
    buttons,
    css`
      :host {
        position: sticky;
        inset-block-end: 0;
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-2);
        align-items: center;
        padding: var(--hp-2) var(--hp-3);
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-raised);
        box-shadow: var(--hp-shadow);
      }

      .button {
        flex: none;
        padding-inline: var(--hp-2);
        font-size: var(--hp-size-small);
      }
    `,
  ];

  declare items: readonly WaitingSession[];
  /** Of the chosen plans, as far as they are known. */
  declare plans: readonly PlanId[];

  #mark(isRead: boolean): void {
    readMarks.mark(
      this.items.map(({ waiting }) => waiting.id),
      isRead,
    );
    emit(this, "hp-clear");
  }

  async #copy(): Promise<void> {
    const links = this.items.map((item) => new URL(cardHref(item), location.origin).href);
    await copyText(this.app, links.join("\n"), t("inbox.copied"));
  }

  async #download(): Promise<void> {
    const files = await this.app.attempt(() =>
      Promise.all(this.plans.map((planId) => this.app.call("plans.export", { planId, format: "markdown" }))),
    );
    if (files === undefined) return;
    const text = files.map((file) => file.text).join(RULE);
    saveFile({ text, mediaType: "text/markdown", filename: "plans.md" });
  }

  protected override render(): TemplateResult {
    return html`
      <strong class="grow small" role="status">${t("inbox.selected", { count: this.items.length })}</strong>
      <button class="button" @click=${() => this.#mark(true)}>${t("inbox.markRead")}</button>
      <button class="button" @click=${() => this.#mark(false)}>${t("inbox.markUnread")}</button>
      <button class="button" @click=${() => this.#copy()}>${t("inbox.copyLinks")}</button>
      <button class="button" ?disabled=${this.plans.length === 0} @click=${() => this.#download()}>
        ${t("inbox.download")}
      </button>
      <button class="button bare" @click=${() => emit(this, "hp-clear")}>${t("inbox.clear")}</button>
    `;
  }
}

customElements.define("hp-bulk-bar", BulkBar);
