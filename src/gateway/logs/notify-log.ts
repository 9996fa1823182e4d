/** Writes the lines of committed transitions to the log, at info level and as they stand, secrets left out (CH-10). */
import type { Logger } from "pino";
import type { Engine } from "../../engine/engine.ts";
import { redactSecrets } from "../process/redact-secrets.ts";

export function logNotifyLines(engine: Pick<Engine, "onCommitted">, log: Pick<Logger, "info">): () => void {
  return engine.onCommitted(({ sessionId, logged = [] }) => {
    for (const { slice, text } of logged) log.info({ sessionId, slice }, redactSecrets(text));
  });
}
