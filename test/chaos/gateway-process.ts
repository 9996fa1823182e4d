/**
 * A gateway in a process of its own, to be killed: the real one, with a model that decides from the transcript and a
 * tool that leaves one line per execution. Says `{"url","token",…}` on standard output when it is ready.
 */
import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { startGateway } from "../../src/gateway.ts";
import { definePlugin, type WriteTool } from "../../src/plugins/sdk.ts";
import { APPEND_TOOL, chaosModel, MUTATIONS_FILE } from "./chaos-model.ts";

const Orders = z.strictObject({
  home: z.string(),
  workspace: z.string(),
  /** How long one execution of the tool takes, so that a kill can fall into it. */
  toolMs: z.int().default(2),
  /** 0: any that is free. */
  port: z.int().default(0),
});

const NANOSECONDS_PER_MS = 1e6;

const appendTool = (toolMs: number): WriteTool<Record<string, never>> => ({
  name: APPEND_TOOL,
  description: "Appends one line that names this call.",
  input: z.strictObject({}),
  kind: "file_edit",
  effect: "write",
  async run(_args, context) {
    const beganAtMs = Math.floor(performance.timeOrigin + performance.now()); // no clock setting moves it
    await sleep(toolMs);
    appendFileSync(join(context.workspace, MUTATIONS_FILE), `${context.sessionId} ${context.callId} ${beganAtMs}\n`);
    await sleep(toolMs);
    return { status: "ok", content: "appended" };
  },
});

const chaosTools = (toolMs: number) =>
  definePlugin({
    id: "chaos",
    name: "Chaos",
    description: "A tool whose executions can be counted.",
    register: (api) => api.tools.registerTool(appendTool(toolMs)),
  });

/** When the model was asked, for measurements from the outside: the same clock for all processes of a machine. */
const asked = (): void => tell({ modelAskedAtMs: performance.timeOrigin + performance.now() });
const tell = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

async function main(): Promise<void> {
  const { home, workspace, toolMs, port } = Orders.parse(JSON.parse(process.argv[2] ?? "{}"));
  const lag = monitorEventLoopDelay({ resolution: 5 });
  const gateway = await startGateway({
    home,
    workspace,
    port,
    log: "silent",
    model: chaosModel(asked),
    plugins: [chaosTools(toolMs)],
  });
  if ("alreadyRunning" in gateway) throw new Error("A gateway runs on this state already.");
  lag.enable();
  tell({ url: gateway.url, token: gateway.operatorToken, rssBytes: process.memoryUsage.rss() });
  flushCompileCache(); // a killed process would leave nothing to the next
  process.on("SIGTERM", () => void gateway.stop().then(() => process.exit(0)));
  process.on("SIGUSR2", () => {
    tell({ lagP99Ms: lag.percentile(99) / NANOSECONDS_PER_MS, lagMaxMs: lag.max / NANOSECONDS_PER_MS });
    lag.reset();
  });
}

await main();
