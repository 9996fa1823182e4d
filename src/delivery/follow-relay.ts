/**
 * Tells the other gateways on the store which place has subscribed: the one that serves its account may be another than the
 * one that took the message. A notice that is lost is made up for when subscribers are read again.
 */
import { z } from "zod";
import type { Store } from "../store/store.ts";

const Notice = z.strictObject({ followed: z.string() });

export type FollowRelay = { tell(placeId: string): void; stop(): void };

export function createFollowRelay(
  { publish, subscribe }: Pick<Store, "publish" | "subscribe">,
  learned: (placeId: string) => void,
): FollowRelay {
  const stop = subscribe?.({
    onCommit: () => undefined,
    missed: () => undefined,
    onPublished(text) {
      const { data } = Notice.safeParse(jsonIn(text));
      if (data !== undefined) learned(data.followed);
    },
  });
  return {
    tell: (placeId) => void publish?.(JSON.stringify({ followed: placeId })).catch(() => undefined),
    stop: () => stop?.(),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
