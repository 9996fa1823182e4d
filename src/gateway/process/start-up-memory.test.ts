/** In a process of its own: what is given back once belongs to a process, and the tests' workers have gateways before. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = new URL("./start-up-memory.ts", import.meta.url).href;

const SCRIPT = `
  const collections = [];
  globalThis.setTimeout = (collect) => (collections.push(collect), { unref() {} });
  const { giveBackStartUpMemory } = await import(${JSON.stringify(MODULE)});
  for (let gateways = 0; gateways < 3; gateways += 1) giveBackStartUpMemory();
  for (const collect of collections) collect();
  process.stdout.write(String(collections.length));
`;

it("[QA-07] the garbage of loading is collected once in a process, however many gateways it starts", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", SCRIPT]);
  expect(stdout).toBe("1");
});
