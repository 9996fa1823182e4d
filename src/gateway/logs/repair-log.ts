/** Logs the calls whose missing results were repaired in what a model is sent: the first few one by one, then a summary. */
import type { Logger } from "pino";
import type { SessionId } from "../../protocol/ids.ts";
import type { ToolCall } from "../../protocol/transcript-entry.ts";

const LINES_MAX = 5;
const IDS_MAX = 20;

export function logRepairs(log: Pick<Logger, "warn">, sessionId: SessionId, calls: readonly ToolCall[]): void {
  for (const { callId, tool } of calls.slice(0, LINES_MAX))
    log.warn({ sessionId, callId, tool }, "[transport-repair] a call had no result; a placeholder was sent");
  const rest = calls.slice(LINES_MAX);
  if (rest.length === 0) return;
  const callIds = rest.slice(0, IDS_MAX).map(({ callId }) => callId);
  log.warn({ sessionId, callIds, count: rest.length }, "[transport-repair] further calls had no result");
}
