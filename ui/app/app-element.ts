/** The base of every element that knows the app. Its `reads()` name what it shows; it draws again when that changes. */
import { LitElement } from "lit";
import { language } from "../i18n/t.ts";
import type { Readable } from "../state/cell.ts";
import type { App } from "./app.ts";

export class AppElement extends LitElement {
  static override properties: Record<string, object> = { app: { attribute: false } };

  declare app: App;
  #stops: (() => void)[] = [];

  /** The language is always among them. */
  protected reads(): readonly Readable<unknown>[] {
    return [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stops = [language, ...this.reads()].map((source) => source.subscribe(() => this.requestUpdate()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** A view of the routes table. The words of its address come as `params`. */
export class ViewElement extends AppElement {
  static override properties: Record<string, object> = { params: { attribute: false } };

  declare params: Readonly<Record<string, string>>;

  /** Whether it takes the keyboard also where the page opens with it: a view that is one field to write in. */
  get isForWriting(): boolean {
    return false;
  }

  /** Where the keyboard belongs after a person came here; the view as a whole unless it knows better. */
  takeFocus(): void {
    this.tabIndex = -1;
    this.focus();
  }
}
