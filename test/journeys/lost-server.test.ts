/** A gateway whose PostgreSQL goes away and comes back: what people are told meanwhile, and that nothing ends. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../src/gateway.ts";
import { chaosModel } from "../chaos/chaos-model.ts";
import { freshDatabase, gatewayPlace, postgresUrl } from "../kit/postgres.ts";
import { openTcpProxy, type TcpProxy } from "../kit/tcp-proxy.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";

const server = (await postgresUrl()) ?? "";

async function behindProxy(): Promise<{ client: WireClient; proxy: TcpProxy; url: string }> {
  const address = new URL(await freshDatabase(server));
  const proxy = await openTcpProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-lost-"));
  const place = await gatewayPlace(folder, address.href);
  const gateway = await startGateway({ ...place, port: 0, log: "silent", model: chaosModel() });
  if ("alreadyRunning" in gateway) throw new Error("a fresh folder cannot be taken");
  const client = await wireClient({ url: gateway.url, token: gateway.operatorToken });
  onTestFinished(async () => {
    client.close();
    proxy.restore();
    await gateway.stop();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { client, proxy, url: gateway.url };
}

const AWAY = { ok: false, error: { code: "STORE_UNAVAILABLE", retry: true } };
const create = (client: WireClient, idempotencyKey: string) =>
  client.request("sessions.create", { title: "one", idempotencyKey });

it.skipIf(server === "")(
  "[SC-04] a line that swallows everything is answered with an error to try again after, and everything goes on when it is back",
  async () => {
    const { client, proxy, url } = await behindProxy();
    const { session } = await client.must("sessions.create", {});
    proxy.swallow();
    // none of these would be answered before the line is restored, if nobody noticed that it is dead
    const asked = [
      create(client, "k1"),
      client.request("sessions.get", { sessionId: session.id }),
      client.request("sessions.list", {}),
      client.request("chat.send", { sessionId: session.id, text: "please" }),
    ];
    for (const answer of await Promise.all<unknown>(asked)) expect(answer).toMatchObject(AWAY);
    const { status } = await fetch(`${url}/readyz`);
    expect(status).toBe(503);
    proxy.restore();
    await expect.poll(() => create(client, "k1")).toMatchObject({ ok: true });
    expect(await client.request("sessions.get", { sessionId: session.id })).toMatchObject({ ok: true });
    expect((await client.must("sessions.list", {})).sessions).toHaveLength(2);
  },
);

it.skipIf(server === "")(
  "[SC-04] a create whose reply is lost is found under the same key, and no session is said to be missing",
  async () => {
    const { client, proxy } = await behindProxy();
    proxy.swallow({ toServer: false });
    expect(await create(client, "k1")).toMatchObject({
      ok: false,
      error: { ...AWAY.error, details: { outcome: "unknown" } },
    });
    proxy.restore();
    await expect.poll(() => create(client, "k1")).toMatchObject({ ok: true, payload: { session: { title: "one" } } });
    expect((await client.must("sessions.list", {})).sessions).toHaveLength(1);
  },
);
