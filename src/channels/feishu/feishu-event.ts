/** An event of Feishu → what happened, in the words of the port. Undefined: nothing that concerns us. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { untakenFile } from "../wire/untaken-file.ts";
import { WORDS } from "./feishu-card.ts";

export type FeishuMe = { openId: string };

const Envelope = z.object({
  header: z.object({ event_id: z.string(), event_type: z.string(), tenant_key: z.string().default("") }),
  event: z.unknown(),
});

const Mention = z.object({ key: z.string(), id: z.object({ open_id: z.string().default("") }) });
const MessageEvent = z.object({
  sender: z.object({ sender_id: z.object({ open_id: z.string() }), sender_type: z.string() }),
  message: z.object({
    message_id: z.string(),
    root_id: z.string().default(""),
    thread_id: z.string().default(""),
    chat_id: z.string(),
    chat_type: z.string(),
    message_type: z.string(),
    content: z.string(),
    mentions: z.array(Mention).default([]),
  }),
});
const Content = z.object({ text: z.string() });
const PressEvent = z.object({
  operator: z.object({ open_id: z.string() }),
  action: z.object({
    value: z.object({ token: z.string(), conversation: z.string() }),
    form_value: z.record(z.string(), z.unknown()).optional(),
  }),
  context: z.object({ open_message_id: z.string(), open_chat_id: z.string() }),
});

export type Reading = { me: FeishuMe; isDirect(chatId: string): Promise<boolean> };

export async function feishuEvent(payload: unknown, reading: Reading): Promise<VendorEvent | undefined> {
  const { data } = Envelope.safeParse(payload);
  if (data?.header.event_type === "im.message.receive_v1") return messageEvent(data, reading.me);
  return data?.header.event_type === "card.action.trigger" ? pressEvent(data, reading) : undefined;
}

function messageEvent({ header, event }: z.infer<typeof Envelope>, me: FeishuMe): VendorEvent | undefined {
  const { data } = MessageEvent.safeParse(event);
  if (data === undefined || data.sender.sender_type !== "user") return undefined;
  const files = untakenFile(FILES.test(data.message.message_type));
  if (data.message.message_type !== "text" && files.files === undefined) return undefined;
  const { message_id: id, chat_id: chat, chat_type: type, root_id: root, thread_id: thread, mentions } = data.message;
  const ours = mentions.filter((one) => one.id.open_id === me.openId);
  const text = ours.reduce((words, { key }) => words.replaceAll(key, ""), textIn(data.message.content)).trim();
  if (text === "" && files.files === undefined) return undefined;
  const direct = type === "p2p";
  return {
    kind: "message",
    eventId: `message:${id}`,
    text,
    addressed: direct || ours.length > 0 || /^(?:\/|\[plan-mode\]\s)/i.test(text),
    ...files,
    conversation: thread === "" || root === "" ? chat : `${chat}:${root}`,
    direct,
    ...(direct ? {} : { group: chat }),
    person: personOf(header.tenant_key, data.sender.sender_id.open_id),
  };
}

const FILES = /^(?:image|file|audio|media|sticker)$/;

function textIn(content: string): string {
  try {
    return Content.parse(JSON.parse(content)).text;
  } catch {
    return "";
  }
}

/** What is written in the card's own form comes with the press. */
async function pressEvent(
  { header, event }: z.infer<typeof Envelope>,
  reading: Reading,
): Promise<VendorEvent | undefined> {
  const { data } = PressEvent.safeParse(event);
  if (data === undefined) return undefined;
  const { open_message_id: messageId, open_chat_id: chat } = data.context;
  const { token, conversation } = data.action.value;
  if (conversation.split(":")[0] !== chat) return undefined; // a card that was passed on elsewhere
  const words = data.action.form_value?.[WORDS];
  const text = typeof words === "string" ? words.trim() : "";
  const direct = await reading.isDirect(chat);
  return {
    kind: "click",
    eventId: `press:${header.event_id}`,
    token,
    messageId,
    handle: header.event_id,
    ...(text === "" ? {} : { text }),
    conversation,
    direct,
    ...(direct ? {} : { group: chat }),
    person: personOf(header.tenant_key, data.operator.open_id),
  };
}

/** An open_id belongs to one app; people of other tenants are other people. */
const personOf = (tenant: string, openId: string): VendorEvent["person"] => ({
  id: `${tenant}:${openId}`,
  assured: tenant !== "",
  name: openId,
});
