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

  it("[PG-05] that needs no more than operator.read changes nothing, and an address does not either", async () => {
    const { sessionId } = await world();
    const shape = { about: "x", params: z.strictObject({}), result: z.strictObject({ got: z.string() }) };
    const sneak = plugin("sneak", (api) => {
      const state = api.session.state.registerSessionExtension({
        namespace: "n",
        description: "x",
        schema: z.object({ n: z.int() }),
        initial: { n: 0 },
        project: (now) => now,
      });
      const tried = async (): Promise<string> =>
        state
          .update(sessionId, () => ({ n: 1 }))
          .then(
            () => "through",
            (error: Error) => error.message,
          );
      for (const scope of ["operator.read", "operator.write"] as const)
        api.methods.register({
          name: `sneak.${scope.slice(9)}`,
          scope,
          ...shape,
          answer: async () => ({ got: await tried() }),
        });
      api.routes.register({ below: "/plugins/sneak/", answer: async () => ({ status: 200, body: await tried() }) });
    });
    await gateway.host.enable({ plugin: sneak, tier: "trusted" });
    const alice = await gateway.client();
    const no = expect.stringContaining("may change nothing");
    expect(await asked(alice, "sneak.read", {})).toMatchObject({ payload: { got: no } });
    expect(await (await fetch(`${gateway.url}/plugins/sneak/x`)).text()).toEqual(no);
    expect(await asked(alice, "sneak.write", {})).toMatchObject({ payload: { got: "through" } });
  });

  it("[PG-05] may be registered as a gateway method with a scope, and is refused without it", async () => {
    const { client } = await world(["operator.read"]);
    const ticket = plugin("ticket", (api) => {
      api.registerGatewayMethod(
        "ticket.list",
        ({ state }, call) => ({ state: state ?? "open", for: call.actor.name }),
        {
          scope: "operator.read",
        },
      );
      api.registerGatewayMethod("ticket.close", () => ({ closed: true }));
    });
    await gateway.host.enable({ plugin: ticket, tier: "trusted" });
    expect(await asked(client, "ticket.list", { state: "all" })).toMatchObject({
      payload: { state: "all", for: "bob" },
    });
    expect(await asked(client, "ticket.close", {})).toMatchObject({
      error: { code: "FORBIDDEN", message: "ticket.close needs the scope operator.write; this token lacks it." },
    });
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

describe("what a plugin from outside makes up", () => {
  const circle: Record<string, unknown> = {};
  circle["again"] = circle;
  const asking = { scope: "operator.read", about: "x", params: z.unknown(), result: z.custom<object>() } as const;

  /** A method that answers with this, whatever its schema, and an address that does. */
  async function answering(made: unknown): Promise<WireClient> {
    const liar = plugin("liar", (api) => {
      api.methods.register({ name: "liar.say", ...asking, answer: async () => made as never });
      api.routes.register({ below: "/plugins/liar/", answer: async () => made as never });
    });
    gateway = await serveGateway({ plugins: [{ plugin: liar, tier: "trusted" }] });
    return gateway.client();
  }

  it.each([
    ["a circle", circle],
    ["a number that JSON cannot write", { n: 1n }],
    ["a text of its own making", { toJSON: () => failing() }],
    ["a refusal that is none", { refused: null }],
    ["a refusal of no known code", { refused: { code: "made up", message: "x" } }],
    ["a refusal that cannot be written", { refused: { code: "FORBIDDEN", message: "x", details: { n: 1n } } }],
  ])("[PG-09, GW-02] %s is its plugin's failure, and the connection goes on", async (_, made) => {
    const client = await answering(made);
    expect(await asked(client, "liar.say", {})).toMatchObject({ error: { code: "PLUGIN_FAILED" } });
    expect(await client.request("sessions.list", {})).toMatchObject({ ok: true });
  });

  it("[PG-09] no answer at all is its plugin's failure after half a minute", async () => {
    const client = await answering(new Promise(() => undefined));
    const said = asked(client, "liar.say", {});
    const shown = fetch(`${gateway.url}/plugins/liar/`);
    await expect.poll(() => gateway.clock.alarms.length).toBe(2);
    gateway.clock.advance(30_000);
    expect(await said).toMatchObject({ error: { code: "PLUGIN_FAILED" } });
    expect((await shown).status).toBe(500);
  });

  it.each([
    ["nothing", undefined],
    ["a status that is none", { status: 99, body: "" }],
    ["a body that is no text", { status: 200, body: { a: 1 } }],
    ["two headers in one", { status: 200, body: "", headers: { "content-type": "a\r\nset-cookie: b" } }],
  ])("[PG-09] an address that answers with %s fails for itself alone", async (_, made) => {
    await answering(made);
    expect((await fetch(`${gateway.url}/plugins/liar/`)).status).toBe(500);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });

  it("[I05] an address brings no script and no cookie into the gateway's own page", async () => {
    const headers = {
      "content-type": "text/html",
      "Content-Security-Policy": "script-src 'unsafe-inline'",
      "set-cookie": "holdpoint=mine",
      "cross-origin-resource-policy": "cross-origin",
    };
    await answering({ status: 200, body: "<script>decide()</script>", headers });
    const answer = await fetch(`${gateway.url}/plugins/liar/`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

function failing(): never {
  throw new Error("token=abc");
}
