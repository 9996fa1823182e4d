/**
 * Stanzas of one stream: taken one after the other, counted when what they say is stored, and only then confirmed.
 *
 *   stanza ─▶ stored ─▶ counted ─▶ noted ─▶ confirmed to the server
 *   what could not be stored ─▶ the connection is cut, and the server sends it again when the stream is resumed
 */
import { type Element, xml } from "@xmpp/client";
import { z } from "zod";
import { createLanes } from "../../lane/lane.ts";
import type { VendorEvent, VendorIo } from "../port.ts";
import type { XmppConnection } from "./xmpp-connection.ts";
import { NO_STREAM, storedAnswer, type StreamState } from "./xmpp-stream.ts";

const Note = z.object({ stream: z.string().max(4_096), handled: z.int().nonnegative() });
/** Stanzas that say nothing new are noted by the way, and at the latest after so many. */
const UNNOTED_MAX = 20;

/** One connection, while it stands: what comes after its end does not count. */
export type Attempt = { counted: number; isOver: boolean; stream: string; connection?: XmppConnection };

export type XmppReceiving = {
  take(stanza: Element, attempt: Attempt): void;
  /** A stream began from which nothing has been counted yet. */
  began(attempt: Attempt): void;
  /** The connection stands: what was stored before is confirmed. */
  stands(attempt: Attempt, connection: XmppConnection): Promise<void>;
  idle(): Promise<void>;
};

type Parts = { io: VendorIo; stream: StreamState; read(stanza: Element): VendorEvent | undefined };

export function createReceiving({ io, stream, read }: Parts): XmppReceiving {
  const lanes = createLanes();
  const note = (handled: number): Promise<void> => io.cursor.set(JSON.stringify({ stream: stream.id, handled }));

  async function count(attempt: Attempt, isNews: boolean): Promise<void> {
    if (attempt.isOver) return;
    attempt.counted += 1;
    if (stream.id === "") return void (stream.handled = attempt.counted); // it cannot be resumed: nothing to note
    if (!isNews && attempt.counted - stream.handled < UNNOTED_MAX) return;
    await note(attempt.counted);
    if (attempt.isOver) return;
    stream.handled = attempt.counted;
    await confirm(attempt);
  }

  /** What fails here is said again with the next. */
  const confirm = async ({ connection }: Attempt): Promise<void> =>
    connection?.send(xml(...storedAnswer(stream.handled))).catch(() => undefined);

  return {
    take(stanza, attempt) {
      const event = read(stanza); // at once, because names in a room change hands
      const { stream: before } = attempt;
      void lanes.run("in", async () => {
        if (attempt.isOver) return;
        try {
          if (event !== undefined) await io.deliver(event);
          if (attempt.stream === before) await count(attempt, event !== undefined);
        } catch (error) {
          io.report(String(error));
          attempt.isOver = true;
          attempt.connection?.drop();
        }
      });
    },
    began(attempt) {
      attempt.counted = 0;
      attempt.stream = stream.id;
      void lanes.run("in", () => note(0)).catch((error: unknown) => io.report(String(error)));
    },
    async stands(attempt, connection) {
      attempt.connection = connection;
      if (attempt.isOver) connection.drop();
      if (connection.isResumed) await confirm(attempt);
    },
    idle: () => lanes.idle(),
  };
}

/** A note that cannot be read costs a new stream, and nothing else. */
export function notedStream(noted: string | undefined): StreamState {
  try {
    const { stream, handled } = Note.parse(JSON.parse(noted ?? ""));
    return { ...NO_STREAM(), id: stream, handled };
  } catch {
    return NO_STREAM();
  }
}
