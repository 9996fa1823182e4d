/** A commit that the server carried out and whose reply was lost on the way. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshSchema, postgresUrl } from "../../../test/kit/postgres.ts";
import { aCommit, commitAll, create, renamed, sid, underKey } from "../contract/harness.ts";
import { openPostgresStore } from "./postgres-store.ts";

const url = (await postgresUrl()) ?? "";

/** A line to the server that breaks once, when the server has answered what a client sent with this text in it. */
async function losingLine(target: URL) {
  const sockets = new Set<Socket>();
  let armed: string | undefined;
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    let isDoomed = false;
    for (const socket of [near, far]) sockets.add(socket.on("error", () => undefined));
    near.on("data", (sent: Buffer) => {
      if (armed !== undefined && sent.includes(armed)) {
        isDoomed = true;
        armed = undefined;
      }
      far.write(sent);
    });
    far.on("data", (reply: Buffer) => void (isDoomed ? near.resetAndDestroy() : near.write(reply)));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the line has no port");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: address.port, loseReplyTo: (text: string) => void (armed = text) };
}

async function openedOverLine() {
  const place = freshSchema(url);
  onTestFinished(() => place.drop());
  const address = new URL(url);
  const line = await losingLine(new URL(url));
  address.port = String(line.port);
  const store = await openPostgresStore({ ...place, url: address.href });
  onTestFinished(() => store.close());
  return { store, line };
}

describe.skipIf(url === "")("a commit whose reply is lost", () => {
  it("[SC-04, I13] is read back by its key, so that whoever asked learns that it was written", async () => {
    const { store, line } = await openedOverLine();
    await commitAll(store, [create(sid("1"))]);
    const commit = aCommit(sid("1"), {
      expectedVersion: 1,
      events: [renamed("new")],
      idempotency: underKey("lost-key"),
    });
    line.loseReplyTo("lost-key");
    expect(await store.commit(commit)).toEqual({ status: "replayed", result: commit.idempotency?.result });
    expect((await store.session(sid("1")))?.version).toBe(2);
  });

  it("[SC-04, I13] is read back by its key in a group too; one without a key is of unknown outcome", async () => {
    const { store, line } = await openedOverLine();
    const keys = ["lost-key", "other-key", undefined];
    line.loseReplyTo("lost-key");
    const results = await Promise.all(
      keys.map((key, n) =>
        store.commit({ ...create(sid(n)), ...(key === undefined ? {} : { idempotency: underKey(key) }) }),
      ),
    );
    expect(results).toMatchObject([
      { status: "replayed", result: underKey("lost-key").result },
      { status: "replayed", result: underKey("other-key").result },
      { status: "failed", failure: { reason: "unreachable", outcome: "unknown" } },
    ]);
    const versions = await Promise.all(keys.map(async (_, n) => (await store.session(sid(n)))?.version));
    expect(versions).toEqual([1, 1, 1]); // the group is one transaction: where one is written, all are
  });
});
