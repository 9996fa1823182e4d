/** The process of the sandbox as it answers a gateway that is played by hand, message by message (CM-06). */
import { createRequire } from "node:module";
import type { Duplex, Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { launchProgram } from "../../../plugins/isolated/launch-program.ts";
import { FIRST_LANE_DESCRIPTOR } from "../../../plugins/sdk.ts";
import { clampCellLimits } from "../cell-limits.ts";
import { KINDS, type Message, messageBytes, messageReader, readMessage } from "../message-bytes.ts";
import { NO_BINDINGS } from "../sandbox.ts";

const LANES = 2;
const LATE_MS = 100;
const NATIVE_LOOP = "text('begun'); new Array(2 ** 32 - 1).join()";

type Heard = Pick<Message, "cell" | "kind" | "number" | "text">;

async function played() {
  const wasm = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  const pipes = await launchProgram({
    entry: new URL("./code-host.ts", import.meta.url),
    args: [wasm, String(FIRST_LANE_DESCRIPTOR), String(LANES)],
    readable: [wasm],
    heapMegabytes: 128,
    lanes: LANES,
  });
  onTestFinished(async () => {
    pipes.kill();
    await pipes.exited;
  });
  const heard: Heard[] = [];
  const listen = (from: Readable): unknown =>
    from.on("data", messageReader({ onMessage: (whole) => heard.push(readMessage(whole)), onBroken: () => undefined }));
  for (const from of [pipes.stdout, ...pipes.lanes]) listen(from);
  const until = async (cell: number, kind: number): Promise<Heard> => {
    const find = (): Heard | undefined => heard.find((one) => one.cell === cell && one.kind === kind);
    await expect.poll(find, { timeout: 10_000 }).toBeDefined();
    return find() ?? { cell, kind, number: -1, text: "" };
  };
  return { stdin: pipes.stdin, lanes: pipes.lanes, heard, until };
}

function runMessage(cell: number, code: string, timeoutMs = 10_000): Uint8Array {
  const limits = clampCellLimits({ timeoutMs });
  const text = JSON.stringify({ code, language: "javascript", bindings: NO_BINDINGS, limits });
  return messageBytes({ cell, kind: KINDS.run, number: timeoutMs, text });
}

const seated = (cell: number, lane: number): Uint8Array =>
  messageBytes({ cell, kind: KINDS.seated, number: LATE_MS, text: String(lane) });

describe("a worker that was ended while it was lent", () => {
  it("[CM-06] 124: its next cell, which the gateway had given it in that moment, is handed back when the worker is gone", async () => {
    const { stdin, lanes, heard, until } = await played();
    const { number } = await until(0, KINDS.offered);
    const lane = lanes[number] as Duplex;
    lane.write(runMessage(1, NATIVE_LOOP, LATE_MS));
    stdin.write(seated(1, number));
    expect(JSON.parse((await until(1, KINDS.outcome)).text)).toMatchObject({ code: "timeout" });
    stdin.write(seated(2, number)); // as if the late cell had said its end after all
    const { number: posted, text } = await until(2, KINDS.unseated);
    const said = heard.filter(({ kind }) => kind === KINDS.output);
    expect([posted, JSON.parse(text)]).toMatchObject([said.length, { status: "failed", code: "internal_error" }]);
    stdin.write(runMessage(2, "return 2"));
    expect(JSON.parse((await until(2, KINDS.outcome)).text)).toMatchObject({ status: "completed", valueJson: "2" });
  });

  it("[CM-06] 124: a cell for a worker that was never lent fails", async () => {
    const { stdin, until } = await played();
    await until(0, KINDS.offered);
    stdin.write(seated(1, LANES));
    expect(JSON.parse((await until(1, KINDS.outcome)).text)).toMatchObject({ code: "internal_error" });
  });
});
