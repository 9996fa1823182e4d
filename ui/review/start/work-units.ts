/** `<hp-work-units>`: where a session has no plan to show, the approved plans that are mirrored in its workspace. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { LibraryResultOf } from "../../../src/library/protocol/library-methods.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import { AppElement } from "../../app/app-element.ts";
import { localizedPhrase } from "../../localized/localized-text.ts";
import { base } from "../../theme/base.ts";
import { visibly } from "../../text/visibly.ts";

type Units = LibraryResultOf<"plans.workUnits">["units"];

class WorkUnits extends AppElement {
  static override properties = { sessionId: { attribute: false }, units: { state: true } };
  static override styles = [
    base,
    css`
      :host {
        display: block;
        padding: 0 var(--hp-3);
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
    return html`<p role="heading" aria-level="3">${localizedPhrase("workUnitsHere")}</p>
      ${this.units.map(
        ({ title, steps }) =>
          html`<details>
            <summary>
              ${visibly(title)} · ${steps.filter(({ status }) => status === "completed").length}/${steps.length}
            </summary>
            <ol>
              ${steps.map(({ step, status }) => html`<li>${status === "completed" ? "✓ " : ""}${visibly(step)}</li>`)}
            </ol>
          </details>`,
      )}`;
  }
}

customElements.define("hp-work-units", WorkUnits);
