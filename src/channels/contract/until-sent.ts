/** Delivers as the gateway does: what a limit of time keeps back is tried again when its time has come. */
import type { DeliveryItem, DeliveryReceipt } from "../../plugins/sdk.ts";
import type { Running } from "./fake-vendor.ts";

const TRIES_MAX = 200;

/** Tries again for as long as only time is in the way, from the first that has no receipt. */
export async function untilSent(
  items: readonly DeliveryItem[],
  here: string,
  { deliver, clock }: Pick<Running, "deliver" | "clock">,
): Promise<DeliveryReceipt[]> {
  const done: DeliveryReceipt[] = [];
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { receipts, stopped } = await deliver(here, items.slice(done.length));
    done.push(...receipts);
    if (stopped === undefined) return done;
    clock.advance(stopped.retryAfterMs ?? 1_000);
  }
  throw new Error(`never sent: ${items.map(({ key }) => key).join(" ")}`);
}
