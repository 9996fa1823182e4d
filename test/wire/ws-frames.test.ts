/** Frames that no decent client sends, byte by byte, before and after the handshake. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientFrame,
  closeCode,
  framesIn,
  type RawSocket,
  rawSocket,
  UPGRADE,
  type WsFrame,
} from "../kit/raw-socket.ts";
import { present, type ServedGateway, serveGateway } from "../kit/served-gateway.ts";
import { heldBytes } from "../kit/held-memory.ts";

const CLOSE = 8;
const PONG = 10;
const TEXT = 1;
const MEMORY_BYTES_MAX = 16 * 1_048_576;

type Case = { id: string; name: string; hex: string; expect: string };
const cases = readFileSync(new URL("../corpora/ws-frames.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

let gateway: ServedGateway;
let token: string;
beforeAll(async () => {
  gateway = await serveGateway();
  token = await gateway.token();
});
afterAll(() => gateway.close());

async function upgraded(): Promise<RawSocket> {
  const socket = await rawSocket(gateway.port);
  socket.write(["GET /ws HTTP/1.1", `Host: 127.0.0.1:${gateway.port}`, ...UPGRADE, "", ""].join("\r\n"));
  await socket.until((received) => received.includes("\r\n\r\n"));
  return socket;
}

async function connected(): Promise<RawSocket> {
  const socket = await upgraded();
  const params = { minProtocol: 1, maxProtocol: 1, client: { name: "raw", version: "1" }, auth: { token } };
  socket.write(clientFrame(JSON.stringify({ type: "req", id: "hello", method: "connect", params })));
  await socket.until((received) => received.includes('"protocol":1'));
  return socket;
}

/** What the gateway answers, up to a frame after which nothing more can come. */
async function answersTo(socket: RawSocket, { hex }: Case): Promise<WsFrame[]> {
  socket.write(Buffer.from(hex, "hex"));
  const fence = clientFrame(JSON.stringify({ type: "req", id: "fence", method: "health", params: {} }));
  socket.write(fence); // an open connection answers it after everything that came before
  const isOver = (frames: WsFrame[]) =>
    frames.some(({ opcode, payload }) => opcode === CLOSE || payload.includes('"fence"'));
  const received = await socket.until((bytes) => isOver(framesIn(bytes)));
  socket.destroy();
  return framesIn(received).filter(({ payload }) => !payload.includes('"hello"') && !payload.includes('"fence"'));
}

const codes = (frames: WsFrame[]): number[] => frames.filter(({ opcode }) => opcode === CLOSE).map(closeCode);
const count = (frames: WsFrame[], opcode: number): number => frames.filter((frame) => frame.opcode === opcode).length;
const isRefusal = ({ opcode, payload }: WsFrame): boolean => opcode === TEXT && payload.includes('"ok":false');

type Outcome = { seen: unknown; wanted: unknown };

/** The corpus says in words what must happen; here is what each of them means on the wire. */
function outcomeOf(test: Case, frames: WsFrame[]): Outcome {
  const named = /^close (\d{4})/.exec(test.expect)?.[1];
  if (named !== undefined) return { seen: codes(frames), wanted: [Number(named)] };
  switch (test.expect) {
    case "close echoed": {
      const sent = Buffer.from(test.hex, "hex").subarray(6, 8);
      return { seen: codes(frames), wanted: [sent.length === 2 ? sent.readUInt16BE(0) : 1005] };
    }
    case "close echoed, second frame ignored":
      return { seen: [codes(frames), count(frames, TEXT)], wanted: [[1000], 0] };
    case "pong then message handled":
      return {
        seen: frames.map((frame) => [frame.opcode, isRefusal(frame)]),
        wanted: [
          [PONG, false],
          [TEXT, true],
        ],
      };
    case "handled or close 1008/1009; bounded memory":
      return {
        seen: frames.map((frame) => isRefusal(frame) || [1008, 1009].includes(closeCode(frame))),
        wanted: [true],
      };
    case "pongs or close 1008; loop lag < 100 ms":
      return { seen: count(frames, PONG) === 2_000 || codes(frames)[0] === 1008, wanted: true };
    case "error reply":
      return { seen: frames.map(isRefusal), wanted: [true] };
    case "two replies in order":
      return { seen: frames.map(isRefusal), wanted: [true, true] };
    default:
      throw new Error(`nobody knows what "${test.expect}" means`);
  }
}

describe.each([
  ["a stranger's", upgraded],
  ["an operator's", connected],
])("%s frames", (_whose, open) => {
  it.each(cases)("[GW-05] $id $name: $expect", async (test) => {
    const { seen, wanted } = outcomeOf(test, await answersTo(await open(), test));
    expect(seen).toEqual(wanted);
  });
});

it("[GW-05] keeps its memory through thousands of hostile connections, and serves the others", async () => {
  const [oversized, fragments] = ["ws-048", "ws-052"].map((id) => present(cases.find((test) => test.id === id)));
  const before = heldBytes();
  for (let n = 0; n < 200; n += 1) await answersTo(await upgraded(), present(n % 2 === 0 ? oversized : fragments));
  expect(heldBytes() - before).toBeLessThan(MEMORY_BYTES_MAX);
  const client = await gateway.client();
  expect((await client.must("health", {})).ready).toBe(true);
  client.close();
});
