/** Loads what somebody sent from a vendor's server, no more of it than is taken, and from no other server than the vendor's. */
import { FileTooLarge, type FileLimits } from "../port.ts";

export type LoadRequest = FileLimits & {
  headers?: Record<string, string>;
  /** Hosts, with their sub-domains, or whole origins such as that of a configured server. */
  from: readonly string[];
};

export async function loadBytes(
  address: string,
  { headers = {}, from, bytesMax, signal }: LoadRequest,
): Promise<Uint8Array> {
  const url = new URL(address);
  if (!from.some((known) => isFrom(url, known))) throw new Error(`a file at ${url.host} is not the vendor's`);
  const answer = await fetch(url, { headers, redirect: "error", signal });
  if (!answer.ok || answer.body === null) throw new Error(`a file was answered with ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new FileTooLarge(`more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A host is only ever asked by https; an origin is what an operator has configured. */
function isFrom(url: URL, known: string): boolean {
  if (known.includes("://")) return url.origin === new URL(known).origin;
  return url.protocol === "https:" && (url.hostname === known || url.hostname.endsWith(`.${known}`));
}
