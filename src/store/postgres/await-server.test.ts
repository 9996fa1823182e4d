import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshSchema, postgresUrl } from "../../../test/kit/postgres.ts";
import { openTcpProxy } from "../../../test/kit/tcp-proxy.ts";
import { ConnectionError } from "./connections.ts";
import { openPostgresStore } from "./postgres-store.ts";

const url = (await postgresUrl()) ?? "";
const ATTEMPT = { connectMsMax: 30_000 };
const LONG_MS = 120_000;

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return address === null || typeof address === "string" ? 0 : address.port;
}

describe.skipIf(url === "")("a store that is opened", () => {
  it("[SC-04] waits for a server that is not there yet, and says so once", async () => {
    const place = freshSchema(url);
    const server = new URL(url);
    const port = await unusedPort();
    const address = new URL(url);
    address.port = String(port);
    const waiting = Promise.withResolvers<string>();
    const patience = { ...ATTEMPT, waitMs: LONG_MS, onWaiting: waiting.resolve };
    const opening = openPostgresStore({ url: address.href, schema: place.schema, patience });
    expect(await waiting.promise).toContain("ECONNREFUSED");
    const proxy = await openTcpProxy({ host: server.hostname, port: Number(server.port) }, port);
    const store = await opening;
    onTestFinished(async () => {
      await store.close();
      await proxy.close();
      await place.drop();
    });
    expect((await store.health()).writable).toBe(true);
  });

  it("[SC-04] gives up when its patience is over, and says that PostgreSQL cannot be reached", async () => {
    const address = new URL(url);
    address.port = String(await unusedPort());
    const patience = { ...ATTEMPT, waitMs: 0, onWaiting: () => expect.fail("there is nothing to wait for") };
    const opening = openPostgresStore({ url: address.href, patience });
    await expect(opening).rejects.toBeInstanceOf(ConnectionError);
    await expect(opening).rejects.toThrow("PostgreSQL cannot be reached");
  });

  it("[SC-04] does not wait where waiting mends nothing: a wrong password", async () => {
    const address = new URL(url);
    address.password = "wrong";
    const patience = { ...ATTEMPT, waitMs: LONG_MS, onWaiting: () => expect.fail("it waits") };
    await expect(openPostgresStore({ url: address.href, patience })).rejects.toThrow("password");
  });
});
