/** What a cell returned arrives, whatever its worker is given or is ended for the moment after (CM-05, CM-06). */
import { describe, expect, it, onTestFinished } from "vitest";
import { cellWorld, type CellWorld, ok } from "../../../test/kit/cells.ts";

const CELLS = 300;
/** All that the process starts. */
const WORKERS = 16;
const LARGE = 2_000_000;
const AT_A_TIME = 6;

function worldWith(lanes?: number): CellWorld {
  const world = cellWorld(lanes === undefined ? {} : { lanes });
  onTestFinished(() => world.sandbox.stop());
  return world;
}

async function inRows(cells: number, one: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const row = async (): Promise<void> => {
    for (let n = next++; n < cells; n = next++) await one(n);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, row));
}

describe.each([
  ["over lanes of their own", undefined],
  ["through the main thread", 0],
])("workers that speak %s", (_how, lanes) => {
  it("[CM-05][CM-06] 124, 172: many cells side by side return each its own value", async () => {
    const { value } = worldWith(lanes);
    await inRows(CELLS, async (n) => expect(await value(`return ${n}`)).toBe(n));
  });

  it("[CM-06] 124, 172: as many cells as there are workers begin, also behind the one that is kept for the next", async () => {
    const { value, run } = worldWith(lanes);
    await value("return 1");
    const asked = Array.from({ length: WORKERS }, () => Promise.withResolvers<void>());
    const release = Promise.withResolvers<void>();
    const held = asked.map(({ resolve }) =>
      value("return await tools.call('a:b:c')", { call: async () => (resolve(), await release.promise, ok(1)) }),
    );
    await Promise.all(asked.map(({ promise }) => promise));
    const waiting = run("return 2");
    release.resolve();
    expect(await Promise.all(held)).toEqual(asked.map(() => 1));
    expect(await waiting).toMatchObject({ status: "completed", valueJson: "2" });
  });

  it("[CM-06] 124, 172: a cell finds nothing of the one before it, in whichever worker", async () => {
    const { value } = worldWith(lanes);
    const poison = "const seen = [typeof left, [].left]; globalThis.left = 1; Array.prototype.left = 1; return seen";
    await inRows(CELLS / 3, async () => expect(await value(poison)).toEqual(["undefined", null]));
  });

  it("[CM-03] 172: answers and programs of many pieces arrive as they were sent", async () => {
    const { value } = worldWith(lanes);
    const rows = Array.from({ length: 60_000 }, (_none, n) => `row ${n}`);
    const sum = (list: readonly string[]): number => list.reduce((all, one, at) => (all + at * one.length) % 1e9, 0);
    const code = `const sum = (list) => list.reduce((all, one, at) => (all + at * one.length) % 1e9, 0);
      const own = ${JSON.stringify(rows.slice(0, 20_000))};
      const answers = await Promise.all([1, 2, 3].map(() => tools.call('a:b:c')));
      return [sum(own), own.every((one, at) => one === 'row ' + at), ...answers.map((list) => [sum(list), list.every((one, at) => one === 'row ' + at)])]`;
    const whole = [sum(rows), true];
    const expected = [sum(rows.slice(0, 20_000)), true, whole, whole, whole];
    expect(await value(code, { call: () => ok(rows) })).toEqual(expected);
  });

  it("[CM-05][CM-06] 124, 172: a large value arrives whole, though the cell behind it is aborted", async () => {
    const { value, run } = worldWith(lanes);
    const large = Array.from({ length: AT_A_TIME }, () =>
      value(`return 'x'.repeat(${LARGE})`, { maxOutputBytes: 2 * LARGE }),
    );
    const stop = new AbortController();
    const behind = Array.from({ length: AT_A_TIME }, () =>
      run("text(1); for (;;) await null", { host: { signal: stop.signal, output: () => stop.abort() } }),
    );
    for (const one of await Promise.all(large)) expect(one).toHaveLength(LARGE);
    for (const one of await Promise.all(behind)) expect(one).toMatchObject({ status: "failed", code: "aborted" });
  });
});
