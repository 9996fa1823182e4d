/**
 * What the gate's tests use of vitest, for a process that runs them again for each mutant: vitest's own `expect`, and a
 * list instead of a runner. Anything else that a test asks for is an import error, so that nothing is skipped in silence.
 */
import { expect } from "vitest";
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

export { expect };
