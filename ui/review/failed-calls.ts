/** How many calls of each step failed. What counts them comes with the view of the work, and only for a plan that was begun. */
import type { ReactiveControllerHost } from "lit";
import type { HistoryItem } from "../../src/protocol/methods.ts";
import { withTexts } from "../i18n/t.ts";

type Counts = ReadonlyMap<string, number>;

const NONE: Counts = new Map();

export class FailedCalls {
  readonly #host: ReactiveControllerHost;
  #isAsked = false;
  #count: ((items: readonly HistoryItem[]) => Counts) | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** By the text of the step; undefined: nothing was begun. */
  of(items: readonly HistoryItem[] | undefined): Counts {
    if (items === undefined) return NONE;
    if (!this.#isAsked) void this.#load();
    return this.#count?.(items) ?? NONE;
  }

  async #load(): Promise<void> {
    this.#isAsked = true;
    const loaded = await withTexts(
      () => import("../run/run-panel.ts"),
      "cards",
      "problems",
      "proof",
      "run",
      "localized",
    ).catch(
      () => undefined, // the plan is read without it
    );
    this.#count = loaded?.failedByStep;
    this.#host.requestUpdate();
  }
}
