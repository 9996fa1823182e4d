/**
 * Whether the code that runs now belongs to an invocation that may only read. The mark follows the plugin's code through
 * every await, timer and callback that it begins, also after the handler has answered, and touches nobody else's code.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** What was invoked, for the reason of a refusal: `/deploy status`. */
export type ReadOnlyRun = { cause: string };

const current = new AsyncLocalStorage<ReadOnlyRun>();

export const readOnlyRun = (): ReadOnlyRun | undefined => current.getStore();

export const runReadOnly = <Result>(run: ReadOnlyRun | undefined, work: () => Result): Result =>
  run === undefined ? work() : current.run(run, work);

/** For what outlives the invocation that happened to begin it, such as a plugin's process and its socket. */
export const outsideReadOnlyRun = <Result>(work: () => Result): Result => current.exit(work);
