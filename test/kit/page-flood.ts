/**
 * Many messages in a page at once: as frames on the page's own socket, which a test or a measurement hands in where the
 * gateway's would come in. What a gateway takes to make them is measured elsewhere; this is about the page alone.
 */
import type { Page } from "playwright-core";

/** Runs before the page's own code. A string, because it belongs to the page and not to this program. */
const KEEP_SOCKET = `{
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(...args) {
      super(...args);
      window.flooded = { socket: this, seq: 0 };
      this.addEventListener("message", ({ data }) => {
        const frame = JSON.parse(data);
        if (frame.type === "event") window.flooded.seq = frame.seq;
      });
    }
  };
}`;

export const keepSocket = (page: Page): Promise<unknown> => page.addInitScript({ content: KEEP_SOCKET });

/** A task each, as a socket brings them. */
const BATCH = 1;

/** The list lies inside of several shadow roots. */
const FIND_LOG = `(function find(root) {
  for (const { shadowRoot } of root.querySelectorAll("*")) {
    const found = shadowRoot === null ? null : find(shadowRoot);
    if (found !== null) return found;
  }
  return root.querySelector("hp-virtual-list");
})`;

type Flood = { sessionId: string; count: number; /** The number of the first one. */ from?: number };

/** Resolves with the time from the first frame to the moment at which the last message was drawn. */
export function flood(page: Page, { sessionId, count, from = 1 }: Flood): Promise<number> {
  const orders = JSON.stringify({ sessionId, count, from, batch: BATCH });
  return page.evaluate<number>(`(async ({ sessionId, count, from, batch }) => {
    const { socket, seq } = window.flooded;
    const frameOf = (index) => {
      const n = from + index;
      const message = { id: "msg_" + n, text: "message number " + n, from: n % 2 ? "Alice" : "Bob" };
      const said = { kind: "assistant", turnId: "trn_x", text: "Answer **" + n + "** with a little more text to it.", calls: [] };
      const entry = n % 2 ? { kind: "input", turnId: "trn_x", text: message.text, injectionIds: [], messages: [message] } : said;
      const payload = { sessionId, atMs: 1_700_000_000_000 + n, n, entry };
      return JSON.stringify({ type: "event", event: "entry.appended", seq: seq + index + 1, cursor: 1e9 + n, payload });
    };
    const frames = Array.from({ length: count }, (_, index) => frameOf(index));
    const nextTask = () => new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); });
    const last = "" + (from + count - 1);
    const isDrawn = () => {
      const rows = [...(${FIND_LOG}(document)?.querySelectorAll(".virtual-row") ?? [])];
      return rows.at(-1)?.dataKey?.toString().startsWith(last) ?? false;
    };
    const startedAt = performance.now();
    for (let at = 0; at < frames.length; at += batch) {
      for (const data of frames.slice(at, at + batch)) socket.dispatchEvent(new MessageEvent("message", { data }));
      await nextTask();
    }
    while (!isDrawn()) await new Promise(requestAnimationFrame);
    return performance.now() - startedAt;
  })(${orders})`);
}

/** From where it is towards the beginning, a window at a time; each until the frame that shows it. */
export function scrollUp(page: Page, times: number): Promise<{ framesMs: number[]; rowsMax: number }> {
  return page.evaluate<{ framesMs: number[]; rowsMax: number }>(`(async () => {
    const list = ${FIND_LOG}(document);
    const framesMs = [];
    let rowsMax = 0;
    for (let n = 0; n < ${times}; n += 1) {
      const startedAt = performance.now();
      list.scrollTop -= list.clientHeight;
      await new Promise(requestAnimationFrame);
      await list.updateComplete;
      await new Promise(requestAnimationFrame);
      framesMs.push(performance.now() - startedAt);
      rowsMax = Math.max(rowsMax, list.querySelectorAll(".virtual-row").length);
    }
    return { framesMs, rowsMax };
  })()`);
}
