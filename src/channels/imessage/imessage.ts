/**
 * iMessage by a BlueBubbles server. Its webhooks are not signed, so one is only a hint that there is news: what was written is
 * asked for with the password, from the place that was noted last. The same road serves a start after a crash.
 *
 *   hint · time · start ─▶ ask for what is newer than the note ─▶ deliver one ─▶ note it ─▶ the next
 */
import { z } from "zod";
import { createLanes } from "../../lane/lane.ts";
import {
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type Sent,
  type VendorIo,
  type VendorPort,
} from "../port.ts";
import type { ImessageSettings } from "../protocol/vendors/imessage-settings.ts";
import { backoffMs, pause } from "../wire/pause.ts";
import { isSameSecret } from "../wire/same-secret.ts";
import { isOk, refusedBy, vendorRequest, type VendorRequest } from "../wire/vendor-request.ts";
import { BlueMessage, imessageEvent } from "./imessage-event.ts";

const TITLE = "BlueBubbles";
const PAGE = 100;
const ASK_MS_MAX = 20_000;

const Data = z.object({ data: z.unknown() });
const Found = z.array(z.unknown());
const SentMessage = z.object({ guid: z.string().min(1) });
const Info = z.object({ server_version: z.string() });
const Cursor = z.object({ ms: z.number(), guids: z.array(z.string()) });

type Ask = (path: string, request: Omit<VendorRequest, "title">) => Promise<unknown>;

export const imessage = defineChannel("imessage", ({ settings, now }) => createImessage(settings, now));

function createImessage(settings: ImessageSettings, now: () => number): VendorPort {
  const { server, password, webhookSecret, pollSeconds, name } = settings;
  const stopping = new AbortController();
  const lanes = createLanes();
  let receiving: VendorIo | undefined;
  let polling: Promise<void> | undefined;

  const ask: Ask = async (path, request) => {
    const url = `${server.replace(/\/$/, "")}/api/v1${path}?password=${encodeURIComponent(password)}`;
    const answer = await vendorRequest(url, { title: TITLE, ...request });
    if (!isOk(answer)) throw refusedBy(TITLE, answer, "");
    return Data.safeParse(answer.body).data?.data;
  };
  const catchUp = (): Promise<void> =>
    lanes.run("news", async () => {
      if (receiving !== undefined && !stopping.signal.aborted) await takeNews(receiving, { ask, name });
    });

  async function receive(io: VendorIo): Promise<void> {
    if ((await io.cursor.get()) === undefined) await io.cursor.set(JSON.stringify({ ms: now(), guids: [] }));
    receiving = io;
  }

  return {
    connects: true,
    check: (signal) => check(ask, signal),
    async start(io) {
      await ask("/ping", { method: "GET", signal: AbortSignal.timeout(ASK_MS_MAX) });
      await receive(io);
      await catchUp(); // what was written while nobody was here
      polling = poll(catchUp, { everyMs: pollSeconds * 1_000, io, signal: stopping.signal });
    },
    startHooks: receive, // a hint that comes here is followed here: the note of how far we are is everybody's
    send: (chatGuid, out, { key, signal }) => send({ chatGuid, out, key, signal }, ask),
    async webhook({ path }) {
      if (webhookSecret === undefined || !isSameSecret(path, `/${webhookSecret}`)) return { status: 404, body: "" };
      await catchUp();
      return { status: 200, body: "" };
    },
    async stop() {
      stopping.abort();
      receiving = undefined;
      await polling;
      await lanes.idle();
    },
  };
}

async function takeNews(io: VendorIo, { ask, name }: { ask: Ask; name: string }): Promise<void> {
  const { data: noted } = Cursor.safeParse(JSON.parse((await io.cursor.get()) ?? "null"));
  const json = { after: noted?.ms ?? 0, limit: PAGE, sort: "ASC", with: ["chat", "handle"] };
  const found =
    Found.safeParse(await ask("/message/query", { json, signal: AbortSignal.timeout(ASK_MS_MAX) })).data ?? [];
  let { ms, guids } = noted ?? { ms: 0, guids: [] };
  for (const one of found) {
    const { data: message } = BlueMessage.safeParse(one);
    if (message === undefined || guids.includes(message.guid)) continue;
    const event = imessageEvent(message, name);
    if (event !== undefined) await io.deliver(event);
    guids = message.dateCreated === ms ? [...guids, message.guid] : [message.guid];
    ms = message.dateCreated;
    await io.cursor.set(JSON.stringify({ ms, guids }));
  }
}

type Polling = { everyMs: number; io: VendorIo; signal: AbortSignal };

async function poll(catchUp: () => Promise<void>, { everyMs, io, signal }: Polling): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    await pause(failures === 0 ? everyMs : Math.min(backoffMs(failures), everyMs), signal);
    try {
      await catchUp();
      if (failures > 0) io.report(undefined);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!signal.aborted) io.report(error instanceof Error ? error.message : String(error));
    }
  }
}

type Leaving = { chatGuid: string; out: Out; key: string; signal: AbortSignal };

async function send({ chatGuid, out, key, signal }: Leaving, ask: Ask): Promise<Sent> {
  const base = { chatGuid, tempGuid: `hp-${key}`, method: "apple-script" };
  const answer =
    out.kind === "file"
      ? await ask("/message/attachment", { body: formOf(base, out.file), signal })
      : await ask("/message/text", { json: { ...base, message: out.body.text }, signal });
  const { data } = SentMessage.safeParse(answer);
  if (data === undefined)
    throw new SendError("BlueBubbles did not say what it sent.", { retry: "later", maybeSent: true });
  return { messageId: data.guid };
}

function formOf(
  base: Record<string, string>,
  { name, mediaType, bytes }: Extract<Out, { kind: "file" }>["file"],
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(base)) form.set(field, value);
  form.set("name", name);
  form.set("attachment", new File([new Uint8Array(bytes)], name, { type: mediaType }));
  return form;
}

async function check(ask: Ask, signal: AbortSignal): Promise<Checked> {
  try {
    const { data } = Info.safeParse(await ask("/server/info", { method: "GET", signal }));
    if (data === undefined) throw new SendError(`${TITLE} answered something that cannot be read.`, { retry: "later" });
    return { ok: true, me: `the Mac of BlueBubbles ${data.server_version}` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem, fix: "Look at the address and the password in the settings of BlueBubbles." };
  }
}
