/** The port of workers, which perform the orders of a slice outside of every commit. */
import type { SessionId } from "../protocol/ids.ts";
import type { Order } from "./effect.ts";

/** `later`: it cannot be done yet, which is no failure; it is tried again after a second, or after `laterMs`. */
export type OrderOutcome = "done" | "later" | { laterMs: number };

export type OrderCall = {
  sessionId: SessionId;
  /** The same at each attempt, on each node and after a restart: pass it to whatever can recognise a repetition. */
  key: string;
  /** Starts at 1. An attempt that a crash cut off counts. */
  attempt: number;
  /** Aborted when the gateway stops, the plugin is switched off, the time is up or another node has taken over. */
  signal: AbortSignal;
};

export type SliceWorker = {
  slice: string;
  /** The kinds of order (`do`) that it performs; an order without a worker is kept and reported. */
  orders: readonly string[];
  /** A throw is a failure: the order is performed again, after a longer wait each time. */
  perform(order: Order, call: OrderCall): Promise<OrderOutcome>;
  /** Nobody waits for it: each order begins a moment later, so that its commits do not stand before a turn's. */
  isUnhurried?: true;
};
