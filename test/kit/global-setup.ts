/**
 * Runs once before all tests. PostgreSQL and Chromium take seconds to start and few tests need them, so what starts here
 * is only a door: the first test that knocks (see `postgres.ts`, `../browser/chromium.ts`) makes the one it asks for
 * start, all others get the same one.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { type ChromiumServer, startChromium } from "./chromium-server.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** What the door answers: where to find it, or why there is none. */
type Unavailable = { unavailable: string };
export type PostgresAnswer = { url: string } | Unavailable;
export type ChromiumAnswer = { endpoint: string; pageHome: string } | Unavailable;

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface ProvidedContext {
    postgresDoor: string;
    chromiumDoor: string;
  }
}

let postgres: Promise<PostgresServer> | undefined;
let chromium: Promise<ChromiumServer> | undefined;

const door = createServer(({ url }, response) => {
  const tell = (answer: PostgresAnswer | ChromiumAnswer): void => void response.end(JSON.stringify(answer));
  answerAt(url ?? "").then(tell, (error: unknown) => tell(unavailable(error)));
});

async function answerAt(path: string): Promise<PostgresAnswer | ChromiumAnswer> {
  if (path === CHROMIUM) {
    const { endpoint, pageHome } = await (chromium ??= startChromium());
    return { endpoint, pageHome };
  }
  return { url: (await (postgres ??= startPostgres())).url };
}

const CHROMIUM = "/chromium";

const unavailable = (error: unknown): Unavailable => ({
  unavailable: error instanceof Error ? error.message : String(error),
});

export async function setup(project: TestProject): Promise<void> {
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("the door has no port");
  project.provide("postgresDoor", `http://127.0.0.1:${address.port}/`);
  project.provide("chromiumDoor", `http://127.0.0.1:${address.port}${CHROMIUM}`);
}

export async function teardown(): Promise<void> {
  door.close();
  door.closeAllConnections();
  for (const starting of [postgres, chromium]) {
    const server = await starting?.catch(() => undefined);
    if (server !== undefined) await atMost(STOP_MS_MAX, server.stop());
  }
}

/** A server that does not say goodbye must not keep the whole run from ending. */
const STOP_MS_MAX = 10_000;

/** The alarm ends with what it watches: one that is left running would hold the finished run up for its whole time. */
async function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const alarm = sleep(limitMs, undefined, { signal: over.signal });
  await Promise.race([work, alarm]).catch(() => undefined);
  over.abort();
  await alarm.catch(() => undefined);
}
