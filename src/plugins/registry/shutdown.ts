/** Calls a plugin's own code when something ends. The code may fail or hang; neither delays anybody for long. */
import type { CleanupReason } from "../api/extension.ts";
import { HOOK_MS_MAX } from "../api/hooks.ts";
import { contain } from "../hooks/contain.ts";
import type { Loaded } from "../registration/contributions.ts";
import type { Clock } from "../sessions.ts";

const DISPOSE_MS_MAX = 5_000;

export type Ending = { reason: CleanupReason; sessionKey: string };

export type Shutdown = {
  dispose(loaded: Loaded): Promise<void>;
  cleanUp(loaded: Loaded, ending: Ending): Promise<void>;
};

export function createShutdown(parts: { clock: Clock; failed(pluginId: string, error: unknown): void }): Shutdown {
  const within = ({ id }: Loaded, timeoutMs: number) => ({
    clock: parts.clock,
    timeoutMs,
    failed: (error: unknown) => parts.failed(id, error),
  });
  return {
    async dispose(loaded) {
      for (const { dispose } of loaded.has.lifecycles)
        if (dispose !== undefined) await contain(dispose, within(loaded, DISPOSE_MS_MAX));
    },
    async cleanUp(loaded, { reason, sessionKey }) {
      for (const one of [...loaded.has.extensions, ...loaded.has.lifecycles])
        if (one.cleanup !== undefined)
          await contain(() => one.cleanup?.(reason, sessionKey), within(loaded, HOOK_MS_MAX));
    },
  };
}
