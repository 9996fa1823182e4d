/**
 * Files that somebody sends along with a message, for all channels: loaded for people who are known and only then, within the
 * limits of a message, and otherwise answered with a sentence that says why not. What a file is is judged behind this.
 */
import { ATTACHMENT_BYTES_MAX, ATTACHMENTS_MAX, type SentAttachment } from "../../protocol/attachment.ts";
import { FileTooLarge, type IncomingFile, type VendorPort } from "../port.ts";
import { localized } from "../texts/localized.ts";

const LOAD_MS_MAX = 20_000;
const NAME_CHARS_MAX = 200;
const KIB = 1_024;

export type TakenFiles = { attachments: SentAttachment[] } | { why: string };

export type FileParts = { vendor: Pick<VendorPort, "loadFile">; report(error: unknown): void };

export async function takeFiles(files: readonly IncomingFile[], parts: FileParts): Promise<TakenFiles> {
  const isLoadable = (file: IncomingFile): boolean => "bytes" in file || parts.vendor.loadFile !== undefined;
  if (!files.every(isLoadable)) return { why: localized("filesNotTaken").text };
  if (files.length > ATTACHMENTS_MAX) return { why: localized("filesTooMany", { max: ATTACHMENTS_MAX }).text };
  const attachments: SentAttachment[] = [];
  let room = ATTACHMENT_BYTES_MAX;
  for (const file of files) {
    const name = nameOf(file);
    const bytes = await bytesOf(file, { ...parts, bytesMax: room });
    if (bytes === "failed") return { why: localized("fileNotLoaded", { name }).text };
    if (bytes === "too large")
      return { why: localized("fileTooLarge", { name, max: ATTACHMENT_BYTES_MAX / KIB }).text };
    room -= bytes.byteLength;
    attachments.push({ name, bytes: Buffer.from(bytes).toString("base64") });
  }
  return { attachments };
}

type Loading = FileParts & { bytesMax: number };

async function bytesOf(file: IncomingFile, loading: Loading): Promise<Uint8Array | "too large" | "failed"> {
  const { vendor, bytesMax, report } = loading;
  if ((file.size ?? 0) > bytesMax) return "too large"; // it is not even begun
  try {
    const signal = AbortSignal.timeout(LOAD_MS_MAX);
    const bytes = "bytes" in file ? file.bytes : await vendor.loadFile?.(file.source, { bytesMax, signal });
    if (bytes === undefined) return "failed";
    return bytes.byteLength > bytesMax ? "too large" : bytes;
  } catch (error) {
    if (error instanceof FileTooLarge) return "too large";
    report(error);
    return "failed";
  }
}

/** A name is only shown: without paths, control characters and halves of characters. */
function nameOf({ name }: IncomingFile): string {
  const shown = name
    .toWellFormed()
    .replace(/^.*[/\\]/s, "")
    .replace(/\p{C}/gu, "")
    .trim();
  return shown.slice(0, NAME_CHARS_MAX).replace(/[\ud800-\udbff]$/, "") || "file";
}
