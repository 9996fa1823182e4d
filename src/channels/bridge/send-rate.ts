/** How often may be sent: a bucket for each conversation and one for the account, as the vendor allows. */
import type { Capabilities } from "../port.ts";

const CONVERSATIONS_MAX = 10_000;

type Bucket = { left: number; atMs: number };

export type SendRate = {
  /** Takes one from both buckets; otherwise says how long to wait, and takes nothing. */
  take(conversation: string, nowMs: number): { waitMs: number };
  /** The vendor wants quiet until then. */
  hold(untilMs: number): void;
};

export function createSendRate({ perConversation, burst, global }: Capabilities["rate"]): SendRate {
  const conversations = new Map<string, Bucket>();
  let all: Bucket | undefined;
  let quietUntilMs = 0;
  return {
    take(conversation, nowMs) {
      if (nowMs < quietUntilMs) return { waitMs: quietUntilMs - nowMs };
      const own = filled(conversations.get(conversation), { perSecond: perConversation, size: burst }, nowMs);
      const whole = filled(all, { perSecond: global, size: global }, nowMs);
      const waitMs = Math.ceil(Math.max(missing(own, perConversation), missing(whole, global)));
      if (waitMs > 0) return { waitMs };
      conversations.delete(conversation); // the longest unused stand first
      conversations.set(conversation, { ...own, left: own.left - 1 });
      all = { ...whole, left: whole.left - 1 };
      if (conversations.size > CONVERSATIONS_MAX) conversations.delete([...conversations.keys()][0] ?? "");
      return { waitMs: 0 };
    },
    hold: (untilMs) => void (quietUntilMs = Math.max(quietUntilMs, untilMs)),
  };
}

type Flow = { perSecond: number; size: number };

function filled(bucket: Bucket | undefined, { perSecond, size }: Flow, nowMs: number): Bucket {
  if (bucket === undefined) return { left: size, atMs: nowMs };
  const gained = (Math.max(0, nowMs - bucket.atMs) / 1_000) * perSecond;
  return { left: Math.min(size, bucket.left + gained), atMs: nowMs };
}

const missing = ({ left }: Bucket, perSecond: number): number => (left >= 1 ? 0 : ((1 - left) / perSecond) * 1_000);
