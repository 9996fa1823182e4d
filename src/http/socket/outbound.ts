/**
 * What goes out on one connection: answers, and events counted without gaps. Frames of one turn of the event loop leave
 * in one write. A client that does not read is disconnected, not waited for; it resumes from its last cursor.
 */
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Json } from "../../protocol/json.ts";
import { carriesParts, keptPieces } from "../../protocol/kept-text.ts";
import { textBytes } from "../../protocol/text-bytes.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import type { FeedNotice } from "../feed.ts";

/** More than the largest replay, so that a client that does read is never disconnected because it was away. */
export const BUFFERED_BYTES_MAX = 16 * 1_048_576;
/** How long a slow client may take to read why it is disconnected. */
const SLOW_CLOSE_MS = 2_000;

export type Outbound = {
  answer(id: string, payload: unknown): void;
  refuse(id: string | null, refusal: Refusal): void;
  event(event: FeedNotice): void;
  close(code: number, reason: string): void;
};

export function createOutbound(socket: WebSocket, stream: Duplex): Outbound {
  let seq = 0;
  let lastCursor = 0;
  let corked = false;
  let closing = false;

  /** Bytes are a text too, and leave as one. */
  function write(text: string | Buffer): void {
    if (closing || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > BUFFERED_BYTES_MAX) return letGo();
    if (!corked) {
      corked = true;
      stream.cork();
      setImmediate(uncork);
    }
    socket.send(text, { binary: false });
  }

  function uncork(): void {
    corked = false;
    stream.uncork();
  }

  function letGo(): void {
    close(1013, `too slow; cursor=${lastCursor}`);
    setTimeout(() => socket.terminate(), SLOW_CLOSE_MS).unref();
  }

  function close(code: number, reason: string): void {
    closing = true;
    socket.close(code, reason);
  }

  return {
    answer(id, payload) {
      const opening = `{"type":"res","id":${JSON.stringify(id)},"ok":true`;
      if (carriesParts(payload)) return write(textBytes([`${opening},"payload":`, ...keptPieces(payload), "}"]));
      write(`${opening}${payloadPart(payload)}}`);
    },
    refuse: (id, error) => write(JSON.stringify({ type: "res", id, ok: false, error })),
    event(sent) {
      const { event, cursor, payloadPieces } = sent;
      seq += 1;
      lastCursor = Math.max(lastCursor, cursor ?? 0);
      const place = cursor === undefined ? `${seq}` : `${seq},"cursor":${cursor}`;
      const opening = `{"type":"event","event":${JSON.stringify(event)},"seq":${place},"payload":`;
      write(
        payloadPieces === undefined ? `${opening}${sent.payloadText}}` : textBytes([opening, ...payloadPieces, "}"]),
      );
    },
    close,
  };
}

/** JSON has no word for an answer that says nothing: then there is no payload. */
function payloadPart(payload: unknown): string {
  const text: string | undefined = JSON.stringify(payload);
  return text === undefined ? "" : `,"payload":${text}`;
}

export const eventOf = (event: string, payload: Json): FeedNotice => ({
  event,
  payloadText: JSON.stringify(payload),
});
