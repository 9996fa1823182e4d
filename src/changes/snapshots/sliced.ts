/** Long work in slices: it hands over control between them, so that a look at a large workspace holds up no other one. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Thrown into work between two slices when it has used up its time. */
export class TakesTooLong extends Error {}

/** All slices at once, where nobody else waits. */
export function finish<T>(work: Sliced<T>): T {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
  }
}

/** Work that may be done at once or in slices, in slices. */
export function* inSlices(run: () => unknown): Sliced<unknown> {
  const answer = run();
  return isSliced(answer) ? yield* answer : answer;
}

const isSliced = (answer: unknown): answer is Sliced<unknown> => answer instanceof Iterator && "throw" in answer;
