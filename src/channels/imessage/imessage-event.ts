/** A message of BlueBubbles → what happened. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { isCommand } from "../wire/is-command.ts";
import { isEmptyMessage, untakenFiles } from "../wire/untaken-file.ts";

export const BlueMessage = z.object({
  guid: z.string().min(1),
  text: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
  dateCreated: z.number(),
  isFromMe: z.boolean(),
  handle: z.object({ address: z.string().min(1) }).nullish(),
  chats: z.array(z.object({ guid: z.string().min(1) })).min(1),
  threadOriginatorGuid: z.string().nullish(),
});
export type BlueMessage = z.infer<typeof BlueMessage>;

/** `iMessage;-;+15551234` is a conversation of two, `iMessage;+;chat42` a group; `SMS;…` came another way and may be forged. */
const CHAT = /^([^;]+);([-+]);(.+)$/s;

export function imessageEvent(message: BlueMessage, ourName: string): VendorEvent | undefined {
  const { guid, isFromMe, handle, threadOriginatorGuid } = message;
  const place = placeOf(message);
  const said = (message.text ?? "").replaceAll("￼", "").trim();
  const files = untakenFiles(message.attachments);
  if (isFromMe || handle === undefined || handle === null || place === undefined) return undefined;
  if (isEmptyMessage(said, files)) return undefined;
  const named = nameCut(said, ourName);
  const replyTo = threadOriginatorGuid ?? undefined;
  const { isAssured, ...where } = place;
  return {
    kind: "message",
    eventId: `message:${guid}`,
    text: named ?? said,
    addressed: where.direct || isCommand(said) || [named, replyTo].some((found) => found !== undefined),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...files,
    ...where,
    person: { id: handle.address.toLowerCase(), assured: isAssured, name: "" },
  };
}

type InPlace = Pick<VendorEvent, "conversation" | "direct" | "group"> & { isAssured: boolean };

function placeOf({ chats }: BlueMessage): InPlace | undefined {
  const conversation = chats[0]?.guid ?? "";
  const [, service, sign] = CHAT.exec(conversation) ?? [];
  if (service === undefined) return undefined;
  const isAssured = service === "iMessage";
  return sign === "+"
    ? { conversation, direct: false, group: conversation, isAssured }
    : { conversation, direct: true, isAssured };
}

/** `holdpoint, please plan` → `please plan`. */
function nameCut(text: string, name: string): string | undefined {
  const start = text.replace(/^@/, "");
  if (start.slice(0, name.length).toLowerCase() !== name.toLowerCase()) return undefined;
  const rest = start.slice(name.length);
  return /^[\s,:]/.test(rest) ? rest.replace(/^[\s,:]+/, "") : undefined;
}
