/**
 * Word of every commit, from the server to each gateway on it, over a connection that does nothing else.
 *
 *   open ─▶ listening: every word in order ──broken, silent──▶ a little later: connecting ──▶ missed(), and listening
 */
import { createHash, randomUUID } from "node:crypto";
import { Client } from "pg";
import { SessionId } from "../../protocol/ids.ts";
import type { CommitSubscriber, CommitNotice } from "../store.ts";
import type { Publisher } from "./commit-statement.ts";
import { isAnswer, type Limits, OPENING } from "./connections.ts";
import { type Pulse, type PulseListener, startPulse } from "./pulse.ts";

const TRY_AGAIN_MS = 500;
/** A server that is there takes a connection sooner; one that is not must not be waited for. */
const CONNECTING: Limits = { connectMsMax: 1_400, statementMsMax: 5_000, replyMsMax: 8_000 };

export type CommitNotices = {
  publisher: Publisher;
  subscribe(subscriber: CommitSubscriber): () => void;
  /** Watches from now on whether the server answers. */
  watch(listener: PulseListener): void;
  close(): Promise<void>;
};

/** Listens when it resolves, so that nothing is missed from then on. */
export async function openCommitNotices({ url, schema }: { url: string; schema: string }): Promise<CommitNotices> {
  const publisher = { node: randomUUID(), channel: channelOf(schema) };
  const subscribers = new Set<CommitSubscriber>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pulse: Pulse | undefined;
  let listener: PulseListener | undefined;
  let closed = false;

  async function listen(limits: Limits): Promise<void> {
    const mine = clientOf({ url, schema }, limits);
    client = mine;
    mine.on("notification", ({ payload = "" }) => notify(subscribers, payload, publisher.node));
    mine.on("error", () => again(mine));
    mine.on("end", () => again(mine));
    try {
      await mine.connect();
      await mine.query(`LISTEN "${publisher.channel}"`);
      beatOn(mine);
    } catch (error) {
      if (!isAnswer(error)) listener?.onSilent();
      again(mine, TRY_AGAIN_MS);
      throw error;
    }
  }

  const tellOfGap = (): void => subscribers.forEach(({ missed }) => missed());

  function beatOn(mine: Client): void {
    if (listener !== undefined && client === mine) pulse = startPulse(mine, { listener, onBroken: () => again(mine) });
  }

  /** Each of the ways in which one connection ends leads to one new one, at once after one that had worked. */
  function again(broken: Client, waitMs = 0): void {
    if (client !== broken || closed) return;
    client = undefined;
    pulse?.stop();
    clearTimeout(timer);
    void broken.end().catch(() => undefined);
    // the attempt schedules the next one itself
    timer = setTimeout(() => void listen(CONNECTING).then(connected, () => undefined), waitMs).unref();
  }

  function connected(): void {
    listener?.onAnswer();
    tellOfGap();
  }

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(timer);
    pulse?.stop();
    await client?.end().catch(() => undefined);
  }

  try {
    await listen(OPENING);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    publisher,
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    watch(given) {
      listener = given;
      if (client !== undefined) beatOn(client);
    },
    close,
  };
}

function notify(subscribers: ReadonlySet<CommitSubscriber>, payload: string, node: string): void {
  const published = publishedIn(payload);
  if (published !== undefined) {
    if (published.node !== node) for (const subscriber of subscribers) subscriber.onPublished?.(published.text);
    return;
  }
  const notice = wordIn(payload, node);
  for (const subscriber of subscribers)
    if (notice === undefined) subscriber.missed();
    else subscriber.onCommit(notice);
}

/** Of a length that the server does not cut in half. */
export const listenerName = (schema: string): string => `holdpoint words ${schema}`.slice(0, 63);

const clientOf = (at: { url: string; schema: string }, { connectMsMax, replyMsMax }: Limits): Client =>
  new Client({
    connectionString: at.url,
    application_name: listenerName(at.schema),
    connectionTimeoutMillis: connectMsMax,
    query_timeout: replyMsMax,
    keepAlive: true,
  });

/** Of a length that the server does not cut, whatever the schema is called. */
const channelOf = (schema: string): string =>
  `holdpoint_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;

/** Behind it is text; no session is called so. */
export const PUBLISHED_PREFIX = "- ";

function publishedIn(payload: string): { node: string; text: string } | undefined {
  const end = payload.indexOf(" ") + 1;
  if (!payload.startsWith(PUBLISHED_PREFIX, end)) return undefined;
  return { node: payload.slice(0, end - 1), text: payload.slice(end + PUBLISHED_PREFIX.length) };
}

function wordIn(payload: string, node: string): CommitNotice | undefined {
  const [publisher, id, version, first, last] = payload.split(" ");
  const sessionId = SessionId.safeParse(id);
  const [given, low, high] = [version, first, last].map(Number);
  if (!sessionId.success || given === undefined || low === undefined || high === undefined) return undefined;
  if (![given, low, high].every(Number.isSafeInteger)) return undefined;
  return { sessionId: sessionId.data, version: given, cursors: { first: low, last: high }, own: publisher === node };
}
