/** Images that models can look at, known by their first bytes: a name proves nothing. */

/** Larger ones would not fit into a result. */
export const IMAGE_BYTES_MAX = 96 * 1_024;

type Magic = {
  mediaType: string;
  at: number;
  bytes: readonly number[];
  and?: { at: number; bytes: readonly number[] };
};

const ascii = (text: string): number[] => [...Buffer.from(text, "latin1")];

const MAGIC: readonly Magic[] = [
  { mediaType: "image/png", at: 0, bytes: [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a] },
  { mediaType: "image/jpeg", at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mediaType: "image/gif", at: 0, bytes: ascii("GIF87a") },
  { mediaType: "image/gif", at: 0, bytes: ascii("GIF89a") },
  { mediaType: "image/webp", at: 0, bytes: ascii("RIFF"), and: { at: 8, bytes: ascii("WEBP") } },
];

/** The media type, or undefined when it is none of these. */
export function imageType(head: Buffer): string | undefined {
  return MAGIC.find(({ and, ...first }) => holds(head, first) && (and === undefined || holds(head, and)))?.mediaType;
}

const holds = (head: Buffer, { at, bytes }: { at: number; bytes: readonly number[] }): boolean =>
  bytes.every((byte, index) => head[at + index] === byte);
