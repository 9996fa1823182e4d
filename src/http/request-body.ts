/**
 * Reads the body of a request; undefined where it is larger than allowed, or its sender went away in the middle of it.
 */
import type { IncomingMessage } from "node:http";

export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const { headers } = request;
  const lengthText = headers["content-length"] ?? "0";
  if (headers["transfer-encoding"] === undefined && lengthText === "0") return Buffer.alloc(0);
  const read = bytesMax > 0 && Number(lengthText) <= bytesMax ? await collected(request, bytesMax) : undefined;
  if (read === undefined) request.resume(); // the answer closes the connection; until then nothing of it is kept
  return read;
}

async function collected(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const pieces: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false }); // its sender still gets an answer
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > bytesMax) return undefined;
      chunks.push(piece);
    }
    return Buffer.concat(chunks);
  } catch {
    return undefined; // the connection broke, so there is nobody to answer
  }
}
