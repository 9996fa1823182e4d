/** A gateway to measure, on a state of its own, and the load that is put on it from other processes. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gatewayChild, type GatewayChild } from "../test/kit/gateway-child.ts";
import { wireClient } from "../test/kit/wire-client.ts";
import type { LoadOrders, LoadResult } from "./load-process.ts";

const LOAD = resolve(import.meta.dirname, "load-process.ts");
const OUTPUT_BYTES_MAX = 64 * 1_048_576;
const run = promisify(execFile);

export type Measured = { gateway: GatewayChild; home: string };

/** `prepare` may fill the state before the gateway opens it; `script` is another gateway than the one with the chaos model. */
export async function withGateway<Result>(
  measure: (measured: Measured) => Promise<Result>,
  prepare?: (home: string) => Promise<void>,
  script?: string,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-bench-"));
  const home = join(folder, "home");
  const workspace = join(folder, "work");
  await mkdir(workspace);
  await prepare?.(home);
  const gateway = await gatewayChild({ home, workspace, toolMs: 0, ...(script === undefined ? {} : { script }) });
  try {
    return await measure({ gateway, home });
  } finally {
    gateway.signal("SIGTERM");
    await gateway.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

export async function sessions(gateway: GatewayChild, count: number): Promise<string[]> {
  const client = await wireClient(gateway);
  const made = await Promise.all(Array.from({ length: count }, () => client.must("sessions.create", {})));
  client.close();
  return made.map(({ session }) => session.id);
}

export async function load(gateway: GatewayChild, orders: Omit<LoadOrders, "url" | "token">): Promise<LoadResult> {
  const whole = JSON.stringify({ ...orders, url: gateway.url, token: gateway.token });
  const { stdout } = await run(process.execPath, [LOAD, whole], { maxBuffer: OUTPUT_BYTES_MAX });
  const result = JSON.parse(stdout) as LoadResult;
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} requests were refused`);
  return result;
}
