/** An event of a Chat app → what happened, in the words of the port. Undefined: nothing that concerns us. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { untakenFile } from "../wire/untaken-file.ts";
import { FIELD, FUNCTION, TOKEN } from "./chat-card.ts";

const User = z.object({ name: z.string(), displayName: z.string().default(""), type: z.string().default("HUMAN") });
const Message = z.object({
  name: z.string(),
  text: z.string().default(""),
  argumentText: z.string().optional(),
  thread: z.object({ name: z.string() }).optional(),
  threadReply: z.boolean().default(false),
  attachment: z.array(z.unknown()).default([]),
  annotations: z.array(z.looseObject({ type: z.string() })).default([]),
});
const Space = z.object({ name: z.string(), type: z.string().optional(), spaceType: z.string().optional() });

const ChatEvent = z.object({
  type: z.string(),
  eventTime: z.string().default(""),
  space: Space,
  user: User,
  message: Message,
  action: z
    .object({
      actionMethodName: z.string(),
      parameters: z.array(z.object({ key: z.string(), value: z.string() })).default([]),
    })
    .optional(),
  common: z
    .looseObject({
      formInputs: z
        .record(z.string(), z.looseObject({ stringInputs: z.object({ value: z.array(z.string()) }).optional() }))
        .optional(),
    })
    .optional(),
});
type ChatEvent = z.infer<typeof ChatEvent>;

export function chatEvent(payload: unknown): VendorEvent | undefined {
  const { data } = ChatEvent.safeParse(payload);
  if (data === undefined || data.user.type !== "HUMAN") return undefined;
  if (data.type === "MESSAGE") return messageEvent(data);
  return data.type === "CARD_CLICKED" ? pressEvent(data) : undefined;
}

const Mention = z.object({ type: z.literal("USER_MENTION"), userMention: z.object({ user: User }) });

function messageEvent(event: ChatEvent): VendorEvent | undefined {
  const { message, user } = event;
  const isNamed = message.annotations.some((one) => Mention.safeParse(one).data?.userMention.user.type === "BOT");
  const text = (isNamed ? (message.argumentText ?? message.text) : message.text).trim();
  const files = untakenFile(message.attachment.length > 0);
  if (text === "" && files.files === undefined) return undefined;
  const place = placeOf(event);
  return {
    kind: "message",
    eventId: message.name,
    text,
    addressed: place.direct || isNamed || /^(?:\/|\[plan-mode\]\s)/i.test(text),
    ...files,
    ...place,
    person: personOf(user),
  };
}

/** Google names no press of its own: whose, on what and when is the same when it comes again. */
function pressEvent(event: ChatEvent): VendorEvent | undefined {
  const { action, message, user, eventTime, common } = event;
  const given = new Map(action?.parameters.map(({ key, value }) => [key, value]));
  const token = given.get(TOKEN);
  if (action?.actionMethodName !== FUNCTION || token === undefined || eventTime === "") return undefined;
  const text = wordsIn(common, given.get(FIELD) ?? "");
  return {
    kind: "click",
    eventId: `press:${message.name}:${user.name}:${eventTime}`,
    token,
    messageId: message.name,
    ...(text === "" ? {} : { text }),
    ...placeOf(event),
    person: personOf(user),
  };
}

const wordsIn = (common: ChatEvent["common"], field: string): string =>
  common?.formInputs?.[field]?.stringInputs?.value[0]?.trim() ?? "";

/** `spaces/A`, or `spaces/A/threads/B` for what is written in reply to something. */
function placeOf({ space, message }: ChatEvent): Pick<VendorEvent, "conversation" | "direct" | "group"> {
  const isDirect = space.spaceType === "DIRECT_MESSAGE" || space.type === "DM";
  if (isDirect) return { conversation: space.name, direct: true };
  const conversation = message.threadReply && message.thread !== undefined ? message.thread.name : space.name;
  return { conversation, direct: false, group: space.name };
}

const personOf = ({ name, displayName }: z.infer<typeof User>): VendorEvent["person"] => ({
  id: name,
  assured: true,
  name: displayName,
});
