/** A file as it is attached: an image made small enough, or a text; anything else is refused with a reason. */
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import { fitImage } from "./fit-image.ts";

/** The same limits as in src/protocol/attachment.ts; the gateway checks them again. */
const FILES_MAX = 4;
const BYTES_MAX = 512 * 1_024;
const IMAGE_BYTES_MAX = BYTES_MAX / FILES_MAX;
const TEXT_CHARS_MAX = 60_000;
const NAME_CHARS_MAX = 200;

export type Attached = { id: number; name: string; size: number; bytes: string; imageType: string | undefined };

let lastId = 0;

export async function prepared(file: File): Promise<Omit<Attached, "id"> | { problem: string }> {
  const name = nameOf(file);
  if (file.type.startsWith("image/") && file.type !== "image/svg+xml") {
    const fit = await fitImage(file, IMAGE_BYTES_MAX);
    if (fit === undefined) return { problem: t("attachments.unreadable", { name: visibly(name) }) };
    return { name, size: fit.size, bytes: await base64(fit), imageType: fit.type };
  }
  if (file.size > BYTES_MAX) {
    return { problem: t("attachments.tooLarge", { name: visibly(name), max: BYTES_MAX / 1_024 }) };
  }
  const text = textOf(await file.arrayBuffer());
  if (text === undefined) return { problem: t("attachments.unreadable", { name: visibly(name) }) };
  if (text.length > TEXT_CHARS_MAX) {
    return { problem: t("attachments.textTooLong", { name: visibly(name), max: TEXT_CHARS_MAX }) };
  }
  return { name, size: file.size, bytes: await base64(file), imageType: undefined };
}

/** The list with one more, or why it is full. */
export function withOne(
  before: readonly Attached[],
  file: Omit<Attached, "id">,
): readonly Attached[] | { problem: string } {
  if (before.length >= FILES_MAX) return { problem: t("attachments.tooMany", { max: FILES_MAX }) };
  const size = before.reduce((sum, one) => sum + one.size, file.size);
  if (size > BYTES_MAX) {
    return { problem: t("attachments.tooLarge", { name: visibly(file.name), max: BYTES_MAX / 1_024 }) };
  }
  lastId = Math.max(Date.now(), lastId + 1); // larger than any that was used before a reload of this tab
  return [...before, { ...file, id: lastId }];
}

const nameOf = ({ name, type }: File): string =>
  (name.trim() === "" ? (type.split("/")[1] ?? "file") : name.trim()).slice(0, NAME_CHARS_MAX);

function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

async function base64(blob: Blob): Promise<string> {
  return new Uint8Array(await blob.arrayBuffer()).toBase64();
}
