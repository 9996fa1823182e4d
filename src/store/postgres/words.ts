/**
 * Word of every commit, from the server to each gateway on it, over a connection that does nothing else.
 *
 *   open ─▶ listening: every word in order ──broken, silent──▶ a little later: connecting ──▶ missed(), and listening
 */
import { createHash, randomUUID } from "node:crypto";
import { Client } from "pg";
import { SessionId } from "../../protocol/ids.ts";
import type { Follower, Word } from "../store.ts";
import type { Teller } from "./commit-statement.ts";
import { type Limits, OPENING, SERVING } from "./connections.ts";

const TRY_AGAIN_MS = 500;
/** A connection that died without a word is found out by asking. */
const ASK_EVERY_MS = 10_000;

export type Words = { teller: Teller; follow(follower: Follower): () => void; close(): Promise<void> };

/** Listens when it resolves, so that nothing is missed from then on. */
export async function openWords({ url, schema }: { url: string; schema: string }): Promise<Words> {
  const teller = { node: randomUUID(), channel: channelOf(schema) };
  const followers = new Set<Follower>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(limits: Limits): Promise<void> {
    const mine = clientOf(url, limits);
    client = mine;
    mine.on("notification", ({ payload }) => hear(payload ?? ""));
    mine.on("error", () => again(mine));
    mine.on("end", () => again(mine));
    try {
      await mine.connect();
      await mine.query(`LISTEN "${teller.channel}"`);
      ask(mine);
    } catch (error) {
      again(mine);
      throw error;
    }
  }

  const tellOfGap = (): void => followers.forEach(({ missed }) => missed());

  function hear(payload: string): void {
    const told = toldIn(payload);
    if (told !== undefined) {
      if (told.node !== teller.node) for (const follower of followers) follower.told?.(told.text);
      return;
    }
    const word = wordIn(payload, teller.node);
    for (const follower of followers)
      if (word === undefined) follower.missed();
      else follower.hear(word);
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
    // the attempt itself sees to the next one
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
    teller,
    follow(follower) {
      followers.add(follower);
      return () => void followers.delete(follower);
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
export const TOLD = "- ";

function toldIn(payload: string): { node: string; text: string } | undefined {
  const end = payload.indexOf(" ") + 1;
  if (!payload.startsWith(TOLD, end)) return undefined;
  return { node: payload.slice(0, end - 1), text: payload.slice(end + TOLD.length) };
}

function wordIn(payload: string, node: string): Word | undefined {
  const [teller, id, version, first, last] = payload.split(" ");
  const sessionId = SessionId.safeParse(id);
  const [given, low, high] = [version, first, last].map(Number);
  if (!sessionId.success || given === undefined || low === undefined || high === undefined) return undefined;
  if (![given, low, high].every(Number.isSafeInteger)) return undefined;
  return { sessionId: sessionId.data, version: given, cursors: { first: low, last: high }, own: teller === node };
}
