/** Any store, with faults that a test orders by name. What is not ordered passes straight through. */
import type { CommitResult, Store, StoreFailure } from "../../src/store/store.ts";

export type FaultyStore = Store & {
  /** Answers the next commits with this failure, without writing. */
  failCommits(failure: StoreFailure, times?: number): void;
  /** Throws from the next calls of this method. */
  breakNext(method: keyof Store, times?: number): void;
  /** Holds the answer to the next call of this method until the returned function is called; its work is done before. */
  holdNext(method: keyof Store): () => void;
  /** Answers the next commits with a conflict, as if another node had been faster. */
  conflictNext(times: number): void;
  readonly calls: ReadonlyMap<string, number>;
};

export function faultyStore(inner: Store): FaultyStore {
  const calls = new Map<string, number>();
  const broken = new Map<string, number>();
  const held = new Map<string, Promise<void>>();
  const answers: CommitResult[] = [];

  const intercept =
    (name: string, method: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      const left = broken.get(name) ?? 0;
      if (left > 0) {
        broken.set(name, left - 1);
        throw new Error(`${name} is broken`);
      }
      const gate = held.get(name);
      held.delete(name);
      const ordered = name === "commit" ? answers.shift() : undefined;
      const result = ordered ?? (await method(...args));
      await gate;
      return result;
    };

  const wrapped = Object.fromEntries(
    Object.entries(inner).map(([name, member]) => [
      name,
      typeof member === "function" ? intercept(name, member as never) : member,
    ]),
  ) as unknown as Store;

  return {
    ...wrapped,
    calls,
    failCommits(failure, times = 1) {
      for (let n = 0; n < times; n++) answers.push({ status: "failed", failure });
    },
    conflictNext(times) {
      for (let n = 0; n < times; n++) answers.push({ status: "conflict" });
    },
    breakNext: (method, times = 1) => void broken.set(method, times),
    holdNext(method) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(method, promise);
      return resolve;
    },
  };
}
