/** A program of one's own: signed requests both ways, as standard-webhooks describes them. */
import { hash } from "node:crypto";
import { type Checked, defineChannel, type Out, SendError, type VendorIo, type VendorPort } from "../port.ts";
import type { WebhookSettings } from "../protocol/vendors/webhook-settings.ts";
import { isOk, refusedBy, vendorRequest } from "../wire/vendor-request.ts";
import { inboundEvent } from "./inbound-event.ts";
import { provenId, signatureHeaders } from "./signature.ts";

const TITLE = "The webhook";

export const webhook = defineChannel("webhook", ({ settings, now }) => createWebhook(settings, now));

function createWebhook(settings: WebhookSettings, now: () => number): VendorPort {
  const { url, secret, inboundSecret = secret } = settings;
  let receiving: VendorIo | undefined;

  async function post(id: string, message: object, signal: AbortSignal): Promise<void> {
    const body = new TextEncoder().encode(JSON.stringify(message));
    const headers = { "content-type": "application/json", ...signatureHeaders({ secret, id, nowMs: now(), body }) };
    const answer = await vendorRequest(url, { title: TITLE, headers, body, signal });
    if (!isOk(answer)) throw refusedBy(TITLE, answer, "");
  }

  return {
    check: (signal) => check((id, message) => post(id, message, signal), url),
    async start(io) {
      receiving = io;
    },
    async send(conversation, out, { key, signal }) {
      const id = messageIdOf(conversation, out, key);
      await post(id, { ...wireOf(out), id, conversation }, signal);
      return { messageId: out.kind === "edit" ? out.messageId : id };
    },
    async form({ handle, title, label, token, messageId }) {
      const form = { type: "form", handle, title, label, token, messageId };
      await post(`form_${hash("sha256", `${handle} ${token}`)}`, form, AbortSignal.timeout(FORM_MS_MAX));
    },
    async webhook(request) {
      const id = provenId(request, inboundSecret, now());
      if (id === undefined) return { status: 401, body: "{}" };
      const event = inboundEvent(`webhook:${id}`, request.body);
      if (event === undefined) return { status: 400, body: "{}" };
      if (receiving === undefined) return { status: 503, body: "{}" };
      await receiving.deliver(event);
      return { status: 200, body: "{}" };
    },
    async stop() {
      receiving = undefined;
    },
  };
}

const FORM_MS_MAX = 15_000;

async function check(post: (id: string, message: object) => Promise<void>, url: string): Promise<Checked> {
  try {
    await post(`ping_${hash("sha256", `${url} ${performance.now()}`).slice(0, 16)}`, { type: "ping" });
    return { ok: true, me: new URL(url).host };
  } catch (error) {
    const problem = error instanceof SendError ? error.message : String(error);
    return { ok: false, problem, fix: `Answer {"type":"ping"} at ${url} with 200 when its signature is right.` };
  }
}

/** The same for the same thing, so that the other side can tell a repetition by it; an edit is another thing than its card. */
const messageIdOf = (conversation: string, out: Out, key: string): string =>
  `msg_${hash("sha256", JSON.stringify([conversation, key, out.kind, out.kind === "edit" ? out.body.text : ""])).slice(0, 40)}`;

function wireOf(out: Out): object {
  switch (out.kind) {
    case "text":
      return { type: "text", text: out.body.text, asksReply: out.asksReply === true };
    case "card":
      return { type: "card", text: out.body.text, buttons: out.buttons };
    case "edit":
      return { type: "edit", text: out.body.text, buttons: out.buttons, messageId: out.messageId };
    case "file": {
      const { name, mediaType, bytes, caption } = out.file;
      return {
        type: "file",
        text: caption.text,
        file: { name, mediaType, base64: Buffer.from(bytes).toString("base64") },
      };
    }
  }
}
