/**
 * Slows down peers that guess tokens. Counted by the peer's own address, over HTTP and WebSocket alike,
 * never by a header that the peer wrote itself. Secrets are 144 random bits and more: it is the gateway's work that is
 * bounded here, and whoever has a valid secret is let in however many wrong ones came from the same address.
 *
 *   free ──GUESSES_FREE wrong──▶ locked for a second ──wrong again──▶ two, four … LOCK_MS_MAX ──quiet──▶ forgotten
 */
export const GUESSES_FREE = 5;
export const LOCK_FIRST_MS = 1_000;
export const LOCK_MS_MAX = 60_000;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const PEERS_MAX = 10_000;

export type GuessLimit = {
  /** How long this peer is to wait before its next guess; 0 when it may now. A valid secret waits for nothing. */
  waitMs(peer: string): number;
  wrong(peer: string): void;
  right(peer: string): void;
};

type Guesses = { wrong: number; lockedUntilMs: number; lastMs: number };

export function createGuessLimit(now: () => number): GuessLimit {
  const peers = new Map<string, Guesses>(); // in the order of their last wrong guess

  function recall(peer: string): Guesses | undefined {
    const guesses = peers.get(peer);
    if (guesses === undefined || now() - guesses.lastMs <= FORGOTTEN_AFTER_MS) return guesses;
    peers.delete(peer);
    return undefined;
  }

  return {
    waitMs: (peer) => Math.max(0, (recall(peer)?.lockedUntilMs ?? 0) - now()),
    wrong(peer) {
      const wrong = (recall(peer)?.wrong ?? 0) + 1;
      const lockMs = wrong < GUESSES_FREE ? 0 : Math.min(LOCK_FIRST_MS * 2 ** (wrong - GUESSES_FREE), LOCK_MS_MAX);
      peers.delete(peer);
      peers.set(peer, { wrong, lockedUntilMs: now() + lockMs, lastMs: now() });
      const oldest = peers.keys().next().value;
      if (peers.size > PEERS_MAX && oldest !== undefined) peers.delete(oldest);
    },
    right: (peer) => void peers.delete(peer),
  };
}
