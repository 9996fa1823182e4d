/**
 * What the gate's tests use of vitest, for a process that runs them again for each mutant: vitest's own `expect`, and a
 * list instead of a runner. Anything else that a test asks for is an import error, so that nothing is skipped in silence.
 */
import { expect as vitestExpect } from "vitest";
import { collected } from "./collected-tests.ts";

type Body = () => unknown;
type Work = (...values: never[]) => unknown;
type Limits = { timeout?: number };

/** `it(name, body)` and `it(name, limits, body)`. */
const bodyOf = <Given>(...given: readonly (Given | Limits | undefined)[]): Given => {
  const body = given.find((one) => typeof one === "function");
  if (body === undefined) throw new Error("a test without a body");
  return body;
};

const named = (name: string, row: unknown, index: number): string => `${name} · ${index} ${JSON.stringify(row) ?? ""}`;

const rows = (name: string, table: readonly unknown[], take: (title: string, values: never[]) => void): void => {
  for (const [index, row] of table.entries())
    // oxlint-disable-next-line no-unsafe-type-assertion -- a row has whatever values its test takes
    take(named(name, row, index), (Array.isArray(row) ? row : [row]) as never[]);
};

function add(name: string, first: Body | Limits, second?: Body): void {
  collected.tests.push({ name: [...collected.path, name].join(" > "), run: bodyOf<Body>(second, first) });
}

const each = (table: readonly unknown[]) => (name: string, first: Work | Limits, second?: Work) => {
  const work = bodyOf<Work>(second, first);
  rows(name, table, (title, values) => add(title, () => work(...values)));
};
const skipped = Object.assign(() => undefined, { each: () => () => undefined });
const written = Object.assign(add, { each });

export const it = Object.assign(written, { skipIf: (isSkipped: boolean) => (isSkipped ? skipped : written) });

function within(name: string, first: Body | Limits, second?: Body): void {
  collected.path.push(name);
  bodyOf<Body>(second, first)();
  collected.path.pop();
}

export const describe = Object.assign(within, {
  each: (table: readonly unknown[]) => (name: string, work: Work) =>
    rows(name, table, (title, values) => within(title, () => work(...values))),
});

export const onTestFinished = (work: () => unknown): void => void collected.finally.push(work);

export const inject = (name: string): never => {
  throw new Error(`no ${name} in a mutation run`);
};

const POLL_MS_MAX = 4_000; // shorter than a test may take, so that what it waited for is what is told
const POLL_EVERY_MS = 5;

/** As `expect.poll`, which vitest has only inside of its own runner: asks again until the matcher is content. */
const poll = (look: () => unknown): unknown => {
  const until = async (matches: (seen: unknown) => void): Promise<void> => {
    const endMs = performance.now() + POLL_MS_MAX;
    for (;;) {
      try {
        return matches(await look());
      } catch (error) {
        if (performance.now() > endMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
      }
    }
  };
  return new Proxy(
    {},
    {
      get:
        (_none, matcher) =>
        (...given: unknown[]) =>
          until((seen) => {
            // oxlint-disable-next-line vitest/valid-expect -- which matcher it is comes from whoever polls
            const assertion = vitestExpect(seen);
            Reflect.apply(Reflect.get(assertion, matcher), assertion, given);
          }),
    },
  );
};

export const expect = new Proxy(vitestExpect, {
  get: (target, name) => (name === "poll" ? poll : Reflect.get(target, name)),
});
