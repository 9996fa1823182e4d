/** A file that somebody sent where files are not taken: it is named, so that they are told so. */
import type { IncomingFile } from "../port.ts";

export const untakenFile = (isSent: boolean): { files?: readonly IncomingFile[] } =>
  isSent ? { files: [{ name: "file", source: "" }] } : {};

type Sent = { files?: readonly IncomingFile[] };

/** The same, of what a vendor lists; it may leave the list out. */
export const untakenFiles = (listed: readonly unknown[] | null | undefined): Sent =>
  untakenFile((listed ?? []).length > 0);

/** Neither words nor a file. */
export const isEmptyMessage = (text: string, { files = [] }: Sent): boolean => text.trim() === "" && files.length === 0;

export const withFiles = (files: readonly IncomingFile[]): Sent => (files.length === 0 ? {} : { files });
