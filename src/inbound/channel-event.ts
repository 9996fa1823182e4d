/** Checks an event of a channel where it comes in: a plugin passes it, but a vendor and a stranger wrote it. */
import { z } from "zod";
import { lazySchema } from "../protocol/lazy-schema.ts";
import type { ChannelEvent } from "../plugins/api/channel.ts";
import { ATTACHMENTS_MAX, SentAttachment } from "../protocol/attachment.ts";
import { MESSAGE_CHARS_MAX } from "../protocol/session.ts";

const ID_CHARS_MAX = 512;
const TOKEN_CHARS_MAX = 128;
const NAME_CHARS_MAX = 256;
const DETAIL_CHARS_MAX = 500;

/** Half a surrogate pair would be stored as another character, and what is kept must be what was sent. */
const text = (charsMax: number) =>
  z
    .string()
    .max(charsMax)
    .refine((value) => value.isWellFormed(), "expected whole characters");
const id = text(ID_CHARS_MAX);

const envelope = {
  account: id,
  conversation: id,
  eventId: id.min(1),
  person: z.strictObject({ id, assured: z.boolean(), name: text(NAME_CHARS_MAX).exactOptional() }),
  direct: z.boolean().exactOptional(),
};

/** Who sent an event, which is read even where the rest of it cannot be. */
export const EventSender = lazySchema(() => z.object({ account: envelope.account, person: envelope.person }));

export const ChannelEventShape: z.ZodType<ChannelEvent> = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z
      .strictObject({
        ...envelope,
        kind: z.literal("message"),
        text: text(MESSAGE_CHARS_MAX).trim(),
        attachments: z.array(SentAttachment).max(ATTACHMENTS_MAX).exactOptional(),
      })
      .refine(({ text: said, attachments = [] }) => said !== "" || attachments.length > 0, {
        path: ["text"],
        message: "expected words, or an attachment",
      }),
    z.strictObject({
      ...envelope,
      kind: z.literal("click"),
      token: text(TOKEN_CHARS_MAX),
      messageId: id.min(1),
      text: text(MESSAGE_CHARS_MAX).trim().exactOptional(),
    }),
    z.strictObject({
      ...envelope,
      kind: z.literal("receipt"),
      messageId: id.min(1),
      state: z.enum(["delivered", "read", "failed"]),
      detail: text(DETAIL_CHARS_MAX).exactOptional(),
    }),
  ]),
);
