/** What a cell returned arrives, whatever its worker is given or is ended for the moment after (CM-05, CM-06). */
import { describe, expect, it, onTestFinished } from "vitest";
import { cellWorld, type CellWorld } from "../../../test/kit/cells.ts";

const CELLS = 300;
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
