/** Discord by its gateway and REST API: components, a form of its own for words, slash commands, files. */
import { z } from "zod";
import { type Checked, defineChannel, type Out, SendError, type Sending, type Sent, type VendorPort } from "../port.ts";
import { neutral } from "../render/neutral-text.ts";
import { loadBytes } from "../wire/load-bytes.ts";
import { type CallDiscord, createDiscordApi } from "./discord-api.ts";
import { discordEvent } from "./discord-event.ts";
import { discordGateway } from "./discord-gateway.ts";
import { changedMessage, COMMANDS, formResponse, newMessage } from "./discord-message.ts";

const Me = z.object({ id: z.string(), username: z.string() });
const Application = z.object({ id: z.string() });
const GatewayUrl = z.object({ url: z.string() });
const Posted = z.object({ id: z.string() });
const Anything = z.unknown();
/** An interaction can be answered for three seconds. */
const ANSWER_MS_MAX = 3_000;
const EPHEMERAL = 64;

export const discord = defineChannel("discord", ({ settings }) => createDiscord(createDiscordApi(settings), settings));

function createDiscord(call: CallDiscord, { token, apiRoot }: { token: string; apiRoot: string }): VendorPort {
  const stopping = new AbortController();
  const { signal } = stopping;
  let ended: Promise<void> | undefined;
  const respond = (handle: string, json: object): Promise<unknown> =>
    call({ path: `/interactions/${handle}/callback`, json, signal: AbortSignal.timeout(ANSWER_MS_MAX) }, Anything);
  return {
    connects: true,
    check: (checking) => check(call, checking),
    async start(io) {
      const me = await call({ path: "/users/@me", method: "GET", signal }, Me);
      const { id } = await call({ path: "/applications/@me", method: "GET", signal }, Application);
      await call({ path: `/applications/${id}/commands`, method: "PUT", json: COMMANDS, signal }, Anything);
      ({ ended } = await discordGateway({
        token,
        url: async () => (await call({ path: "/gateway/bot", method: "GET", signal }, GatewayUrl)).url,
        io,
        eventIn: (name, data) => discordEvent(name, data, { userId: me.id }),
        signal,
      }));
    },
    send: (conversation, out, sending) => send(call, { conversation, out, sending }),
    loadFile: (source, limits) =>
      loadBytes(source, { ...limits, from: ["cdn.discordapp.com", "media.discordapp.net", apiRoot] }),
    async toast(handle, text) {
      const data = { content: neutral(text, "markdown"), flags: EPHEMERAL, allowed_mentions: { parse: [] } };
      await respond(handle, { type: 4, data });
    },
    async form(wanted) {
      await respond(wanted.handle, formResponse(wanted));
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function check(call: CallDiscord, signal: AbortSignal): Promise<Checked> {
  try {
    const { username } = await call({ path: "/users/@me", method: "GET", signal }, Me);
    await call({ path: "/gateway/bot", method: "GET", signal }, GatewayUrl);
    return { ok: true, me: `@${username}` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const isToken = /401|Unauthorized/.test(problem);
    return {
      ok: false,
      problem: isToken ? "Discord does not know this token." : problem,
      fix: isToken
        ? "Reset the token in the developer portal (Bot) and copy it."
        : "Look whether this machine reaches discord.com, then try again.",
    };
  }
}

const PLACE = /^\d{1,20}$/;

type Leaving = { conversation: string; out: Out; sending: Sending };

async function send(call: CallDiscord, { conversation, out, sending: { key, signal } }: Leaving): Promise<Sent> {
  if (!PLACE.test(conversation)) throw new SendError(`${conversation} is no channel of Discord`, { retry: "never" });
  const path = `/channels/${conversation}/messages`;
  switch (out.kind) {
    case "text":
      return sentAs(await call({ path, json: newMessage({ text: out.body.text, key }), signal }, Posted));
    case "card": {
      const json = newMessage({ text: out.body.text, buttons: out.buttons, key });
      return sentAs(await call({ path, json, signal }, Posted));
    }
    case "edit": {
      const json = changedMessage(out.body.text, out.buttons);
      return sentAs(await call({ path: `${path}/${out.messageId}`, method: "PATCH", json, signal }, Posted));
    }
    case "file": {
      const { name, mediaType, bytes, caption } = out.file;
      const body = new FormData();
      const attachments = [{ id: 0, filename: name }];
      body.set("payload_json", JSON.stringify({ ...newMessage({ text: caption.text, key }), attachments }));
      body.set("files[0]", new Blob([new Uint8Array(bytes)], { type: mediaType }), name);
      return sentAs(await call({ path, body, signal }, Posted));
    }
  }
}

const sentAs = ({ id }: z.infer<typeof Posted>): Sent => ({ messageId: id });
