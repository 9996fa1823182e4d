/** An update of Telegram → what happened, in the words of the port. Undefined: nothing that concerns us. */
import type { CallbackQuery, Message, MessageEntity, Update, User, UserFromGetMe } from "grammy/types";
import { ATTACHMENT_BYTES_MAX } from "../../protocol/attachment.ts";
import type { IncomingFile, VendorEvent } from "../port.ts";
import { isEmptyMessage, withFiles } from "../wire/untaken-file.ts";
import { placeName } from "./place.ts";

/** Several administrators of a group can write as this one: it is nobody in particular. */
const ANONYMOUS_ADMIN = 1_087_968_824;

type Me = Pick<UserFromGetMe, "id" | "username">;

export function updateEvent(update: Update, me: Me): VendorEvent | undefined {
  const eventId = String(update.update_id);
  if (update.callback_query !== undefined) return clickEvent(update.callback_query);
  return update.message === undefined ? undefined : messageEvent(update.message, me, eventId);
}

/** The click's own id, since a repeated update may come under another number. */
function clickEvent({ id, from, data, message }: CallbackQuery): VendorEvent | undefined {
  if (data === undefined || message === undefined || message.date === 0) return undefined;
  return {
    kind: "click",
    eventId: `click:${id}`,
    token: data,
    messageId: String(message.message_id),
    handle: id,
    ...placeIn(message),
    person: personOf(from),
  };
}

function messageEvent(message: Message, me: Me, eventId: string): VendorEvent | undefined {
  const { from } = message;
  const files = filesIn(message);
  const { text, entities } = wordsIn(message);
  if (from === undefined || from.is_bot || isEmptyMessage(text, { files })) return undefined;
  const mention = mentionIn(text, entities, me);
  const said = (mention ?? text).trim();
  const order = commandIn(said, entities);
  if (order?.bot !== undefined && !isSame(order.bot, me.username)) return undefined;
  const replyTo = replyOf(message, me);
  const place = placeIn(message);
  return {
    kind: "message",
    eventId: `message:${eventId}`,
    text: said,
    addressed: place.direct || [replyTo, order, mention].some((found) => found !== undefined),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...forwardedIn(message),
    ...withFiles(files),
    ...place,
    person: personOf(from),
  };
}

const forwardedIn = ({ forward_origin: origin }: Message): { forwarded?: true } =>
  origin === undefined ? {} : { forwarded: true };

type Words = { text: string; entities: readonly MessageEntity[] };

/** A file has its words below it. */
const wordsIn = ({ text, entities = [], caption, caption_entities: below = [] }: Message): Words =>
  text === undefined ? { text: caption ?? "", entities: below } : { text, entities };

/** Whatever it is called: what it is is judged by its bytes. */
function filesIn(message: Message): IncomingFile[] {
  const { document, photo, voice, audio, video, video_note: round, sticker } = message;
  const picture = photo?.findLast(({ file_size: size = 0 }) => size <= ATTACHMENT_BYTES_MAX) ?? photo?.at(0);
  const found: [string, { file_id: string; file_size?: number; file_name?: string } | undefined][] = [
    ["photo.jpg", picture],
    ["file", document],
    ["voice.ogg", voice],
    ["audio.mp3", audio],
    ["video.mp4", video ?? round],
    ["sticker.webp", sticker],
  ];
  return found.flatMap(([name, file]) =>
    file === undefined ? [] : [{ name: file.file_name ?? name, size: file.file_size, source: file.file_id }],
  );
}

/** The message of ours that it answers. */
const replyOf = ({ reply_to_message: replied }: Message, me: Me): string | undefined =>
  replied?.from?.id === me.id ? String(replied.message_id) : undefined;

type InPlace = Pick<VendorEvent, "conversation" | "direct" | "group">;

function placeIn(message: Pick<Message, "chat" | "message_thread_id" | "is_topic_message">): InPlace {
  const chatId = String(message.chat.id);
  const topic = message.is_topic_message === true ? message.message_thread_id : undefined;
  const conversation = placeName({ chatId, topic });
  return message.chat.type === "private"
    ? { conversation, direct: true }
    : { conversation, direct: false, group: chatId };
}

const personOf = ({ id, first_name: first, last_name: last = "" }: User): VendorEvent["person"] => ({
  id: String(id),
  assured: id !== ANONYMOUS_ADMIN,
  name: `${first} ${last}`.trim(),
});

/** `/plan@otherbot` is for another bot (CH-02), also behind a mention of ours, where Telegram marks it elsewhere. */
function commandIn(said: string, entities: readonly MessageEntity[]): { bot: string | undefined } | undefined {
  const [, bot] = /^\/\w*@(\w*)/.exec(said) ?? [];
  const isMarked = entities.some(({ type, offset }) => type === "bot_command" && offset === 0);
  return bot !== undefined || isMarked || /^\[plan-mode\]\s/i.test(said) ? { bot } : undefined;
}

/** The text without our own name in it; undefined where we are not named. */
function mentionIn(text: string, entities: readonly MessageEntity[], { username }: Me): string | undefined {
  const found = entities.find(
    ({ type, offset, length }) => type === "mention" && isSame(text.slice(offset + 1, offset + length), username),
  );
  if (found === undefined) return undefined;
  return `${text.slice(0, found.offset)}${text.slice(found.offset + found.length)}`.replace(/ {2,}/g, " ").trim();
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
