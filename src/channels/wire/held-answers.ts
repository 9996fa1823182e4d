/** For vendors whose requests are answered in the response itself: it is held back for a moment, in case somebody has a word for it. */

const HELD_MAX = 1_000;

export type HeldAnswers<Answer> = {
  /** Undefined when nobody answered in time. */
  wait(handle: string, ms: number): Promise<Answer | undefined>;
  /** False when nobody waits for it any more. */
  answer(handle: string, answer: Answer): boolean;
  close(): void;
};

export function createHeldAnswers<Answer>(): HeldAnswers<Answer> {
  const held = new Map<string, (answer: Answer | undefined) => void>();
  return {
    async wait(handle, ms) {
      if (held.size >= HELD_MAX) return undefined;
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      const timer = setTimeout(() => resolve(undefined), ms);
      held.set(handle, resolve);
      return promise.finally(() => {
        clearTimeout(timer);
        held.delete(handle);
      });
    },
    answer(handle, answer) {
      const resolve = held.get(handle);
      resolve?.(answer);
      return resolve !== undefined;
    },
    close: () => held.forEach((resolve) => resolve(undefined)),
  };
}
