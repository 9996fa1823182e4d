/** Pictures as addresses that the page's policy allows. Few are kept: a long conversation must not fill the memory. */

const KEPT_MAX = 40;
const made = new Map<string, string>();

/** `key` names the picture: the same one is made once. */
export function blobUrl(key: string, bytes: string, type: string): string {
  const known = made.get(key);
  if (known !== undefined) return known;
  const url = URL.createObjectURL(new Blob([Uint8Array.fromBase64(bytes)], { type }));
  made.set(key, url);
  const [oldest] = made;
  if (made.size > KEPT_MAX && oldest !== undefined) {
    made.delete(oldest[0]);
    URL.revokeObjectURL(oldest[1]);
  }
  return url;
}

export const knownUrl = (key: string): string | undefined => made.get(key);

/** Those that the gateway keeps as images; any other is drawn anew. */
export const KEPT_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
