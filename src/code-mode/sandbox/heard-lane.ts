/** A worker's connection as the gateway holds it, with how much of it was heard: the end of a worker comes behind what it said. */
import type { Duplex } from "node:stream";

/** Of a worker that was ended, for what it had begun to say. */
const LANE_CLOSES_MS_MAX = 25;

export type HeardLane = {
  readonly socket: Duplex;
  /** One more message was taken. */
  heard(): void;
  /** Delivers when this many messages were taken since the lane was opened, or it is closed, or that takes too long. */
  after(messages: number, deliver: () => unknown): void;
};

type Waiting = { missing: number; go(): void };

export function heardLane(socket: Duplex): HeardLane {
  let count = 0;
  let waiting: Waiting | undefined;
  return {
    socket,
    heard() {
      count += 1;
      if (waiting !== undefined && --waiting.missing === 0) waiting.go();
    },
    after(messages, deliver) {
      const missing = (messages - count) | 0; // both counts fit 32 bits only at first; it may have said more since
      if (missing <= 0 || socket.closed) return void deliver();
      const go = (): void => {
        clearTimeout(late);
        socket.off("close", go);
        waiting = undefined;
        deliver();
      };
      const late = setTimeout(go, LANE_CLOSES_MS_MAX);
      socket.once("close", go);
      waiting = { missing, go };
    },
  };
}
