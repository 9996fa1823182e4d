/**
 * Stream management (XEP-0198) as we need it: the library counts a stanza when it arrives, we when what it says is stored. It
 * keeps the numbers in plain fields, so ours are put in their place, and a lost stream can be resumed by another process too.
 */
import type { Client, Element } from "@xmpp/client";

const SM = "urn:xmpp:sm:3";
const SASL2 = "urn:xmpp:sasl:2";
const BIND2 = "urn:xmpp:bind:0";

/** What outlives a connection. */
export type StreamState = {
  /** The server's name of the stream; empty where there is none to resume. */
  id: string;
  /** How many stanzas of it were stored, and the store knows it. */
  handled: number;
  /** How many of ours the server has confirmed; undefined after a restart, when the server says so itself. */
  confirmed: number | undefined;
  /** Ours that it has not confirmed. */
  unconfirmed: { stanza: Element }[];
};

export const NO_STREAM = (): StreamState => ({ id: "", handled: 0, confirmed: undefined, unconfirmed: [] });

export type StreamEvents = {
  /** A stream began with which nothing is left of the one before. */
  began(): void;
  confirmed(stanza: Element): void;
  /** Nobody knows whether the server took it. */
  lost(stanza: Element): void;
  /** Whether somebody still waits for it: what was given up is not sent once more. */
  isWanted(stanza: Element): boolean;
};

export function manageStream(client: Client, state: StreamState, events: StreamEvents): void {
  const sm = client.streamManagement;
  sm.id = state.id;
  sm.outbound = state.confirmed ?? 0;
  sm.outbound_q = state.unconfirmed;
  sm.requestAckDebounce = 1;
  Object.defineProperty(sm, "inbound", {
    get: () => state.handled,
    set() {
      // the library's own count of what has arrived
    },
  });
  sm.on("ack", events.confirmed);
  sm.on("fail", events.lost);
  client.on("element", (element: Element) => {
    const enabled = enabledIn(element);
    if (enabled !== undefined) {
      // here and not when the library looks at it: what follows in the same packet belongs to the new stream
      state.id = enabled.attrs["resume"] === undefined ? "" : (enabled.attrs["id"] ?? "");
      state.handled = 0;
      events.began();
    }
    const resumed = resumedIn(element);
    if (resumed === undefined) return;
    const handled = Number(resumed.attrs["h"]);
    for (let n = state.confirmed ?? handled; n < handled; n += 1) {
      const item = sm.outbound_q.shift();
      if (item !== undefined) events.confirmed(item.stanza);
    }
    sm.outbound = handled;
    sm.outbound_q = sm.outbound_q.filter(({ stanza }) => events.isWanted(stanza));
  });
  client.on("disconnect", () => {
    state.confirmed = sm.outbound;
    state.unconfirmed = sm.outbound_q;
  });
}

const enabledIn = (element: Element): Element | undefined => {
  if (element.is("enabled", SM)) return element;
  return element.is("success", SASL2) ? element.getChild("bound", BIND2)?.getChild("enabled", SM) : undefined;
};

/** SASL 2 carries it inside of its success. */
const resumedIn = (element: Element): Element | undefined => {
  if (element.is("resumed", SM)) return element;
  return element.is("success", SASL2) ? element.getChild("resumed", SM) : undefined;
};

export const offersStream = (features: Element): boolean => features.getChild("sm", SM) !== undefined;
export const isStreamRefused = (element: Element): boolean => element.is("failed", SM);
export const storedAnswer = (handled: number): [string, Record<string, string | number>] => [
  "a",
  { xmlns: SM, h: handled },
];
