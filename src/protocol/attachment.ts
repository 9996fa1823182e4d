/** Files that people send along with a message: images are kept beside the session, text becomes part of the message. */
import { z } from "zod";
import { lazySchema } from "./lazy-schema.ts";

export const ATTACHMENTS_MAX = 4;
/** Of one message, all together; a frame carries it as base64. */
export const ATTACHMENT_BYTES_MAX = 512 * 1_024;
const NAME_CHARS_MAX = 200;
const BASE64_CHARS_MAX = Math.ceil(ATTACHMENT_BYTES_MAX / 3) * 4;

const name = z.string().trim().min(1).max(NAME_CHARS_MAX);
const bytes = z.base64().max(BASE64_CHARS_MAX);

/** What it is is found out from its bytes: a name proves nothing. */
export const SentAttachment = lazySchema(() => z.strictObject({ name, bytes }));
export type SentAttachment = z.infer<typeof SentAttachment>;

export const AttachmentRef = z.strictObject({
  id: z.string().regex(/^att_[A-Za-z0-9_-]{1,64}$/),
  name,
  mediaType: z.string().max(64),
  size: z.int().nonnegative(),
});
export type AttachmentRef = z.infer<typeof AttachmentRef>;

/** The file itself, as it is kept. */
export const Attachment = AttachmentRef.extend({ bytes });
export type Attachment = z.infer<typeof Attachment>;

export const NewAttachment = Attachment.extend({ digest: z.string() });
