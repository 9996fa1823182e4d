/** One thing at a time per key, in order of arrival; keys do not wait for each other. */
export type Lanes = {
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  idle(): Promise<void>;
  readonly size: number;
};

export function createLanes(): Lanes {
  const tails = new Map<string, Promise<unknown>>();

  function run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(forget, forget);
    function forget(): void {
      if (tails.get(key) === settled) tails.delete(key); // only the last in line closes the lane
    }
    tails.set(key, settled);
    return mine;
  }

  return {
    run,
    get size() {
      return tails.size;
    },
    async idle() {
      while (tails.size > 0) await Promise.allSettled(tails.values());
    },
  };
}

/** One thing at a time, in order of arrival; what fails holds up nobody behind it. */
export function createLane(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const lanes = createLanes();
  return (work) => lanes.run("", work);
}
