/** Matrix by its client-server API: rooms, threads, replies, reactions as buttons, files. Encrypted rooms are refused. */
import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type Button,
  type Checked,
  defineChannel,
  type FileLimits,
  type Out,
  SendError,
  type Sending,
  type Sent,
  type VendorIo,
  type VendorPort,
} from "../port.ts";
import type { MatrixSettings } from "../protocol/vendors/matrix-settings.ts";
import { loadBytes } from "../wire/load-bytes.ts";
import { type CallMatrix, createMatrixApi, MatrixError } from "./matrix-api.ts";
import { cardContent, type Content, editContent, inThread, reactionKey, textContent } from "./matrix-content.ts";
import { matrixEvent, type MatrixMe, type RoomEvent, shownEvent } from "./matrix-event.ts";
import { createRooms, type Rooms, roomPath } from "./matrix-rooms.ts";
import { type Invited, matrixSync } from "./matrix-sync.ts";

const Me = z.object({ user_id: z.string() });
const Profile = z.object({ displayname: z.string().default("") });
const SentEvent = z.object({ event_id: z.string() });
const Uploaded = z.object({ content_uri: z.string() });
const ENCRYPTED =
  "This room is encrypted, and I cannot keep its keys. Please open a room without encryption and invite me there.";

type Parts = { call: CallMatrix; settings: MatrixSettings; rooms: Rooms; signal: AbortSignal };

export const matrix = defineChannel("matrix", ({ settings }) => createMatrix(settings));

function createMatrix(settings: MatrixSettings): VendorPort {
  const stopping = new AbortController();
  const { signal } = stopping;
  const call = createMatrixApi(settings);
  const parts: Parts = { call, settings, rooms: createRooms(call, signal), signal };
  let ended: Promise<void> | undefined;
  return {
    connects: true,
    check: (checking) => check(call, checking),
    async start(io) {
      const me = await whoAmI(call, signal);
      const taking = { ...parts, io, me, told: new Set<string>() };
      const take = (roomId: string, event: RoomEvent) => unlessGone(() => takeEvent(roomId, event, taking));
      const invited = (roomId: string, invite: Invited) => unlessGone(() => answerInvite(roomId, invite, taking));
      ({ ended } = await matrixSync({ call, io, take, invited, signal }));
    },
    send: (conversation, out, sending) => send(parts, { conversation, out, sending }),
    loadFile: (source, limits) => loadMedia(source, settings, limits),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

const MEDIA = /^mxc:\/\/([A-Za-z0-9.:[\]-]{1,255})\/([A-Za-z0-9_-]{1,255})$/;

/** From our own server, which has it or asks the other one for it. */
async function loadMedia(source: string, settings: MatrixSettings, limits: FileLimits): Promise<Uint8Array> {
  const [, server = "", id = ""] = MEDIA.exec(source) ?? [];
  if (id === "") throw new Error("it is no media of Matrix");
  const root = settings.homeserver.replace(/\/$/, "");
  const headers = { authorization: `Bearer ${settings.accessToken}` };
  return loadBytes(`${root}/_matrix/client/v1/media/download/${server}/${id}`, { ...limits, headers, from: [root] });
}

async function whoAmI(call: CallMatrix, signal: AbortSignal): Promise<MatrixMe> {
  const { user_id: userId } = await call({ path: "/client/v3/account/whoami", method: "GET", signal }, Me);
  const path = `/client/v3/profile/${encodeURIComponent(userId)}`;
  const { displayname: displayName } = await call({ path, method: "GET", signal }, Profile);
  return { userId, displayName };
}

async function check(call: CallMatrix, signal: AbortSignal): Promise<Checked> {
  try {
    return { ok: true, me: (await whoAmI(call, signal)).userId };
  } catch (error) {
    const isToken = error instanceof MatrixError && /^M_(?:UNKNOWN|MISSING)_TOKEN$/.test(error.errcode);
    const problem = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem: isToken ? "The Matrix server does not know this token." : problem,
      fix: isToken
        ? "Log in with the bot's account and copy its access token."
        : "Look whether this is the server's address.",
    };
  }
}

/** The server refuses what concerns a room that we are not in any more: whoever asked again would ask for ever. */
async function unlessGone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof MatrixError) || error.retry !== "never") throw error;
  }
}

type Taking = Parts & { io: VendorIo; me: MatrixMe; told: Set<string> };

async function takeEvent(roomId: string, event: RoomEvent, taking: Taking): Promise<void> {
  const { rooms, io, me } = taking;
  if (event.type === "m.room.member" || event.type === "m.room.encryption") rooms.forget(roomId);
  if (event.sender === me.userId || !/^m\.(?:room\.message|reaction|room\.encrypted)$/.test(event.type)) return;
  if (event.type === "m.room.encrypted" || (await rooms.look(roomId)).encrypted) return refuseRoom(roomId, taking);
  const found = await matrixEvent(roomId, event, taking);
  if (found !== undefined) await io.deliver(found);
}

