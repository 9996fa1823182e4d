/** An activity of the Bot Framework → what happened, in the words of the port. Undefined: nothing that concerns us. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { untakenFile } from "../wire/untaken-file.ts";
import { VERB } from "./teams-card.ts";

export const Activity = z.object({
  type: z.string(),
  name: z.string().optional(),
  id: z.string(),
  channelId: z.string(),
  serviceUrl: z.string(),
  from: z.object({ id: z.string(), name: z.string().default(""), aadObjectId: z.string().optional() }),
  recipient: z.object({ id: z.string() }),
  conversation: z.object({ id: z.string(), conversationType: z.string().optional(), tenantId: z.string().optional() }),
  channelData: z.looseObject({ tenant: z.object({ id: z.string() }).optional() }).optional(),
  text: z.string().default(""),
  entities: z.array(z.looseObject({ type: z.string() })).default([]),
  attachments: z.array(z.looseObject({ contentType: z.string().default("") })).default([]),
  replyToId: z.string().optional(),
  value: z.unknown().optional(),
});
export type Activity = z.infer<typeof Activity>;

const Mention = z.object({ type: z.literal("mention"), text: z.string(), mentioned: z.object({ id: z.string() }) });
const Execute = z.object({
  action: z.object({
    verb: z.literal(VERB),
    data: z.looseObject({ token: z.string(), field: z.string() }),
  }),
});

export const tenantOf = ({ conversation, channelData }: Activity): string | undefined =>
  channelData?.tenant?.id ?? conversation.tenantId;

export function teamsEvent(activity: Activity): VendorEvent | undefined {
  if (activity.type === "message") return messageEvent(activity);
  return activity.type === "invoke" && activity.name === "adaptiveCard/action" ? pressEvent(activity) : undefined;
}

function messageEvent(activity: Activity): VendorEvent | undefined {
  const mentions = activity.entities.flatMap((one) => Mention.safeParse(one).data ?? []);
  const ours = mentions.filter(({ mentioned }) => mentioned.id === activity.recipient.id);
  const bare = ours.reduce((text, mention) => text.replaceAll(mention.text, ""), activity.text);
  const text = readable(bare);
  // the text itself is sent along as HTML, and that is no file
  const files = untakenFile(activity.attachments.some(({ contentType }) => FILES.test(contentType)));
  if (text === "" && files.files === undefined) return undefined;
  const place = placeOf(activity);
  return {
    kind: "message",
    eventId: `message:${activity.conversation.id}:${activity.id}`,
    text,
    addressed: place.direct || ours.length > 0 || /^(?:\/|\[plan-mode\]\s)/i.test(text),
    ...files,
    ...place,
    person: personOf(activity),
  };
}

const FILES = /^(?:application\/vnd\.microsoft\.teams\.file\.|image\/|audio\/|video\/)/;

function pressEvent(activity: Activity): VendorEvent | undefined {
  const { data } = Execute.safeParse(activity.value);
  if (data === undefined || activity.replyToId === undefined) return undefined;
  const { token, field, ...inputs } = data.action.data;
  const words = inputs[field];
  const text = typeof words === "string" ? words.trim() : "";
  return {
    kind: "click",
    eventId: `invoke:${activity.conversation.id}:${activity.id}`,
    token,
    messageId: activity.replyToId,
    handle: activity.id,
    ...(text === "" ? {} : { text }),
    ...placeOf(activity),
    person: personOf(activity),
  };
}

/** A thread of a channel has an id of its own, which ends in that of its first message. */
function placeOf({
  conversation: { id, conversationType },
}: Activity): Pick<VendorEvent, "conversation" | "direct" | "group"> {
  if (conversationType === "personal") return { conversation: id, direct: true };
  return { conversation: id, direct: false, group: id.replace(/;messageid=\d+$/, "") };
}

/** Who is in no directory, for example an anonymous guest of a meeting, is nobody in particular. */
const personOf = (activity: Activity): VendorEvent["person"] => {
  const { id, name, aadObjectId } = activity.from;
  return {
    id: `${tenantOf(activity) ?? ""}:${aadObjectId ?? id}`,
    assured: aadObjectId !== undefined && tenantOf(activity) !== undefined,
    name,
  };
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&nbsp;": " ",
  "&#39;": "'",
};

const readable = (text: string): string =>
  text
    .replace(/&(?:lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll("&amp;", "&")
    .replace(/[ \u00A0]{2,}/g, " ")
    .trim();
