/** A value that says when it changes. Everything the page shows is one of these; elements draw again when one changes. */

export type Readable<Value> = {
  get(): Value;
  /** Called after each change, not at once. Returns how to stop. */
  subscribe(listener: () => void): () => void;
};

export type Cell<Value> = Readable<Value> & {
  set(value: Value): void;
  change(next: (value: Value) => Value): void;
};

export function cell<Value>(initial: Value): Cell<Value> {
  const listeners = new Set<() => void>();
  let value = initial;

  function set(next: Value): void {
    if (Object.is(value, next)) return;
    value = next;
    for (const listener of listeners) listener();
  }

  return {
    get: () => value,
    set,
    change: (next) => set(next(value)),
    subscribe(listener) {
      const own = (): void => listener(); // so that one function may listen twice
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Resolves as soon as the value is as wanted; for whoever has to wait, tests above all. */
export function until<Value>(source: Readable<Value>, isWanted: (value: Value) => boolean): Promise<Value> {
  return new Promise((resolve) => {
    if (isWanted(source.get())) return resolve(source.get());
    const stop = source.subscribe(() => {
      if (!isWanted(source.get())) return;
      stop();
      resolve(source.get());
    });
  });
}
