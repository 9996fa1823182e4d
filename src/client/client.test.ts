import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ServedGateway, serveGateway, type ServedOptions, submitPlan } from "../../test/kit/served-gateway.ts";
import { ApprovalId, SessionId } from "../protocol/ids.ts";
import { ALL_METHODS } from "../all-methods.ts";
import { KEYED_METHODS } from "./calls.ts";
import type { ClientStatus, HoldpointClient } from "./client.ts";
import { connectHoldpoint, HoldpointError } from "./index.ts";

let gateway: ServedGateway;
const clients: HoldpointClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await gateway.close();
});

const serve = async (options?: ServedOptions): Promise<ServedGateway> => (gateway = await serveGateway(options));

function connect(
  token: string,
  more: { url?: string; reconnect?: boolean; patient?: boolean; onStatus?(status: ClientStatus): void } = {},
) {
  const client = connectHoldpoint({ url: gateway.url, token, clientName: "test", surface: "cli", ...more });
  clients.push(client);
  return client;
}

/** The same state, served again on the same port, as after a restart. */
async function restart(options: ServedOptions = {}): Promise<void> {
  const { inner, port } = gateway;
  await gateway.close();
  await serve({ store: inner, port, ...options });
}

describe("the client", () => {
  it("[IG-05, GW-09] calls methods by name with their types; its surface is settled by its token, whatever it says", async () => {
    await serve();
    const client = connect(await gateway.token());
    expect((await client.ready()).protocol).toBe(1);
    const { session } = await client.call("sessions.create", { title: "Shed" });
    expect([session.title, session.surface]).toEqual(["Shed", "api"]);
    expect((await client.call("sessions.list", {})).sessions).toHaveLength(1);
  });

  it("[IG-05] throws one kind of error: a code, a sentence, details", async () => {
    await serve();
    const client = connect(await gateway.token(["operator.read"]));
    const error = await client.call("sessions.create", {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HoldpointError);
    expect(error).toMatchObject({
      name: "HoldpointError",
      code: "FORBIDDEN",
      retry: false,
      details: { scope: "operator.write" },
    });
  });

  it("[GW-03] gives up at once on a wrong token, and where nobody listens", async () => {
    await serve();
    const wrong = connect("hp_wrong");
    await expect(wrong.ready()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(wrong.call("health", {})).rejects.toMatchObject({ code: expect.any(String) as string });
    expect(wrong.status()).toBe("closed");
    const { port } = gateway;
    await gateway.close();
    const lonely = connect("hp_any", { url: `http://127.0.0.1:${port}` });
    await expect(lonely.ready()).rejects.toMatchObject({ code: "UNREACHABLE", retry: true });
    await serve();
  });

  it("waits for a gateway that is not there yet, if it is told to be patient", async () => {
    await serve();
    const { inner, port } = gateway;
    const token = await gateway.token();
    await gateway.close();
    const statuses: ClientStatus[] = [];
    const client = connect(token, {
      url: `http://127.0.0.1:${port}`,
      patient: true,
      onStatus: (status) => void statuses.push(status),
    });
    await expect.poll(() => statuses).toContain("waiting");
    await serve({ store: inner, port });
    expect((await client.ready()).protocol).toBe(1);
  });

  it("[GW-01] comes back after a restart and hears what it missed, each event once", async () => {
    await serve();
    const statuses: ClientStatus[] = [];
    const client = connect(await gateway.token(), { onStatus: (status) => void statuses.push(status) });
    const { session } = await client.call("sessions.create", {});
    const heard: [string, number | undefined][] = [];
    client.on("*", ({ event, cursor }) => void (cursor !== undefined && heard.push([event, cursor])));
    await client.subscribe(session.id);
    const approvalId = await submitPlan(gateway, session.id);
    await restart();
    await gateway.engine.dispatch(
      session.id,
      { type: "session.rename", title: "while you were away" },
      { actor: { kind: "system", reason: "test" } },
    );
    await client.call("sessions.patch", {
      sessionId: session.id,
      planApproval: { action: "approve", approvalId: ApprovalId.parse(approvalId) },
    });
    await expect.poll(() => heard.map(([event]) => event)).toContain("plan.approved");
    const stored = await gateway.store.events({ cursor: 0, sessionId: session.id, limit: 500 });
    const cursors = heard.map(([, cursor]) => cursor);
    expect(cursors).toEqual([...new Set(cursors)]);
    expect(heard.map(([event]) => event)).toContain("session.renamed");
    expect(cursors.every((cursor) => stored.some((event) => event.cursor === cursor))).toBe(true);
    expect(statuses).toEqual(["open", "waiting", "connecting", "open"]);
  });

  it("[I13] repeats a keyed request after a lost connection, and it happens once", async () => {
    await serve();
    const token = await gateway.token();
    const client = connect(token);
    const { session } = await client.call("sessions.create", {});
    const release = gateway.store.holdNext("commit"); // done, but its answer does not arrive
    const renaming = client.call("sessions.patch", { sessionId: session.id, title: "Barn" });
    await expect.poll(async () => (await gateway.inner.session(session.id))?.session.title).toBe("Barn");
    const { inner, port } = gateway;
    const closing = gateway.close();
    await closing;
    await serve({ store: inner, port });
    const { session: renamed } = await renaming;
    release();
    expect(renamed?.title).toBe("Barn");
    const events = await gateway.store.events({ cursor: 0, sessionId: session.id, limit: 500 });
    expect(events.filter(({ event }) => event.type === "session.renamed")).toHaveLength(1);
  });

  it("does not repeat a change that carries no key: it says that nobody knows", async () => {
    await serve({ methods: { "tokens.create": () => new Promise(() => undefined) } });
    const client = connect(await gateway.token());
    await client.ready();
    const making = client.call("tokens.create", { name: "bob", scopes: ["operator.read"] });
    making.catch(() => undefined);
    await client.call("health", {});
    await restart();
    await expect(making).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    expect((await client.call("health", {})).ready).toBe(true);
  });

  it("ends for good when its token is revoked", async () => {
    await serve();
    const secret = await gateway.token(["operator.read"], "bob");
    const client = connect(secret);
    await client.ready();
    const [token] = await gateway.tokens.list();
    if (token !== undefined) await gateway.tokens.revoke(token.id, "test");
    await expect.poll(() => client.status()).toBe("closed");
    await expect(client.call("health", {})).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("tells whoever follows a session when too much was missed to be sent again", async () => {
    await serve();
    const client = connect(await gateway.token());
    const { session } = await client.call("sessions.create", {});
    let missed = 0;
    const result = await client.subscribe(session.id, { afterCursor: 1_000_000, onMissed: () => void (missed += 1) });
    expect([result.resumed, missed]).toEqual([false, 1]);
    const titles: string[] = [];
    const stop = client.on("session.renamed", ({ payload }) => void titles.push(payload.title));
    await client.call("sessions.patch", { sessionId: session.id, title: "heard" });
    stop();
    await client.call("sessions.patch", { sessionId: session.id, title: "not heard" });
    await client.unsubscribe(session.id);
    expect(titles).toEqual(["heard"]);
  });

  it("lets an unanswered call go after its time, and fails what is open when it is closed", async () => {
    await serve({ methods: { "commands.list": () => new Promise(() => undefined) } });
    const client = connect(await gateway.token());
    await expect(client.call("commands.list", {}, { timeoutMs: 1 })).rejects.toMatchObject({ code: "TIMED_OUT" });
    const open = client.call("commands.list", {});
    open.catch(() => undefined);
    await client.call("health", {});
    client.close();
    await expect(open).rejects.toMatchObject({ code: "CLOSED" });
    await expect(client.call("health", {})).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("[I13] gives a key to every request that takes one", async () => {
    const takesKey = ([, { params }]: [string, { params: z.ZodType }]): boolean =>
      JSON.stringify(z.toJSONSchema(params)).includes("idempotencyKey");
    const names = Object.entries(ALL_METHODS)
      .filter(takesKey)
      .map(([name]) => name);
    expect(Object.keys(KEYED_METHODS).toSorted()).toEqual(names.toSorted());
    const sent: object[] = [];
    await serve({ methods: { "chat.abort": async (params) => (sent.push(params), {}) } });
    const client = connect(await gateway.token());
    const sessionId = SessionId.parse("ses_1");
    await client.call("chat.abort", { sessionId });
    await client.call("chat.abort", { sessionId, idempotencyKey: "mine" });
    expect(sent).toEqual([
      { sessionId, idempotencyKey: expect.stringMatching(/^[\da-f-]{36}$/) as string },
      { sessionId, idempotencyKey: "mine" },
    ]);
  });
});
