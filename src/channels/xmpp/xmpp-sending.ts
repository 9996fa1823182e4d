/** What was sent and is not confirmed yet: by the stream's own count, or by a ping that follows it. */
import type { Element } from "@xmpp/client";
import { SendError } from "../port.ts";
import { pause } from "../wire/pause.ts";
import { bareOf } from "./xmpp-address.ts";
import type { XmppConnection } from "./xmpp-connection.ts";
import { errorIn } from "./xmpp-event.ts";
import type { StreamEvents } from "./xmpp-stream.ts";

const CONFIRM_MS_MAX = 15_000;
const SECONDS = /(\d{1,5}) sec/i;

export type XmppSending = {
  /** Resolves when the server has taken it. */
  send(stanza: Element, connection: XmppConnection, signal: AbortSignal): Promise<void>;
  /** Whether a stanza is the server's refusal of one that is waited for. */
  refused(stanza: Element): boolean;
  /** Nothing will be confirmed any more. */
  giveUp(): void;
  events: Omit<StreamEvents, "began">;
};

type Waiting = { stanza: Element; resolve(): void; reject(error: SendError): void };

export function createSending(): XmppSending {
  const waiting = new Map<string, Waiting>();
  /** This very stanza: one that was refused before had the same id. */
  const found = (stanza: Element): Waiting | undefined => {
    const waits = waiting.get(stanza.attrs["id"] ?? "");
    return waits?.stanza === stanza ? waits : undefined;
  };

  /** Where the stream is managed its own count confirms it, on this connection or on the next. */
  async function begin(stanza: Element, connection: XmppConnection): Promise<void> {
    const isManaged = connection.isManaged();
    try {
      await connection.send(stanza);
      if (isManaged) return;
      await connection.ping();
      found(stanza)?.resolve();
    } catch {
      found(stanza)?.reject(inDoubt());
    }
  }

  return {
    async send(stanza, connection, signal) {
      const id = stanza.attrs["id"] ?? "";
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const ended = new AbortController();
      waiting.set(id, { stanza, resolve, reject });
      void pause(CONFIRM_MS_MAX, AbortSignal.any([signal, ended.signal])).then(() => reject(inDoubt()));
      try {
        void begin(stanza, connection);
        await promise;
      } finally {
        ended.abort();
        waiting.delete(id);
      }
    },
    refused(stanza) {
      const { type, from, id = "" } = stanza.attrs;
      const waits = type === "error" ? waiting.get(id) : undefined;
      const to = bareOf(waits?.stanza.attrs["to"] ?? "");
      const isTheirs = waits !== undefined && (from === undefined || bareOf(from) === to);
      if (isTheirs) waits.reject(refusal(stanza));
      return isTheirs;
    },
    giveUp() {
      for (const { reject } of waiting.values()) reject(inDoubt());
    },
    events: {
      confirmed: (stanza) => found(stanza)?.resolve(),
      lost: (stanza) => found(stanza)?.reject(inDoubt()),
      isWanted: (stanza) => stanza.name === "presence" || found(stanza) !== undefined,
    },
  };
}

const inDoubt = (): SendError => new SendError("The connection to XMPP was lost.", { retry: "later", maybeSent: true });

function refusal(stanza: Element): SendError {
  const { isWait, text } = errorIn(stanza);
  const seconds = SECONDS.exec(text)?.[1];
  const after = seconds === undefined ? {} : { afterMs: Number(seconds) * 1_000 };
  return new SendError(`XMPP: ${text}`, isWait ? { retry: "later", ...after } : { retry: "never" });
}
