/**
 * Runs once before all tests. PostgreSQL takes seconds to start and few tests need it, so what starts here is only a
 * door: the first test that knocks (see `postgres.ts`) makes the server start, all others get the same one.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** What the door answers. */
export type PostgresAnswer = { url: string } | { unavailable: string };

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface ProvidedContext {
    postgresDoor: string;
  }
}

let starting: Promise<PostgresServer> | undefined;

const door = createServer((_request, response) => {
  starting ??= startPostgres();
  const tell = (answer: PostgresAnswer): void => void response.end(JSON.stringify(answer));
  starting.then(
    ({ url }) => tell({ url }),
    (error: unknown) => tell(unavailable(error)),
  );
});

const unavailable = (error: unknown): PostgresAnswer => ({
  unavailable: error instanceof Error ? error.message : String(error),
});

export async function setup(project: TestProject): Promise<void> {
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("the door has no port");
  project.provide("postgresDoor", `http://127.0.0.1:${address.port}/`);
}

export async function teardown(): Promise<void> {
  door.close();
  door.closeAllConnections();
  const server = await starting?.catch(() => undefined);
  await server?.stop();
}
