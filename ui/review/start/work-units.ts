/** `<hp-work-units>`: where a session has no plan to show, the approved plans that are mirrored in its workspace. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { LibraryResultOf } from "../../../src/library/protocol/library-methods.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import { AppElement } from "../../app/app-element.ts";
import { localizedPhrase } from "../../localized/localized-text.ts";
import { base } from "../../theme/base.ts";
import { lineOrBlock } from "../../text/inline-text.ts";
import { visibly } from "../../text/visibly.ts";

type Units = LibraryResultOf<"plans.workUnits">["units"];

class WorkUnits extends AppElement {
  static override properties = { sessionId: { attribute: false }, units: { state: true } };
  static override styles = [
    base,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        inline-size: min(100%, var(--hp-reading));
        margin-inline: auto;
        padding: var(--hp-3);
        overflow-wrap: anywhere;
      }

      h3 {
        font-size: inherit;
      }

      details {
        padding-block: var(--hp-2);
        border-block-start: 1px solid var(--hp-line);
      }

      summary {
        min-block-size: 1.75rem;
        cursor: pointer;
      }

      @media (pointer: coarse) {
        summary {
          min-block-size: 2.75rem;
        }
      }

      ol {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        padding: var(--hp-2) 0 var(--hp-2) 2.5rem;
        list-style: decimal;
      }

      li.completed::marker {
        content: "✓  ";
      }

      li.cancelled {
        color: var(--hp-quiet);
        text-decoration: line-through;
      }
    `,
  ];

  declare sessionId: SessionId;
  declare units: Units;

  constructor() {
    super();
    this.units = [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("sessionId")) void this.#load();
  }

  async #load(): Promise<void> {
    const { sessionId } = this;
    const found = await this.app.call("plans.workUnits", { sessionId }).catch(() => undefined);
    if (sessionId === this.sessionId) this.units = found?.units ?? [];
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.units.length === 0) return nothing;
    return html`<h3>${localizedPhrase("workUnitsHere")}</h3>
      ${this.units.map(
        ({ title, steps }) =>
          html`<details>
            <summary>
              ${visibly(title)}
              <span class="quiet"
                >· ${steps.filter(({ status }) => status === "completed").length}/${steps.length}</span
              >
            </summary>
            <ol>
              ${steps.map(({ step, status }) => html`<li class=${status}>${lineOrBlock(step)}</li>`)}
            </ol>
          </details>`,
      )}`;
  }
}

customElements.define("hp-work-units", WorkUnits);
