/** An order that does not come to an end, in one line. */
import type { StuckOrder } from "../../protocol/wire/stuck-order.ts";

export function describeStuck({ slice, order, sessionId, status, sinceMs, attempts, lastError }: StuckOrder): string {
  const what = `${slice}/${order === "" ? "?" : order} of ${sessionId}`;
  const since = `since ${new Date(sinceMs).toISOString()}`;
  const tried = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (status === "no-worker") return `${what} is kept ${since}: no plugin that is switched on takes it (${tried})`;
  return `${what} is not done ${since}, ${tried}${lastError === "" ? "" : `: ${lastError}`}`;
}
