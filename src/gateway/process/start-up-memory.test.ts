/** In a process of its own: what is given back once belongs to a process, and the tests' workers have gateways before. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = new URL("./start-up-memory.ts", import.meta.url).href;

/** Three gateways start; says how many looks are planned at once, and after each look whether everything was collected. */
const script = (busyFor: number): string => `
  const looks = [];
  globalThis.setTimeout = (look) => (looks.push(look), { unref() {} });
  const { giveBackStartUpMemory } = await import(${JSON.stringify(MODULE)});
  const nextTask = () => new Promise((resolve) => setImmediate(resolve));
  let busyFor = ${busyFor};
  for (let gateways = 0; gateways < 3; gateways += 1) giveBackStartUpMemory(() => busyFor-- > 0);
  const planned = looks.length;
  const garbage = (() => new WeakRef({}))();
  const collected = [];
  for (let look = looks.shift(); look !== undefined; look = looks.shift()) {
    await nextTask(); // what was created or asked for in a task is kept until its end
    look();
    collected.push(garbage.deref() === undefined);
  }
  process.stdout.write(JSON.stringify({ planned, collected }));
`;

async function given(busyFor: number): Promise<unknown> {
  const args = ["--input-type=module", "--eval", script(busyFor)];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

it("[QA-07] the garbage of loading is collected once in a process, however many gateways it starts, when no turn runs", async () => {
  expect(await given(2)).toEqual({ planned: 1, collected: [false, false, true] });
});

it("[QA-07] a gateway whose turns run all the time is left alone", async () => {
  expect(await given(Infinity)).toEqual({ planned: 1, collected: Array.from({ length: 20 }, () => false) });
});
