/** Feishu's long connection: a frame is answered with 200 when what is in it is stored, and with 500 when it is not; then it comes again. */
import { z } from "zod";
import type { VendorEvent, VendorIo } from "../port.ts";
import type { FeishuSettings } from "../protocol/vendors/feishu-settings.ts";
import type { HeldAnswers } from "../wire/held-answers.ts";
import { keepConnected } from "../wire/keep-connected.ts";
import { type Codec, openSocket, type Socket } from "../wire/open-socket.ts";
import { vendorRequest } from "../wire/vendor-request.ts";
import { accepted, rootOf } from "./feishu-api.ts";
import { decodeFrame, emptyFrame, encodeFrame, type Frame } from "./frame.ts";

const DATA = 1;
const PING_SECONDS = 120;
/** How long a press waits for the word that is shown to who pressed; Feishu waits three seconds. */
const HOLD_MS = 1_500;
const SPARE_MS = 30_000;
const PARTS_MAX = 50;
const CUT_MAX = 100;

const Endpoint = z.looseObject({
  data: z.object({ URL: z.string(), ClientConfig: z.object({ PingInterval: z.number() }).partial().nullish() }),
});

export type Listening = {
  settings: FeishuSettings;
  io: VendorIo;
  held: HeldAnswers<string>;
  eventIn(payload: unknown): Promise<VendorEvent | undefined>;
  signal: AbortSignal;
};

export function feishuSocket(listening: Listening): Promise<{ ended: Promise<void> }> {
  const { io, signal } = listening;
  return keepConnected({ connect: () => connect(listening), report: io.report, signal });
}

/** The address is another one each time, and carries its own proof. */
export async function askForSocket(settings: FeishuSettings, signal: AbortSignal) {
  const { appId: AppID, appSecret: AppSecret } = settings;
  const url = `${rootOf(settings)}/callback/ws/endpoint`;
  const answer = await vendorRequest(url, { title: "Feishu", json: { AppID, AppSecret }, signal });
  const { URL: address, ClientConfig: config } = Endpoint.parse(accepted(answer)).data;
  return { address, pingMs: (config?.PingInterval ?? PING_SECONDS) * 1_000 };
}

const codec: Codec<Frame> = { encode: encodeFrame, decode: decodeFrame };

async function connect(listening: Listening): Promise<Socket<Frame>> {
  const { settings, io, signal } = listening;
  const { address, pingMs } = await askForSocket(settings, signal);
  const taking = { ...listening, parts: new Map<string, Buffer[]>(), trouble: { isReported: false } };
  const socket = await openSocket(address, {
    codec,
    silenceMs: 2 * pingMs + SPARE_MS, // it answers our pings, and perhaps no others
    signal,
    failed: (error) => io.report(error instanceof Error ? error.message : String(error)),
    take: (frame, open) => takeFrame(frame, open, taking),
  });
  const service = Number(new URL(address).searchParams.get("service_id") ?? 0);
  const ping = setInterval(() => socket.send({ ...emptyFrame, service, headers: { type: "ping" } }), pingMs);
  void socket.closed.then(() => clearInterval(ping));
  return socket;
}

type Taking = Listening & { parts: Map<string, Buffer[]>; trouble: { isReported: boolean } };

async function takeFrame(frame: Frame, socket: Socket<Frame>, taking: Taking): Promise<void> {
  if (frame.method !== DATA) return;
  const payload = wholePayload(frame, taking.parts);
  if (payload === undefined) return;
  const { io, trouble } = taking;
  try {
    const { said } = await stored(jsonIn(payload), taking);
    // the next frame does not wait for a word to this one
    void said.then((text) => socket.send(answerTo(frame, { code: 200, ...toastOf(text) })));
    if (trouble.isReported) io.report(undefined);
    trouble.isReported = false;
  } catch (error) {
    trouble.isReported = true;
    io.report(error instanceof Error ? error.message : String(error));
    socket.send(answerTo(frame, { code: 500 }));
  }
}

/** What is said to who pressed, once somebody says it. */
async function stored(payload: unknown, { io, held, eventIn }: Taking): Promise<{ said: Promise<string | undefined> }> {
  const event = await eventIn(payload);
  const handle = event?.kind === "click" ? event.handle : undefined;
  const said = handle === undefined ? Promise.resolve("") : held.wait(handle, HOLD_MS);
  try {
    if (event !== undefined) await io.deliver(event);
  } catch (error) {
    if (handle !== undefined) held.answer(handle, "");
    throw error;
  }
  return { said };
}

const toastOf = (text: string | undefined): { data?: string } =>
  text === undefined || text === ""
    ? {}
    : { data: Buffer.from(JSON.stringify({ toast: { type: "info", content: text } })).toString("base64") };

const answerTo = (frame: Frame, answer: object): Frame => ({
  ...frame,
  headers: { ...frame.headers, biz_rt: "0" },
  payload: Buffer.from(JSON.stringify(answer)),
});

/** A long event comes in several frames; undefined while some are missing. */
function wholePayload({ headers, payload }: Frame, parts: Map<string, Buffer[]>): Buffer | undefined {
  const [sum, seq, id] = [Number(headers["sum"] ?? 1), Number(headers["seq"] ?? 0), headers["message_id"] ?? ""];
  if (sum <= 1) return payload;
  if (!(sum <= PARTS_MAX && seq >= 0 && seq < sum)) throw new Error("a frame of an event in too many parts");
  const known = parts.get(id) ?? [];
  known[seq] = payload;
  parts.set(id, known);
  if (parts.size > CUT_MAX) parts.delete([...parts.keys()][0] ?? "");
  if (Object.keys(known).length < sum) return undefined;
  parts.delete(id);
  return Buffer.concat(known);
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
