/** Mattermost by its REST API and socket: interactive actions, a form of its own for words, threads, files, slash commands. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  type Checked,
  defineChannel,
  type FormWanted,
  type Out,
  SendError,
  type Sent,
  type VendorIo,
  type VendorPort,
} from "../port.ts";
import type { MattermostSettings } from "../protocol/vendors/mattermost-settings.ts";
import { neutral } from "../render/neutral-text.ts";
import { createHeldAnswers } from "../wire/held-answers.ts";
import { createProofs } from "./action-proof.ts";
import { type CallMattermost, createMattermostApi } from "./mattermost-api.ts";
import { type Actions, postAttachments, dialogOf, placeOf } from "./post-attachments.ts";
import { mattermostSocket } from "./mattermost-socket.ts";
import { Handle, mattermostWebhook } from "./mattermost-webhook.ts";

const Me = z.object({ id: z.string(), username: z.string() });
const Channel = z.object({ type: z.string() });
const Posted = z.object({ id: z.string() });
const Uploaded = z.object({ file_infos: z.array(z.object({ id: z.string() })).min(1) });
const ANSWER_MS_MAX = 10_000;
const CHANNELS_MAX = 10_000;

type Parts = { call: CallMattermost; settings: MattermostSettings; webhookUrl: string | undefined; now(): number };

export const mattermost = defineChannel("mattermost", ({ settings, webhookUrl, now }) =>
  createMattermost({ call: createMattermostApi(settings), settings, webhookUrl, now }),
);

function createMattermost(parts: Parts): VendorPort {
  const { call, settings, now } = parts;
  const { server, token, commandToken } = settings;
  const stopping = new AbortController();
  const { signal } = stopping;
  const proofs = createProofs(token);
  const held = createHeldAnswers<string>();
  const isDirect = createDirectLook(call, signal);
  let io: VendorIo | undefined;
  let ended: Promise<void> | undefined;
  return {
    connects: true,
    check: (checking) => check(parts, checking),
    async start(given) {
      addressOf(parts);
      const { id: userId, username } = await call({ path: "/users/me", method: "GET", signal }, Me);
      io = given;
      const me = { userId, username };
      ({ ended } = await mattermostSocket({ server, token, call, me, io: given, now, signal }));
    },
    async startHooks(given) {
      addressOf(parts);
      io = given;
    },
    send: (conversation, out, sending) =>
      send({ call, actions: { proofs, url: addressOf(parts) }, conversation, out, signal: sending.signal }),
    async toast(handle, text) {
      held.answer(Handle.parse(JSON.parse(handle)).id, neutral(text, "markdown"));
    },
    async form(wanted) {
      const { id, trigger, userId, conversation } = Handle.parse(JSON.parse(wanted.handle));
      await openDialog(wanted, { call, actions: { proofs, url: addressOf(parts) }, trigger, userId, conversation });
      held.answer(id, "");
    },
    async webhook(request) {
      if (io === undefined || signal.aborted) return { status: 503, body: "{}" };
      return mattermostWebhook(request, { io, proofs, commandToken, held, isDirect });
    },
    async stop() {
      stopping.abort();
      held.close();
      await ended;
    },
  };
}

function addressOf({ webhookUrl }: Parts): string {
  if (webhookUrl === undefined)
    throw new Error("presses need gateway.pageAddress, so that the Mattermost server can reach it");
  return webhookUrl;
}

async function check(parts: Parts, signal: AbortSignal): Promise<Checked> {
  try {
    const { username } = await parts.call({ path: "/users/me", method: "GET", signal }, Me);
    addressOf(parts);
    return { ok: true, me: `@${username}` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem, fix: "Look at the address, the bot's token and gateway.pageAddress, then try again." };
  }
}

/** Whether a channel is a conversation of two: that never changes. */
function createDirectLook(call: CallMattermost, signal: AbortSignal): (channel: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (channel) => {
    const found = known.get(channel);
    if (found !== undefined) return found;
    const { type } = await call({ path: `/channels/${encodeURIComponent(channel)}`, method: "GET", signal }, Channel);
    if (known.size < CHANNELS_MAX) known.set(channel, type === "D");
    return type === "D";
  };
}

type Leaving = { call: CallMattermost; actions: Actions; conversation: string; out: Out; signal: AbortSignal };

async function send({ call, actions, conversation, out, signal }: Leaving): Promise<Sent> {
  const place = placeOf(conversation);
  if (place === undefined) throw new SendError(`${conversation} is no channel of Mattermost`, { retry: "never" });
  const { channel, root } = place;
  const to = { channel_id: channel, ...(root === undefined ? {} : { root_id: root }) };
  const post = async (json: object): Promise<Sent> => ({
    messageId: (await call({ path: "/posts", json: { ...to, ...json }, signal }, Posted)).id,
  });
  switch (out.kind) {
    case "text":
      return post({ message: out.body.text });
    case "card":
      return post({
        message: out.body.text,
        props: { attachments: postAttachments(out.buttons, conversation, actions) },
      });
    case "edit": {
      const props = { attachments: postAttachments(out.buttons, conversation, actions) };
      const path = `/posts/${encodeURIComponent(out.messageId)}/patch`;
      await call({ path, method: "PUT", json: { message: out.body.text, props }, signal }, Posted);
      return { messageId: out.messageId };
    }
    case "file": {
      const { name, mediaType, bytes, caption } = out.file;
      const body = new FormData();
      body.set("channel_id", channel);
      body.set("files", new Blob([new Uint8Array(bytes)], { type: mediaType }), name);
      const { file_infos: files } = await call({ path: "/files", body, signal }, Uploaded);
      return post({ message: caption.text, file_ids: files.map(({ id }) => id) });
    }
  }
}

type Opening = { call: CallMattermost; actions: Actions; trigger: string; userId: string; conversation: string };

async function openDialog({ label, token, messageId }: FormWanted, opening: Opening): Promise<void> {
  const { call, actions, trigger, userId, conversation } = opening;
  const state = actions.proofs.seal({ token, messageId, userId, conversation, id: randomUUID() });
  const json = { trigger_id: trigger, url: `${actions.url}/dialog`, dialog: dialogOf(label, state) };
  await call({ path: "/actions/dialogs/open", json, signal: AbortSignal.timeout(ANSWER_MS_MAX) }, z.unknown());
}
