/** The plan of a session while it is carried out, and after. */
import { css, html, type TemplateResult } from "lit";
import { ViewElement } from "../app/app-element.ts";
import { base } from "../theme/base.ts";
import "./run-panel.ts";

class RunView extends ViewElement {
  static override styles = [
    base,
    css`
      :host {
        position: relative;
        overflow: auto;
        padding: var(--hp-5) var(--hp-4);
      }

      hp-run-panel {
        max-inline-size: var(--hp-reading);
        margin-inline: auto;
      }
    `,
  ];

  protected override render(): TemplateResult {
    return html`<hp-run-panel .app=${this.app}></hp-run-panel>`;
  }
}

customElements.define("hp-run-view", RunView);
