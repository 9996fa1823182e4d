/** What people send along with a message: images are kept beside the session, text files become part of its words. */
import { hash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { ATTACHMENT_ARTIFACT } from "../protocol/attachment-artifact.ts";
import { ATTACHMENT_BYTES_MAX, Attachment, type SentAttachment } from "../protocol/attachment.ts";
import type { MessageId, SessionId } from "../protocol/ids.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import { type CommandOf, MESSAGE_CHARS_MAX } from "../protocol/session.ts";
import type { Store } from "../store/store.ts";
import { imageType } from "../tools/builtin/reading/image-type.ts";

type Message = { messageId: MessageId; text: string; sent: readonly SentAttachment[] };

/** The message in the form that the session accepts, or what is wrong with one of its files. */
export function messageWith({ messageId, text, sent }: Message): CommandOf<"message.send"> | Refused {
  const files = sent.map(({ name, bytes }) => ({ name, content: Buffer.from(bytes, "base64") }));
  const size = files.reduce((sum, { content }) => sum + content.length, 0);
  if (size > ATTACHMENT_BYTES_MAX) {
    return wrong(`the attachments have ${size} bytes; at most ${ATTACHMENT_BYTES_MAX} go with one message`);
  }
  const words = [text];
  const attachments: NonNullable<CommandOf<"message.send">["attachments"]> = [];
  for (const [index, { name, content }] of files.entries()) {
    const mediaType = imageType(content);
    if (mediaType !== undefined) {
      const id = `att_${hash("sha256", `${messageId}/${index}`, "base64url").slice(0, 32)}`;
      const digest = hash("sha256", content);
      attachments.push({ id, name, mediaType, size: content.length, bytes: content.toString("base64"), digest });
    } else if (isText(content)) words.push(fenced(name, content.toString("utf8")));
    else return wrong(`"${name}" is neither a text file nor a PNG, JPEG, GIF or WebP image`);
  }
  const whole = words.filter((part) => part !== "").join("\n\n") || "(see the attached)";
  if (whole.length > MESSAGE_CHARS_MAX) {
    return wrong(
      `with its text files the message has ${whole.length} characters; at most ${MESSAGE_CHARS_MAX} are taken`,
    );
  }
  return { type: "message.send", messageId, text: whole, ...(attachments.length === 0 ? {} : { attachments }) };
}

const wrong = (why: string): Refused => refuse("INVALID_REQUEST", `chat.send: ${why}.`, { path: "attachments" });
const isText = (content: Buffer): boolean => isUtf8(content) && !content.includes(0);

/** A fence longer than any in the file, so that the file cannot end it. */
function fenced(name: string, content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `Attached file ${JSON.stringify(name)}:\n${fence}\n${content.trimEnd()}\n${fence}`;
}

/** Of this session only: an id from elsewhere opens nothing. */
export async function attachmentOf(
  store: Pick<Store, "artifact">,
  sessionId: SessionId,
  id: string,
): Promise<Attachment | undefined> {
  const found = await store.artifact(ATTACHMENT_ARTIFACT, id);
  return found?.sessionId === sessionId ? Attachment.parse(found.body) : undefined;
}
