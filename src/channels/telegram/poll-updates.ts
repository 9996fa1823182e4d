/**
 * Long polling. An update is confirmed to Telegram by asking for the one behind it, which happens only when it is stored:
 * after a crash, or while the store fails, the same update comes again.
 */
import type { Api } from "grammy/web";
import type { Update } from "grammy/types";
import { grammySignal } from "./grammy-signal.ts";

const POLL_SECONDS = 30;
const WAIT_FIRST_MS = 1_000;
const WAIT_MS_MAX = 30_000;
const UPDATES_MAX = 100;

export type PollParts = {
  api: Pick<Api, "getUpdates">;
  allowed: readonly Exclude<keyof Update, "update_id">[];
  take(update: Update): Promise<void>;
  report(problem: string | undefined): void;
  signal: AbortSignal;
};

/** Resolves when it was called off. */
export async function pollUpdates(parts: PollParts): Promise<void> {
  const { report, signal } = parts;
  const place: { offset?: number } = {};
  let failures = 0;
  while (!signal.aborted) {
    try {
      await takeNext(place, parts);
      if (failures > 0) report(undefined);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      report(error instanceof Error ? error.message : String(error));
      await pause(Math.min(WAIT_FIRST_MS * 2 ** (failures - 1), WAIT_MS_MAX), signal);
    }
  }
}

/** Where one of them is not stored, the next look begins with that one. */
async function takeNext(place: { offset?: number }, { api, allowed, take, signal }: PollParts): Promise<void> {
  const asked = { limit: UPDATES_MAX, timeout: POLL_SECONDS, allowed_updates: [...allowed], ...place };
  for (const update of await api.getUpdates(asked, grammySignal(signal))) {
    if (signal.aborted) return;
    await take(update);
    place.offset = update.update_id + 1;
  }
}

/** Ends at once when it is called off. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
