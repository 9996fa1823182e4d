/** A part of the settings that is read from the gateway: when it is shown, and again when the connection is back. */
import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import type { Readable } from "../state/cell.ts";
import { isOnline, operatorOf } from "../state/connection.ts";
import { base } from "../theme/base.ts";

const sectionStyles = [
  base,
  buttons,
  fields,
  marks,
  css`
    :host {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: var(--hp-3);
      min-inline-size: 0;
    }

    .wrap {
      flex-wrap: wrap;
    }

    .items > li {
      display: flex;
      flex-wrap: wrap;
      gap: var(--hp-2) var(--hp-3);
      align-items: center;
      padding-block: var(--hp-2);
      border-block-start: 1px solid var(--hp-line);
    }

    .items .grow {
      flex: 1 1 12rem;
    }

    .times {
      gap: 0 var(--hp-3);
    }

    .problem {
      color: var(--hp-bad);
      white-space: pre-wrap;
    }

    .facts {
      display: grid;
      gap: var(--hp-1);
    }

    .facts > div {
      display: grid;
      grid-template-columns: minmax(7rem, 12rem) minmax(0, 1fr);
      gap: var(--hp-3);
    }
  `,
];

type Read<Value> = { status: "loading" } | { status: "failed" } | { status: "ready"; value: Value };

export abstract class Section<Value> extends AppElement {
  static override properties: Record<string, object> = { found: { state: true } };
  static override styles = sectionStyles;

  declare found: Read<Value>;
  #wasOnline = false;

  constructor() {
    super();
    this.found = { status: "loading" };
  }

  protected override reads(): readonly Readable<unknown>[] {
    return [this.app.state.connection];
  }

  protected abstract read(): Promise<Value>;
  protected abstract draw(value: Value): TemplateResult;

  /** Reads again; a failure shows only where there is nothing older to show. */
  protected async again(): Promise<void> {
    try {
      this.found = { status: "ready", value: await this.read() };
    } catch {
      if (this.found.status !== "ready") this.found = { status: "failed" };
    }
  }

  protected get isOnline(): boolean {
    return isOnline(this.app.state.connection.get());
  }

  protected get isAdmin(): boolean {
    return operatorOf(this.app.state.connection.get())?.scopes.includes("operator.admin") ?? false;
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { isOnline: isOnlineNow } = this;
    if (isOnlineNow && !this.#wasOnline) void this.again();
    this.#wasOnline = isOnlineNow;
  }

  protected override render(): TemplateResult {
    const { found } = this;
    if (found.status === "loading") return html`<p class="quiet">${t("settings.loading")}</p>`;
    if (found.status === "ready") return this.draw(found.value);
    return html`<p class="row wrap">
      ${t("settings.failed")}
      <button class="button" @click=${() => this.again()}>${t("settings.tryAgain")}</button>
    </p>`;
  }
}
