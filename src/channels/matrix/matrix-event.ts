/** An event of a room → what happened, in the words of the port. Undefined: nothing that concerns us. */
import { z } from "zod";
import type { IncomingFile, VendorEvent } from "../port.ts";
import { withFiles } from "../wire/untaken-file.ts";
import { type CallMatrix, MatrixError } from "./matrix-api.ts";
import { tokenBehind } from "./matrix-content.ts";
import { type Rooms, roomPath } from "./matrix-rooms.ts";

export const RoomEvent = z.object({
  type: z.string(),
  event_id: z.string(),
  sender: z.string(),
  content: z.looseObject({}),
  state_key: z.string().optional(),
});
export type RoomEvent = z.infer<typeof RoomEvent>;

const Relation = z.object({
  rel_type: z.string().optional(),
  event_id: z.string().optional(),
  key: z.string().optional(),
  is_falling_back: z.boolean().optional(),
  "m.in_reply_to": z.object({ event_id: z.string() }).optional(),
});
const MessageContent = z.object({
  msgtype: z.string(),
  body: z.string(),
  filename: z.string().optional(),
  url: z.string().optional(),
  info: z.object({ size: z.number().optional() }).optional(),
  "m.relates_to": Relation.optional(),
  "m.mentions": z.object({ user_ids: z.array(z.string()).default([]) }).optional(),
});
const ReactionContent = z.object({
  "m.relates_to": Relation.extend({ rel_type: z.literal("m.annotation"), event_id: z.string(), key: z.string() }),
});
const Shown = z.object({
  sender: z.string(),
  content: z.looseObject({ "m.relates_to": Relation.optional() }),
  unsigned: z
    .looseObject({
      redacted_because: z.unknown().optional(),
      "m.relations": z
        .looseObject({ "m.replace": z.looseObject({ content: z.looseObject({}).optional() }).optional() })
        .optional(),
    })
    .optional(),
});

export type MatrixMe = { userId: string; displayName: string };
export type Reading = { call: CallMatrix; me: MatrixMe; rooms: Rooms; signal: AbortSignal };

/** An event as the server has it now; undefined where it is gone, or nothing is left of it. */
export async function shownEvent(
  at: { roomId: string; eventId: string },
  { call, signal }: Pick<Reading, "call" | "signal">,
) {
  try {
    const path = `${roomPath(at.roomId)}/event/${encodeURIComponent(at.eventId)}`;
    const found = await call({ path, method: "GET", signal }, Shown);
    return found.unsigned?.redacted_because === undefined ? found : undefined;
  } catch (error) {
    if (error instanceof MatrixError && error.errcode === "M_NOT_FOUND") return undefined;
    throw error;
  }
}

/** In a room that is not encrypted. */
export async function matrixEvent(
  roomId: string,
  event: RoomEvent,
  reading: Reading,
): Promise<VendorEvent | undefined> {
  if (event.sender === reading.me.userId) return undefined;
  if (event.type === "m.room.message") return messageEvent(roomId, event, reading);
  return event.type === "m.reaction" ? reactionEvent(roomId, event, reading) : undefined;
}

async function messageEvent(roomId: string, event: RoomEvent, reading: Reading): Promise<VendorEvent | undefined> {
  const { data } = MessageContent.safeParse(event.content);
  const relation = data?.["m.relates_to"];
  if (data === undefined || relation?.rel_type === "m.replace" || !READ.test(data.msgtype)) return undefined;
  const { direct } = await reading.rooms.look(roomId);
  const { text, named } = withoutName(withoutQuote(wordsIn(data)), reading.me);
  const isCalled = direct || named || isMentioned(data, reading.me) || COMMAND.test(text);
  const replyTo = repliedTo(relation);
  return {
    kind: "message",
    eventId: event.event_id,
    text,
    ...withFiles(filesIn(data)),
    addressed: isCalled || (replyTo !== undefined && (await isOurs(roomId, replyTo, reading))),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...placeOf(roomId, relation, direct),
    person: personOf(event.sender),
  };
}

const FILES = /^m\.(?:file|image|audio|video)$/;
type Content = z.infer<typeof MessageContent>;

const READ = /^m\.(?:text|file|image|audio|video)$/;

const filesIn = ({ msgtype, body, filename = body, url: source = "", info }: Content): IncomingFile[] =>
  FILES.test(msgtype) ? [{ name: filename, size: info?.size, source }] : [];

/** The words beside a file are its body, where a name is given besides. */
const wordsIn = ({ msgtype, body, filename = body }: Content): string =>
  FILES.test(msgtype) && filename === body ? "" : body;

const isMentioned = (content: z.infer<typeof MessageContent>, { userId }: MatrixMe): boolean =>
  content["m.mentions"]?.user_ids.includes(userId) === true;

/** In a thread each message names the one before it, for clients that know no threads: that is no reply. */
const repliedTo = (relation: z.infer<typeof Relation> | undefined): string | undefined =>
  relation?.is_falling_back === true ? undefined : relation?.["m.in_reply_to"]?.event_id;

const COMMAND = /^(?:\/|\[plan-mode\]\s)/i;

const isOurs = async (roomId: string, eventId: string, reading: Reading): Promise<boolean> =>
  (await shownEvent({ roomId, eventId }, reading))?.sender === reading.me.userId;

/** A reaction has no token: what it stands for is read from our own card, as it was last edited. */
async function reactionEvent(roomId: string, event: RoomEvent, reading: Reading): Promise<VendorEvent | undefined> {
  const { data } = ReactionContent.safeParse(event.content);
  if (data === undefined) return undefined;
  const { event_id: messageId, key } = data["m.relates_to"];
  const card = await shownEvent({ roomId, eventId: messageId }, reading);
  if (card === undefined || card.sender !== reading.me.userId) return undefined;
  const edited = card.unsigned?.["m.relations"]?.["m.replace"]?.content?.["m.new_content"];
  const token = tokenBehind(edited ?? card.content, key);
  if (token === undefined) return undefined;
  const { direct } = await reading.rooms.look(roomId);
  const place = placeOf(roomId, card.content["m.relates_to"], direct);
  return { kind: "click", eventId: event.event_id, token, messageId, ...place, person: personOf(event.sender) };
}

/** `!room:server`, with `:thread:` and the event that a thread began with. */
function placeOf(
  roomId: string,
  relation: z.infer<typeof Relation> | undefined,
  direct: boolean,
): Pick<VendorEvent, "conversation" | "direct" | "group"> {
  const thread = relation?.rel_type === "m.thread" ? relation.event_id : undefined;
  const conversation = thread === undefined ? roomId : `${roomId}:thread:${thread}`;
  return direct ? { conversation, direct: true } : { conversation, direct: false, group: roomId };
}

const personOf = (userId: string): VendorEvent["person"] => ({ id: userId, assured: true, name: userId });

/** What older clients put before an answer: the lines that it answers. */
const withoutQuote = (body: string): string => body.replace(/^> <@[^\n]*\n(?:>[^\n]*\n)*\n?/, "");

function withoutName(body: string, { userId, displayName }: MatrixMe): { text: string; named: boolean } {
  const trimmed = body.trim();
  for (const name of [userId, displayName]) {
    if (name === "" || !trimmed.toLowerCase().startsWith(name.toLowerCase())) continue;
    const rest = trimmed.slice(name.length);
    if (/^[:,\s]/.test(rest)) return { text: rest.replace(/^[:,]?\s*/, ""), named: true };
  }
  return trimmed.includes(userId)
    ? { text: trimmed.replace(userId, "").replace(/ {2,}/g, " ").trim(), named: true }
    : { text: trimmed, named: false };
}
