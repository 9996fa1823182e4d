/** Whether the plan stands beside the conversation where there is room: what the person chose, in this browser. */
import { cell, type Readable } from "../state/cell.ts";

const STORED_AS = "holdpoint.plan-pane";

const shown = cell(localStorage.getItem(STORED_AS) !== "hidden");

export const sidePane: Readable<boolean> & { toggle(): void } = {
  get: shown.get,
  subscribe: shown.subscribe,
  toggle() {
    shown.change((now) => !now);
    localStorage.setItem(STORED_AS, shown.get() ? "shown" : "hidden");
  },
};
