/** A wait that ends at once when it is called off. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, ms);
  const end = (): void => resolve();
  signal.addEventListener("abort", end, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  });
}

const WAIT_FIRST_MS = 250;
const WAIT_MS_MAX = 30_000;

/** How long to wait after so many failures in a row. */
export const backoffMs = (failures: number): number =>
  Math.min(WAIT_FIRST_MS * 2 ** Math.min(failures - 1, 10), WAIT_MS_MAX);
