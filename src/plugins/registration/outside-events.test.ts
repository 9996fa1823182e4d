import { describe, expect, it } from "vitest";
import { gateSlice } from "../../../test/kit/core.ts";
import { pluginWorld } from "../../../test/kit/plugin-world.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { type Channel, definePlugin, type PluginApi } from "../sdk.ts";

const channel = (id: string): Channel => ({ id, start: () => undefined, deliver: async () => ({ receipts: [] }) });

type Registering = (api: PluginApi) => void;
const plugin = (id: string, register: Registering) =>
  definePlugin({ id, name: id, description: "for tests", register });

async function withMachine(tier: "trusted" | "ordinary" = "trusted") {
  const world = await pluginWorld();
  let held: PluginApi | undefined;
  const own = plugin("builds", (api) => {
    held = api;
    if (tier === "trusted") api.session.registerSlice({ ...gateSlice, name: "builds" });
  });
  await world.host.enable({ plugin: plugin("other", (api) => api.session.registerSlice(gateSlice)) });
  await world.host.enable({ plugin: own, tier });
  const sessionId = await world.open("1");
  if (held === undefined) throw new Error("not registered");
  return { ...world, api: held, sessionId };
}
const slicesOf = async (api: PluginApi, sessionId: SessionId) => (await api.sessions.read(sessionId))?.slices;

describe("what a plugin brings in from outside", () => {
  it("reaches its own machine, once for one key, and it sees no other plugin's state", async () => {
    const { api, sessionId, engine } = await withMachine();
    const once = { idempotencyKey: "build-7" };
    expect(await api.sessions.dispatch(sessionId, { do: "open" }, once)).toEqual({ ok: true, reply: { did: "open" } });
    expect(await slicesOf(api, sessionId)).toEqual({ builds: { open: true } });
    await api.sessions.dispatch(sessionId, { do: "close" });
    expect(await api.sessions.dispatch(sessionId, { do: "open" }, once)).toEqual({ ok: true, reply: { did: "open" } });
    expect(await slicesOf(api, sessionId)).toEqual({ builds: { open: false } });
    expect((await engine.session(sessionId))?.slices["gate"]).toEqual({ open: false });
    expect(await api.sessions.dispatch(sessionId, { do: "refuse", why: "no" })).toMatchObject({
      ok: false,
      refusal: { code: "INVALID_REQUEST" },
    });
    expect(await api.sessions.read("ses_none")).toBeUndefined();
    expect(await api.sessions.read("no id")).toBeUndefined();
  });

  it("ends when the plugin is switched off", async () => {
    const { api, host, sessionId } = await withMachine();
    await host.disable("builds");
    await expect(api.sessions.read(sessionId)).rejects.toThrow("switched off");
    await expect(api.sessions.dispatch(sessionId, { do: "open" })).rejects.toThrow("switched off");
  });

  it("is for trusted plugins only, and needs a machine to go to", async () => {
    const { api, host, sessionId } = await withMachine("ordinary");
    await expect(api.sessions.read(sessionId)).rejects.toThrow("only a trusted plugin");
    await expect(api.sessions.dispatch(sessionId, {})).rejects.toThrow("no machine");
    const speaking = plugin("speaking", (given) => given.channels.register(channel("fake")));
    await expect(host.enable({ plugin: speaking, tier: "ordinary" })).rejects.toThrow("only a trusted plugin");
    expect([...host.channels.keys()]).toEqual([]);
  });
});

describe("a channel", () => {
  it("has a name of its own, which is no surface of the house and nobody else's", async () => {
    const { host } = await pluginWorld();
    const named = (id: string, name: string) => ({
      plugin: plugin(id, (api) => api.channels.register(channel(name))),
      tier: "trusted" as const,
    });
    for (const name of ["cli", "web", "Fake", "", "a:b"])
      await expect(host.enable(named("wrong", name))).rejects.toThrow("cannot name a channel");
    await host.enable(named("one", "fake"));
    await expect(host.enable(named("two", "fake"))).rejects.toThrow('The channel "fake" is claimed twice');
    expect([...host.channels.keys()]).toEqual(["fake"]);
    await host.disable("one");
    expect([...host.channels.keys()]).toEqual([]);
    await host.enable(named("two", "fake"));
    expect(host.channels.get("fake")?.pluginId).toBe("two");
  });
});
