/** Short notices above the page: answers to what the person did, and failures. */
import { css, html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { problemLines } from "../problems/problem-lines.ts";
import { base } from "../theme/base.ts";
import { AppElement } from "./app-element.ts";

/** Both regions are always there, because a screen reader announces only changes in a region that it knows already. */
class NoticeList extends AppElement {
  static override styles = [
    base,
    buttons,
    css`
      :host {
        position: fixed;
        inset-block-start: 3.75rem; /* under the title: what people press stands at the bottom */
        inset-inline: var(--hp-4);
        z-index: 10;
        display: grid;
        justify-items: center;
        gap: var(--hp-2);
        pointer-events: none;
      }

      p {
        display: flex;
        align-items: safe center; /* what is cut off is the end, never the beginning */
        gap: var(--hp-2);
        max-inline-size: min(36rem, 100%);
        margin-block-end: var(--hp-2);
        padding: var(--hp-1) var(--hp-1) var(--hp-1) var(--hp-4);
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-raised);
        box-shadow: var(--hp-shadow);
        pointer-events: auto;
        max-block-size: 50dvh; /* a command's usage is long: it scrolls, and what waits below stays in sight */
        position: relative;
        overflow-y: auto;
      }

      p > button {
        position: sticky;
        inset-block-start: 0;
        align-self: start;
      }

      .grow span {
        white-space: pre-line; /* a command's usage has lines */
      }

      .bad {
        border-color: var(--hp-bad);
        color: var(--hp-bad);
      }
    `,
  ];

  protected override reads() {
    return [this.app.notices];
  }

  protected override render(): TemplateResult {
    return html`<div role="status">${this.#list("note")}</div>
      <div role="alert">${this.#list("bad")}</div>`;
  }

  #list(kind: "note" | "bad"): unknown {
    return repeat(
      this.app.notices.get().filter((notice) => notice.kind === kind),
      ({ id }) => id,
      ({ id, ...said }) => html`
        <p class=${kind}>
          <span class="grow">${problemLines(said)}</span>
          <button
            class="button bare square"
            aria-label=${t("parts.dismiss")}
            @click=${() => this.app.notices.dismiss(id)}
          >
            ${icon("bad", 14)}
          </button>
        </p>
      `,
    );
  }
}

customElements.define("hp-notice-list", NoticeList);
