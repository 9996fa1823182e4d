/** A file that somebody sent where files are not taken: it is named, so that they are told so. */
import type { IncomingFile } from "../port.ts";

export const untakenFile = (isSent: boolean): { files?: readonly IncomingFile[] } =>
  isSent ? { files: [{ name: "file", source: "" }] } : {};
