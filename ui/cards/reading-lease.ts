/**
 * Tells the gateway that somebody reads what waits, so that its countdown stands still (BY-07). Only what a person does
 * counts: a page that lies open alone stops no clock.
 */
import type { SessionId } from "../../src/protocol/ids.ts";
import type { App } from "../app/app.ts";
import { isOnline, mayDecide, operatorOf } from "../state/connection.ts";

/** The gateway grants a minute each time; said again well before it is over. */
const SAY_AGAIN_MS = 40_000;
const SIGNS_OF_LIFE = ["pointermove", "pointerdown", "keydown", "wheel", "touchmove", "focus"] as const;

export type Read = { sessionId: SessionId; approvalId: string };

/** Returns how to stop. */
export function keepReading(app: App, { sessionId, approvalId }: Read): () => void {
  let saidAtMs = Number.NEGATIVE_INFINITY;

  function alive(): void {
    const nowMs = Date.now();
    const connection = app.state.connection.get();
    if (document.visibilityState !== "visible" || !isOnline(connection) || !mayDecide(operatorOf(connection))) return;
    if (nowMs - saidAtMs < SAY_AGAIN_MS) return;
    saidAtMs = nowMs;
    // decided meanwhile, or the connection went: both are shown by the card itself
    app.call("plans.reading", { sessionId, approvalId }).catch(() => undefined);
  }

  if (document.hasFocus()) alive();
  for (const sign of SIGNS_OF_LIFE) addEventListener(sign, alive, { passive: true, capture: true });
  return () => {
    for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, alive, { capture: true });
  };
}
