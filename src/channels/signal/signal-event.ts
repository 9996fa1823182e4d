/** An envelope of signal-cli → what happened. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { isCommand } from "../wire/is-command.ts";
import { isEmptyMessage, untakenFiles } from "../wire/untaken-file.ts";

const DataMessage = z.object({
  timestamp: z.number(),
  message: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
  groupInfo: z.object({ groupId: z.string() }).nullish(),
  quote: z.object({ id: z.number(), authorNumber: z.string().nullish() }).nullish(),
  mentions: z.array(z.object({ number: z.string().nullish(), start: z.number(), length: z.number() })).nullish(),
});
const Receipt = z.object({
  when: z.number().optional(),
  isDelivery: z.boolean().default(false),
  isRead: z.boolean().default(false),
  timestamps: z.array(z.number()),
});
const Received = z.object({
  account: z.string(),
  envelope: z.object({
    sourceUuid: z.string().min(1),
    sourceName: z.string().nullish(),
    timestamp: z.number(),
    dataMessage: DataMessage.nullish(),
    receiptMessage: Receipt.nullish(),
  }),
});

export const GROUP = "group.";

export function signalEvents(payload: unknown, account: string): VendorEvent[] {
  const { data } = Received.safeParse(payload);
  if (data === undefined || data.account !== account) return [];
  const { sourceUuid, sourceName, dataMessage, receiptMessage, timestamp } = data.envelope;
  const person = { id: sourceUuid, assured: true, name: sourceName ?? "" };
  if (dataMessage !== undefined && dataMessage !== null) return messageEvents(dataMessage, person, account);
  if (receiptMessage === undefined || receiptMessage === null) return [];
  const state = receiptMessage.isRead ? "read" : "delivered";
  return receiptMessage.timestamps.map((sent): VendorEvent => ({
    kind: "receipt",
    eventId: `receipt:${sourceUuid}:${timestamp}:${sent}`,
    messageId: String(sent),
    state,
    conversation: sourceUuid,
    direct: true,
    person,
  }));
}

type Person = VendorEvent["person"];

function messageEvents(data: z.infer<typeof DataMessage>, person: Person, account: string): VendorEvent[] {
  const { groupInfo, quote, mentions } = data;
  const [message, files] = [data.message ?? "", untakenFiles(data.attachments)];
  if (isEmptyMessage(message, files)) return [];
  const group = groupInfo?.groupId;
  const named = (mentions ?? []).find(({ number }) => number === account);
  const text = named === undefined ? message : without(message, named);
  const replyTo = quote?.authorNumber === account ? { replyTo: String(quote.id) } : {};
  return [
    {
      kind: "message",
      eventId: `message:${person.id}:${data.timestamp}`,
      text,
      addressed: group === undefined || named !== undefined || isCommand(text) || "replyTo" in replyTo,
      ...replyTo,
      ...files,
      ...placeIn(group, person),
      person,
    },
  ];
}

const placeIn = (group: string | undefined, { id }: Person): Pick<VendorEvent, "conversation" | "direct" | "group"> =>
  group === undefined ? { conversation: id, direct: true } : { conversation: `${GROUP}${group}`, direct: false, group };

const without = (text: string, { start, length }: { start: number; length: number }): string =>
  `${text.slice(0, start)}${text.slice(start + length)}`.replace(/ {2,}/g, " ").trim();
