import { afterEach, describe, expect, it } from "vitest";
import { lampPlugin, lampSlice } from "../../../test/kit/lamp-plugin.ts";
import { plugin } from "../../../test/kit/plugins.ts";
import { type ServedGateway, serveGateway } from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import { NO_SECTIONS, z } from "../../plugins/sdk.ts";
import type { Scope } from "../../protocol/actor.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

/** Methods that no type of ours knows. */
const asked = async (client: WireClient, method: string, params: object) =>
  client.request(method as never, params as never) as Promise<unknown>;

async function world(scopes?: Scope[]) {
  gateway = await serveGateway({ plugins: [planModePlugin, { plugin: lampPlugin, tier: "trusted" }] });
  const alice = await gateway.client();
  const { session } = await alice.must("sessions.create", {});
  return { sessionId: session.id, alice, client: await gateway.client(scopes, "bob") };
}

describe("a method of a trusted plugin from outside", () => {
  it("[PG-02, GW-01] is answered over the wire like one of the gateway's own", async () => {
    const { client, sessionId } = await world();
    expect(await asked(client, "lamp.show", { sessionId })).toMatchObject({ ok: true, payload: { colour: "off" } });
    const switched = { sessionId, colour: "red" };
    expect(await asked(client, "lamp.switch", switched)).toMatchObject({ ok: true, payload: { colour: "red" } });
    expect(await asked(client, "lamp.show", { sessionId })).toMatchObject({ ok: true, payload: { colour: "red" } });
    const answer = await fetch(`${gateway.url}/plugins/lamp/x`);
    expect([answer.status, await answer.json()]).toEqual([200, { path: "/plugins/lamp/x" }]);
  });

  it("[GW-03] is refused without its scope, and for parameters that do not fit, in the usual words", async () => {
    const { client, sessionId } = await world(["operator.read"]);
    expect(await asked(client, "lamp.switch", { sessionId, colour: "red" })).toMatchObject({
      error: { code: "FORBIDDEN", message: "lamp.switch needs the scope operator.write; this token lacks it." },
    });
    expect(await asked(client, "lamp.show", { sessionId, colour: 1 })).toMatchObject({
      error: { code: "INVALID_REQUEST", message: 'lamp.show: params: unknown field "colour"' },
    });
    expect(await asked(client, "lamp.nothing", {})).toMatchObject({ error: { code: "UNKNOWN_METHOD" } });
  });

  it("[I05] orders no machine about that is not its plugin's own", async () => {
    const { client, sessionId } = await world();
    const planMode = { sessionId, colour: "red", slice: "planMode" };
    expect(await asked(client, "lamp.switch", planMode)).toMatchObject({ error: { code: "UNKNOWN_SLICE" } });
    const { session } = await client.must("sessions.get", { sessionId });
    expect(session.slices["planMode"]).toMatchObject({ now: { mode: "plan" } });
  });

  it("[PG-09] fails as its plugin's failure when it answers with something else than it declared", async () => {
    const { client } = await world();
    expect(await asked(client, "lamp.break", {})).toMatchObject({ error: { code: "PLUGIN_FAILED" } });
  });

  it("[PG-02] is gone when its plugin is switched off", async () => {
    const { client, sessionId } = await world();
    await gateway.host.disable("lamp");
    expect(await asked(client, "lamp.show", { sessionId })).toMatchObject({ error: { code: "UNKNOWN_METHOD" } });
    expect((await fetch(`${gateway.url}/plugins/lamp/x`)).status).toBe(404);
  });
});

it.each([
  ["sessions.explode", "trusted", "cannot name a method"],
  ["taker.x y", "trusted", "cannot name a method"],
  ["taker.fine", "ordinary", "only a trusted plugin"],
  ["sessions.get", "bundled", "is the gateway's own"],
] as const)("[PG-02] a plugin cannot register %s as %s", async (name, tier, reason) => {
  gateway = await serveGateway();
  const shape = { scope: "operator.read", about: "x", params: z.strictObject({}), result: z.strictObject({}) } as const;
  const taker = plugin("taker", (api) => api.methods.register({ name, ...shape, answer: async () => ({}) }));
  await expect(gateway.host.enable({ plugin: taker, tier })).rejects.toThrow(reason);
});

it("[PG-02] a plugin from outside cannot take an address of the gateway", async () => {
  gateway = await serveGateway();
  const taker = plugin("taker", (api) =>
    api.routes.register({ below: "/share/", answer: async () => ({ status: 200, body: "" }) }),
  );
  await expect(gateway.host.enable({ plugin: taker, tier: "trusted" })).rejects.toThrow("/plugins/taker/");
});

it.each([
  ["planMode", {}, "no machine of its own"],
  ["lamp", { root: { lamp: z.string() } }, "read your own config"],
])("[I05] a plugin from outside gives no settings to %s with %j", async (key, more, reason) => {
  gateway = await serveGateway();
  const taker = plugin("taker", (api) => {
    api.session.registerSlice(lampSlice);
    api.settings.register({ key, sections: { ...NO_SECTIONS, ...more }, resolve: () => ({}) });
  });
  await expect(gateway.host.enable({ plugin: taker, tier: "trusted" })).rejects.toThrow(reason);
});