/** Said once in the room itself, where who is not answered would wonder. */
async function refuseRoom(roomId: string, { told, call, io, signal }: Taking): Promise<void> {
  if (told.has(roomId)) return;
  told.add(roomId);
  io.report(`The room ${roomId} is encrypted: nothing there is read.`);
  const json = { msgtype: "m.notice", body: ENCRYPTED, "m.mentions": {} };
  await put({ roomId, type: "m.room.message", txn: txnOf(`encrypted:${roomId}`) }, json, { call, signal });
}

/** Direct conversations, and rooms that are listed. One that is encrypted is left at once, with the reason. */
async function answerInvite(roomId: string, { invite_state: { events } }: Invited, taking: Taking): Promise<void> {
  const { call, me, settings, signal } = taking;
  const isEncrypted = events.some(({ type }) => type === "m.room.encryption");
  const ours = events.find(({ type, state_key: who }) => type === "m.room.member" && who === me.userId);
  const isWanted = ours?.content["is_direct"] === true || settings.groups.allow.includes(roomId);
  if (!isWanted) return;
  const [verb, json] = isEncrypted ? ["leave", { reason: ENCRYPTED }] : ["join", {}];
  await call({ path: `${roomPath(roomId)}/${verb}`, json, signal }, z.unknown());
}

const PLACE = /^(![^\s]{1,250}?)(?::thread:(\$[^\s]{1,250}))?$/;

type Leaving = { conversation: string; out: Out; sending: Sending };

async function send({ call, rooms }: Parts, { conversation, out, sending }: Leaving): Promise<Sent> {
  const [, roomId, thread] = PLACE.exec(conversation) ?? [];
  if (roomId === undefined) throw new SendError(`${conversation} is no room of Matrix`, { retry: "never" });
  if ((await rooms.look(roomId)).encrypted)
    throw new SendError("Matrix: the room is encrypted, so nothing is written there", { retry: "never" });
  const { key, signal } = sending;
  const to = { call, signal, roomId, key };
  switch (out.kind) {
    case "text":
      return sendContent(inThread(textContent(out.body), thread), to);
    case "card": {
      const sent = await sendContent(inThread(cardContent(out.body, out.buttons), thread), to);
      await offerReactions(sent.messageId, out.buttons, to);
      return sent;
    }
    case "edit": {
      const { messageId, body, buttons } = out;
      // a server takes an edit of what is gone, and nobody sees it
      if ((await shownEvent({ roomId, eventId: messageId }, to)) === undefined)
        throw new SendError("Matrix: the message is gone", { retry: "never" });
      await sendContent(editContent(cardContent(body, buttons), messageId), to);
      return { messageId };
    }
    case "file": {
      const { name, mediaType, bytes, caption } = out.file;
      const path = `/media/v3/upload?filename=${encodeURIComponent(name)}`;
      const body = new Uint8Array(bytes);
      const { content_uri: url } = await call({ path, headers: { "content-type": mediaType }, body, signal }, Uploaded);
      const info = { mimetype: mediaType, size: bytes.byteLength };
      return sendContent(
        inThread({ ...textContent(caption), msgtype: "m.file", filename: name, url, info }, thread),
        to,
      );
    }
  }
}

type To = { call: CallMatrix; signal: AbortSignal; roomId: string; key: string };

/** The same thing under the same key is one event: the server knows it by its transaction. */
async function sendContent(content: Content, { call, signal, roomId, key }: To): Promise<Sent> {
  const { "io.holdpoint.buttons": _buttons, "m.new_content": _new, ...said } = content; // tokens are new with each try
  const txn = txnOf(`${key}\n${JSON.stringify(said)}`);
  const { event_id: messageId } = await put({ roomId, type: "m.room.message", txn }, content, { call, signal });
  return { messageId };
}

type At = { roomId: string; type: string; txn: string };

const put = ({ roomId, type, txn }: At, json: Content, { call, signal }: Pick<To, "call" | "signal">) =>
  call({ path: `${roomPath(roomId)}/send/${type}/${txn}`, method: "PUT", json, signal }, SentEvent);

const txnOf = (text: string): string => `hp${createHash("sha256").update(text).digest("hex").slice(0, 40)}`;

/** Only a help for fingers: the card says which figure means what, so one that fails takes nothing away. */
async function offerReactions(messageId: string, buttons: readonly Button[], to: To): Promise<void> {
  for (const at of buttons.keys()) {
    const relation = { rel_type: "m.annotation", event_id: messageId, key: reactionKey(at) };
    const place = { roomId: to.roomId, type: "m.reaction", txn: txnOf(`${messageId}:${at}`) };
    const isSent = await put(place, { "m.relates_to": relation }, to).then(
      () => true,
      () => false,
    );
    if (!isSent) return;
  }
}
