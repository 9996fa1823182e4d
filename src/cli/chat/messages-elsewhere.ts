/** What was typed here is on the screen already; what is typed elsewhere in the same session is shown when it arrives. */
import type { Look } from "../text/paint.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";

/** Texts that were sent and have not come back as an event yet. */
const UNDER_WAY_MAX = 50;

export type MessagesElsewhere = {
  /** Said before it is sent: its event may come sooner than the answer. */
  said(text: string): void;
  lines(message: { text: string; from: string }, look: Look): string[];
};

export function createMessagesElsewhere(): MessagesElsewhere {
  const underWay: string[] = [];
  return {
    said(text) {
      underWay.push(text.trim());
      if (underWay.length > UNDER_WAY_MAX) underWay.shift();
    },
    lines({ text, from }, { columns, paint }) {
      const at = underWay.indexOf(text.trim());
      if (at === -1) return ["", ...hang(`${sanitiseLine(from)} › `, sanitise(text), columns).map(paint.accent)];
      underWay.splice(at, 1);
      return [];
    },
  };
}
