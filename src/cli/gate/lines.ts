/** Lines of a stream, each with its number. A line that is too long is handed on as such, and the next one is whole. */
import type { Readable } from "node:stream";

const LINE_CHARS_MAX = 1_048_576;

export type NumberedLine = { number: number; text: string; tooLong: boolean };

/** All lines that one piece of input completes, in order, so that they can be answered together. */
export async function* linesOf(input: Readable): AsyncGenerator<NumberedLine[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let number = 0;
  let isSkipping = false;
  const take = (text: string): NumberedLine => {
    number += 1;
    const tooLong = isSkipping || text.length > LINE_CHARS_MAX;
    isSkipping = false;
    return { number, text: tooLong ? "" : text.replace(/\r$/, ""), tooLong };
  };
  for await (const chunk of input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(asBytes(chunk), { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield lines.map(take);
    if (rest.length > LINE_CHARS_MAX) {
      isSkipping = true;
      rest = "";
    }
  }
  if (rest !== "" || isSkipping) yield [take(rest)];
}

function asBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new Error("the input gave something that is no text");
}
