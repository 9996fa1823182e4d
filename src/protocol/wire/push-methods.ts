/** Methods about Web Push: a browser is told that something waits while no page of ours is open in it. */
import { z } from "zod";
import { method } from "./method.ts";

const base64url = (chars: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{16,${chars}}=*$`), "base64url");

/** As the browser gives it (`PushSubscription.toJSON()`). */
export const PushTarget = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).max(2_048),
  keys: z.strictObject({ p256dh: base64url(128), auth: base64url(64) }),
});
export type PushTarget = z.infer<typeof PushTarget>;

export const PUSH_METHODS = {
  "push.key": method("operator.read", "The key that a browser subscribes with; null where Web Push is off.", () => ({
    params: z.strictObject({}),
    result: z.strictObject({
      publicKey: z.string().nullable(),
      /** Why it is off: the setting, or a page without https and a name. */
      off: z.enum(["setting", "address"]).nullable(),
    }),
  })),
  "push.subscribe": method(
    "operator.read",
    "Sends this browser a push whenever something comes to wait. Only for a browser's log-in, and it ends with that.",
    () => ({ params: PushTarget, result: z.strictObject({}) }),
  ),
  "push.unsubscribe": method("operator.read", "Sends this browser no more pushes.", () => ({
    params: PushTarget.pick({ endpoint: true }),
    result: z.strictObject({}),
  })),
} as const;
