/** What Slack sends → what happened, in the words of the port. Undefined: nothing that concerns us. */
import { z } from "zod";
import type { IncomingFile, VendorEvent } from "../port.ts";
import { FORM, WORDS } from "./slack-blocks.ts";

export type SlackMe = { userId: string };

const MessageEvent = z.object({
  type: z.enum(["message", "app_mention"]),
  subtype: z.string().optional(),
  channel: z.string(),
  channel_type: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  team: z.string().optional(),
  user_team: z.string().optional(),
  text: z.string().default(""),
  ts: z.string(),
  thread_ts: z.string().optional(),
  files: z
    .array(
      z.object({
        name: z.string().nullish(),
        size: z.number().optional(),
        url_private_download: z.string().optional(),
        url_private: z.string().optional(),
      }),
    )
    .optional(),
});
type MessageEvent = z.infer<typeof MessageEvent>;

const EventsPayload = z.object({ type: z.literal("event_callback"), team_id: z.string(), event: z.unknown() });

export const Handle = z.object({ trigger: z.string(), url: z.string(), conversation: z.string() });
export type Handle = z.infer<typeof Handle>;

const Who = z.object({
  id: z.string(),
  team_id: z.string(),
  name: z.string().optional(),
  username: z.string().optional(),
});

const BlockActions = z.object({
  type: z.literal("block_actions"),
  user: Who,
  container: z.object({ channel_id: z.string(), message_ts: z.string(), thread_ts: z.string().optional() }),
  trigger_id: z.string(),
  response_url: z.string().default(""),
  actions: z.array(z.object({ type: z.string(), value: z.string().optional(), action_ts: z.string() })).min(1),
});

/** What a form belongs to, kept by Slack while it is open. */
const FormAbout = z.object({ token: z.string(), messageId: z.string(), conversation: z.string() });

const ViewSubmission = z.object({
  type: z.literal("view_submission"),
  user: Who,
  view: z.object({
    id: z.string(),
    callback_id: z.literal(FORM),
    private_metadata: z.string(),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) }),
  }),
});

const SlashCommand = z.object({
  command: z.string().startsWith("/"),
  text: z.string().default(""),
  team_id: z.string(),
  user_id: z.string(),
  user_name: z.string().default(""),
  channel_id: z.string(),
  trigger_id: z.string(),
  response_url: z.string(),
});

/** `payload` of the Events API. */
export function messageEvent(payload: unknown, me: SlackMe): VendorEvent | undefined {
  const { data } = EventsPayload.safeParse(payload);
  const { data: event } = MessageEvent.safeParse(data?.event);
  if (data === undefined || event === undefined || event.user === undefined || !isWritten(event, me)) return undefined;
  const place = placeOf(event.channel, event.thread_ts);
  const named = event.text.includes(`<@${me.userId}>`);
  const text = readable(event.text.replaceAll(`<@${me.userId}>`, ""))
    .replace(/ {2,}/g, " ")
    .trim();
  return {
    kind: "message",
    eventId: `message:${event.channel}:${event.ts}`, // a mention is sent twice, as a message and as a mention
    text,
    addressed: place.direct || named || /^(?:\/|\[plan-mode\]\s)/i.test(text),
    ...(event.files === undefined || event.files.length === 0 ? {} : { files: event.files.map(fileOf) }),
    ...place,
    person: personOf({ id: event.user, team_id: event.user_team ?? event.team ?? data.team_id }),
  };
}

type SlackFile = NonNullable<MessageEvent["files"]>[number];

const fileOf = ({ name, size, url_private_download: download, url_private: shown }: SlackFile): IncomingFile => ({
  name: name ?? "file",
  size,
  source: download ?? shown ?? "",
});

/** By a person: no edit, no notice of somebody's joining, nothing by a bot. */
const isWritten = ({ subtype, bot_id: bot, user }: MessageEvent, me: SlackMe): boolean =>
  (subtype === undefined || subtype === "thread_broadcast" || subtype === "file_share") &&
  bot === undefined &&
  user !== me.userId;

/** `payload` of interactivity: a press, or a form that was filled in. */
export function interactionEvent(payload: unknown): VendorEvent | undefined {
  const { data: press } = BlockActions.safeParse(payload);
  if (press !== undefined) return pressEvent(press);
  const { data: form } = ViewSubmission.safeParse(payload);
  return form === undefined ? undefined : formEvent(form);
}

function pressEvent({
  user,
  container,
  actions,
  trigger_id: trigger,
  response_url: url,
}: z.infer<typeof BlockActions>) {
  const { channel_id: channel, message_ts: messageId, thread_ts: thread } = container;
  const [action] = actions;
  if (action?.value === undefined) return undefined;
  const place = placeOf(channel, thread === messageId ? undefined : thread);
  const handle: Handle = { trigger, url, conversation: place.conversation };
  return {
    kind: "click" as const,
    eventId: `click:${channel}:${messageId}:${user.id}:${action.action_ts}`,
    token: action.value,
    messageId,
    handle: JSON.stringify(handle),
    ...place,
    person: personOf(user),
  };
}

function formEvent({ user, view }: z.infer<typeof ViewSubmission>): VendorEvent | undefined {
  const about = FormAbout.safeParse(parsed(view.private_metadata));
  const text = view.state.values[WORDS]?.[WORDS]?.value?.trim() ?? "";
  if (!about.success || text === "") return undefined;
  const { token, messageId, conversation } = about.data;
  const [channel = "", thread] = conversation.split(":");
  const place = placeOf(channel, thread);
  return { kind: "click", eventId: `form:${view.id}`, token, messageId, text, ...place, person: personOf(user) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `/plan status`, as a command that the app has registered. */
export function commandEvent(payload: unknown): VendorEvent | undefined {
  const { data } = SlashCommand.safeParse(payload);
  if (data === undefined) return undefined;
  const place = placeOf(data.channel_id, undefined);
  const handle: Handle = { trigger: data.trigger_id, url: data.response_url, conversation: place.conversation };
  return {
    kind: "message",
    eventId: `command:${data.trigger_id}`,
    text: `${data.command} ${readable(data.text)}`.trim(),
    addressed: true,
    handle: JSON.stringify(handle),
    ...place,
    person: personOf({ id: data.user_id, team_id: data.team_id, name: data.user_name }),
  };
}

type InPlace = Pick<VendorEvent, "conversation" | "direct" | "group">;

/** `C012` or `C012:1700000000.000100`: a thread is a conversation of its own. Conversations of two people begin with D. */
function placeOf(channel: string, thread: string | undefined): InPlace {
  const conversation = thread === undefined ? channel : `${channel}:${thread}`;
  return channel.startsWith("D") ? { conversation, direct: true } : { conversation, direct: false, group: channel };
}

/** User ids are unique in a workspace only. */
const personOf = ({ id, team_id: team, name, username }: z.infer<typeof Who>): VendorEvent["person"] => ({
  id: `${team}:${id}`,
  assured: true,
  name: name ?? username ?? id,
});

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** As it was typed: links by their address, mentions by their id, three escapes undone. */
const readable = (text: string): string =>
  text
    .replace(/<((?:https?|mailto):[^|>]+)(?:\|[^>]*)?>/g, "$1")
    .replace(/<([@#!][^|>]+)(?:\|[^>]*)?>/g, "$1")
    .replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
