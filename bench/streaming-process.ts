/** A gateway in a process of its own whose model speaks slowly, piece by piece; each piece says when it was spoken. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Model } from "../src/agent/model.ts";
import { startGateway } from "../src/gateway.ts";

const Orders = z.strictObject({ home: z.string(), workspace: z.string(), toolMs: z.int().optional() });
const PIECES_PER_SECOND = 10;
const NANOSECONDS_PER_MS = 1e6;

const tell = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

/** The message says for how many seconds it speaks. */
const speaking: Model = {
  id: "speaking",
  scripted: true,
  async *stream({ entries }) {
    const asked = JSON.stringify(entries.at(-1) ?? "");
    const seconds = Number(/speak for (\d+) seconds/.exec(asked)?.[1] ?? 1);
    const beganAtMs = performance.now();
    for (let n = 1; n <= seconds * PIECES_PER_SECOND; n++) {
      await sleep(Math.max(0, beganAtMs + (n * 1_000) / PIECES_PER_SECOND - performance.now()));
      yield { type: "text", delta: `@${Date.now()} a few more words of the answer; ` };
    }
    yield { type: "end", reason: "stop" };
  },
};

async function main(): Promise<void> {
  const { home, workspace } = Orders.parse(JSON.parse(process.argv[2] ?? "{}"));
  const lag = monitorEventLoopDelay({ resolution: 5 });
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model: speaking });
  if ("alreadyRunning" in gateway) throw new Error("a fresh folder cannot be taken");
  process.once("SIGTERM", () => void gateway.stop().then(() => process.exit(0)));
  process.on("SIGUSR2", () => {
    const { rss } = process.memoryUsage();
    tell({ lagP99Ms: lag.percentile(99) / NANOSECONDS_PER_MS, lagMaxMs: lag.max / NANOSECONDS_PER_MS, rssBytes: rss });
    lag.reset();
  });
  lag.enable();
  tell({ url: gateway.url, token: gateway.operatorToken, rssBytes: process.memoryUsage.rss() });
}

await main();
