/** What Discord's gateway dispatches → what happened, in the words of the port. Undefined: nothing that concerns us. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { isEmptyMessage, withFiles } from "../wire/untaken-file.ts";
import { WORDS } from "./discord-message.ts";

export type DiscordMe = { userId: string };

const User = z.object({
  id: z.string(),
  username: z.string().default(""),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
});

const Message = z.object({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  author: User,
  content: z.string(),
  webhook_id: z.string().optional(),
  attachments: z
    .array(z.object({ filename: z.string().default("file"), size: z.number().optional(), url: z.string() }))
    .default([]),
  message_snapshots: z.array(z.object({ message: z.object({ content: z.string().default("") }) })).default([]),
  referenced_message: z.object({ id: z.string(), author: User }).nullish(),
});

const Field = z.object({ custom_id: z.string(), value: z.string().default("") });

const Interaction = z.object({
  id: z.string(),
  token: z.string(),
  type: z.number(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  context: z.number().optional(),
  member: z.object({ user: User }).optional(),
  user: User.optional(),
  message: z.object({ id: z.string() }).optional(),
  data: z.looseObject({}),
});
type Interaction = z.infer<typeof Interaction>;

const Pressed = z.object({ custom_id: z.string() });
const Filled = z.object({
  // fields stand in labels, and in rows where a form was opened by an older version of us
  components: z.array(z.object({ component: Field.optional(), components: z.array(Field).optional() })),
});
const Called = z.object({
  name: z.string(),
  options: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) })).default([]),
});

const [COMMAND, COMPONENT, FORM] = [2, 3, 5];
const BOT_DM = 1;

export function discordEvent(name: string, data: unknown, me: DiscordMe): VendorEvent | undefined {
  // what cannot be read would come again after each connection
  const message = name === "MESSAGE_CREATE" ? Message.safeParse(data).data : undefined;
  if (message !== undefined) return messageEvent(message, me);
  const interaction = name === "INTERACTION_CREATE" ? Interaction.safeParse(data).data : undefined;
  return interaction === undefined ? undefined : interactionEvent(interaction);
}

function messageEvent(message: z.infer<typeof Message>, me: DiscordMe): VendorEvent | undefined {
  const { id, author, channel_id: channel, guild_id: guild, webhook_id: webhook } = message;
  const files = message.attachments.map(({ filename: name, size, url: source }) => ({ name, size, source }));
  const forwarded = message.message_snapshots.map(({ message: { content: words } }) => words).join("\n");
  const content = forwarded === "" ? message.content : forwarded;
  if (author.bot || webhook !== undefined || isEmptyMessage(content, { files })) return undefined;
  const ours = new RegExp(`<@!?${me.userId}>`, "g");
  const text = content.replace(ours, "").replace(/ {2,}/g, " ").trim();
  const replied = message.referenced_message;
  const replyTo = replied?.author.id === me.userId ? { replyTo: replied.id } : {};
  const isCalled = ours.test(content) || "replyTo" in replyTo || /^(?:\/|\[plan-mode\]\s)/i.test(text);
  return {
    kind: "message",
    eventId: `message:${id}`,
    text,
    addressed: guild === undefined || (isCalled && forwarded === ""),
    ...replyTo,
    ...(forwarded === "" ? {} : { forwarded: true }),
    ...withFiles(files),
    ...placeOf(channel, guild === undefined),
    person: personOf(author),
  };
}

function interactionEvent(interaction: Interaction): VendorEvent | undefined {
  const { id, token: answer, type, channel_id: channel, guild_id: guild, context } = interaction;
  const user = interaction.member?.user ?? interaction.user;
  if (user === undefined || user.bot) return undefined;
  const isDirect = guild === undefined && (context ?? BOT_DM) === BOT_DM;
  const handle = `${id}/${answer}`;
  const envelope = { eventId: `interaction:${id}`, ...placeOf(channel, isDirect), person: personOf(user) };
  const text = type === COMMAND ? calledIn(interaction) : undefined;
  if (text !== undefined) return { kind: "message", text, addressed: true, handle, ...envelope };
  const click = clickIn(interaction);
  return click === undefined ? undefined : { kind: "click", ...click, handle, ...envelope };
}

function calledIn({ data }: Interaction): string | undefined {
  const { data: called } = Called.safeParse(data);
  const words = called?.options.find((one) => one.name === WORDS)?.value ?? "";
  return called === undefined ? undefined : `/${called.name} ${words}`.trim();
}

type Click = { token: string; messageId: string; text?: string };

function clickIn({ type, data, message }: Interaction): Click | undefined {
  const { data: pressed } = Pressed.safeParse(data);
  if (message === undefined || pressed === undefined) return undefined;
  const click = { token: pressed.custom_id, messageId: message.id };
  if (type === COMPONENT) return click;
  const { data: filled } = Filled.safeParse(data);
  if (type !== FORM || filled === undefined) return undefined;
  const fields = filled.components.flatMap(({ component, components: row = [] }) => [component, ...row]);
  const text = fields.find((one) => one?.custom_id === WORDS)?.value.trim() ?? "";
  return text === "" ? undefined : { ...click, text };
}

/** A thread is a channel of its own. */
const placeOf = (channel: string, isDirect: boolean): Pick<VendorEvent, "conversation" | "direct" | "group"> =>
  isDirect ? { conversation: channel, direct: true } : { conversation: channel, direct: false, group: channel };

const personOf = ({ id, username, global_name: shown }: z.infer<typeof User>): VendorEvent["person"] => ({
  id,
  assured: true,
  name: shown ?? username,
});
