/**
 * What a server's process has sent and nobody has read yet. The SDK's own copies and searches all of it again with every
 * piece that arrives, and goes on after a message that is too long: 20 MB held the whole gateway up for seconds.
 */
import type { deserializeMessage } from "@modelcontextprotocol/client";

const NEWLINE = 0x0a;

export type MessageBuffer = {
  append(chunk: Buffer): void;
  readMessage(): ReturnType<typeof deserializeMessage> | null;
  clear(): void;
};

type BufferParts = {
  bytesMax: number;
  parse: typeof deserializeMessage;
  /** A message is longer than that. Nothing is kept from here on. */
  onTooLong(): void;
};

export function createMessageBuffer({ bytesMax, parse, onTooLong }: BufferParts): MessageBuffer {
  let begun: Buffer[] = [];
  let bytes = 0;
  let lines: string[] = [];
  let isOver = false;

  function append(chunk: Buffer): void {
    if (isOver) return;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      lines.push(Buffer.concat([...begun, chunk.subarray(from, end)]).toString("utf8"));
      begun = [];
      bytes = 0;
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > bytesMax) tooLong();
  }

  function tooLong(): void {
    isOver = true;
    clear();
    onTooLong();
    throw new Error(`The server sent a message of more than ${bytesMax} bytes.`);
  }

  function clear(): void {
    begun = [];
    bytes = 0;
    lines = [];
  }

  return {
    append,
    readMessage() {
      for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
        try {
          return parse(line);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error; // a line that is no JSON is somebody's log
        }
      }
      return null;
    },
    clear,
  };
}
