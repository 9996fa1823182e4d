/**
 * `<hp-kept-plan .app=${…} .planId=${…}>`: one revision as it is kept, with its notes and decisions, read in place. Its
 * session may have gone on to another plan, or be gone itself.
 */
import { css, html, type PropertyValues, type TemplateResult } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { base } from "../theme/base.ts";
import "../text/rich-text.ts";

class KeptPlan extends AppElement {
  static override properties = { planId: { attribute: false }, text: { state: true } };
  static override styles = [
    base,
    css`
      summary {
        inline-size: fit-content;
        min-block-size: 1.75rem;
        color: var(--hp-quiet);
        cursor: pointer;
      }

      @media (pointer: coarse) {
        summary {
          min-block-size: 2.75rem;
        }
      }
    `,
  ];

  declare planId: PlanId;
  declare text: string | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("planId")) this.text = undefined;
  }

  async #read(event: Event): Promise<void> {
    if (!(event.currentTarget instanceof HTMLDetailsElement) || !event.currentTarget.open) return;
    const { planId } = this;
    const read = await this.app.attempt(() => this.app.call("plans.export", { planId, format: "markdown" }));
    if (planId === this.planId) this.text = read?.text ?? t("library.readFailed");
  }

  protected override render(): TemplateResult {
    return html`<details @toggle=${(event: Event) => void this.#read(event)}>
      <summary class="small">${t("library.read")}</summary>
      ${
        this.text === undefined
          ? html`<p class="quiet small" role="status">${t("library.loading")}</p>`
          : html`<hp-rich-text .text=${this.text}></hp-rich-text>`
      }
    </details>`;
  }
}

customElements.define("hp-kept-plan", KeptPlan);
