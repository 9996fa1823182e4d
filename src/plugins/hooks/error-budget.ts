/** How many failures within a window switch a plugin off, counted per plugin. */
import type { Clock } from "../sessions.ts";

export const FAILURES_MAX = 10;
export const FAILURE_WINDOW_MS = 60_000;

export type ErrorBudget = {
  /** True when this failure exceeds the budget; only once, until the plugin is enabled again. */
  spend(pluginId: string): boolean;
  forget(pluginId: string): void;
};

export function createErrorBudget(clock: Pick<Clock, "now">): ErrorBudget {
  const failures = new Map<string, number[]>(); // one short list for each plugin that failed
  return {
    spend(pluginId) {
      const nowMs = clock.now();
      const recent = (failures.get(pluginId) ?? []).filter((atMs) => atMs > nowMs - FAILURE_WINDOW_MS);
      recent.push(nowMs);
      failures.set(pluginId, recent.slice(-FAILURES_MAX - 1));
      return recent.length === FAILURES_MAX + 1;
    },
    forget: (pluginId) => void failures.delete(pluginId),
  };
}
