/** What one plugin's process may use up. */
export const GUEST_LIMITS = {
  startMs: 8_000,
  /** How long it may take to answer a ping after a call took too long. */
  pingMs: 2_000,
  heapMegabytes: 128,
  callsMax: 256,
  /** How much may wait for it to read. */
  unreadBytesMax: 16 * 1024 * 1024,
  messagesPerSecondMax: 5_000,
  bytesPerSecondMax: 32 * 1024 * 1024,
  /** Its requests without an answer; beyond this many, reading from it pauses. */
  asksMax: 64,
  outputLineCharsMax: 2_000,
  outputLinesPerSecondMax: 50,
} as const;
export type GuestLimits = { [Name in keyof typeof GUEST_LIMITS]: number };

/** The plugin's process failed: its code threw, it crashed, it hung, or it broke the protocol. */
export class GuestError extends Error {}

/** Counts by the second in which things come, so that it needs no timer. True: too many, or too much. */
export function floodGuard(limits: Pick<GuestLimits, "messagesPerSecondMax" | "bytesPerSecondMax">) {
  let second = 0;
  let messages = 0;
  let bytes = 0;
  return (more: number): boolean => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, messages, bytes] = [now, 0, 0];
    messages += 1;
    bytes += more;
    return messages > limits.messagesPerSecondMax || bytes > limits.bytesPerSecondMax;
  };
}
