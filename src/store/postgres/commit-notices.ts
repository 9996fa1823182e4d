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
import { type Limits, OPENING, SERVING } from "./connections.ts";

const TRY_AGAIN_MS = 500;
/** A connection that died silently is found by asking. */
const ASK_EVERY_MS = 10_000;

export type CommitNotices = {
  publisher: Publisher;
  subscribe(subscriber: CommitSubscriber): () => void;
  close(): Promise<void>;
};

/** Listens when it resolves, so that nothing is missed from then on. */
export async function openCommitNotices({ url, schema }: { url: string; schema: string }): Promise<CommitNotices> {
  const publisher = { node: randomUUID(), channel: channelOf(schema) };
  const subscribers = new Set<CommitSubscriber>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(limits: Limits): Promise<void> {
    const mine = clientOf(url, limits);
    client = mine;
    mine.on("notification", ({ payload }) => onCommit(payload ?? ""));
    mine.on("error", () => again(mine));
    mine.on("end", () => again(mine));
    try {
      await mine.connect();
      await mine.query(`LISTEN "${publisher.channel}"`);
      ask(mine);
    } catch (error) {
      again(mine);
      throw error;
    }
  }

  const tellOfGap = (): void => subscribers.forEach(({ missed }) => missed());

  function onCommit(payload: string): void {
    const onPublished = publishedIn(payload);
    if (onPublished !== undefined) {
      if (onPublished.node !== publisher.node)
        for (const subscriber of subscribers) subscriber.onPublished?.(onPublished.text);
      return;
    }
    const notice = wordIn(payload, publisher.node);
    for (const subscriber of subscribers)
      if (notice === undefined) subscriber.missed();
      else subscriber.onCommit(notice);
  }

  function ask(mine: Client): void {
    timer = setTimeout(() => {
      mine.query("SELECT 1").then(
        () => client === mine && ask(mine),
        () => again(mine),
      );
    }, ASK_EVERY_MS).unref();
  }

  /** Each of the ways in which one connection ends leads to one new one. */
  function again(broken: Client): void {
    if (client !== broken || closed) return;
    client = undefined;
    clearTimeout(timer);
    void broken.end().catch(() => undefined);
    // the attempt schedules the next one itself
    timer = setTimeout(() => void listen(SERVING).then(tellOfGap, () => undefined), TRY_AGAIN_MS).unref();
  }

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(timer);
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
    close,
  };
}

const clientOf = (url: string, { connectMsMax, replyMsMax }: Limits): Client =>
  new Client({
    connectionString: url,
    application_name: "holdpoint words",
    connectionTimeoutMillis: connectMsMax,
    query_timeout: replyMsMax,
    keepAlive: true,
  });

/** Of a length that the server does not cut, whatever the schema is called. */
export const channelOf = (schema: string): string =>
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
