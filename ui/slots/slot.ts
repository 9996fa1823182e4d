/**
 * `<hp-slot name="session-header" .app=${…} .session=${…}>`: where plugins show something. Draws nothing, and loads no
 * code for drawing, while no plugin contributes to it. Without a session (settings, dashboard) a person chooses one.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SessionView } from "../../src/protocol/methods.ts";
import { AppElement } from "../app/app-element.ts";
import { withTexts } from "../i18n/t.ts";
import type { Contribution } from "../state/descriptors.ts";
import type { SlotName } from "./ui-element.ts";

export class HpSlot extends AppElement {
  static override properties = { name: {}, session: { attribute: false }, canDraw: { state: true } };
  static override styles = css`
    :host {
      display: contents;
    }
  `;

  declare name: SlotName;
  declare session: SessionView | undefined;
  declare canDraw: boolean;

  constructor() {
    super();
    this.canDraw = false;
  }

  protected override reads() {
    return [this.app.state.descriptors];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.state.descriptors.wanted();
  }

  #contributions(): readonly Contribution[] {
    return this.app.state.descriptors.get().filter(({ descriptor }) => descriptor.surface === this.name);
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (this.canDraw || this.#contributions().length === 0) return;
    void withTexts(() => import("./slot-body.ts"), "cards", "problems", "slots").then(
      () => (this.canDraw = true),
      () => undefined, // a page of an older version: it works without plugins until it is reloaded
    );
  }

  /** Tells the surrounding layout whether there is something, so that an empty slot takes no room. */
  protected override updated(): void {
    this.toggleAttribute("filled", this.canDraw && this.#contributions().length > 0);
  }

  protected override render(): TemplateResult | typeof nothing {
    const contributions = this.#contributions();
    if (!this.canDraw || contributions.length === 0) return nothing;
    return html`<hp-slot-body
      .app=${this.app}
      .name=${this.name}
      .session=${this.session}
      .contributions=${contributions}
    ></hp-slot-body>`;
  }
}

customElements.define("hp-slot", HpSlot);
