/** A command that needs no more than operator.read changes nothing, by whatever function of its api it tries. */
import { readFileSync, realpathSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { pluginWorld, type PluginWorld } from "../../test/kit/plugin-world.ts";
import { alice } from "../../test/kit/core.ts";
import { importPlugin } from "../gateway/plugins/import-plugin.ts";
import type { PluginLoad } from "./host.ts";
import { type IsolatedPlugin, isolatedPlugin } from "./isolated/isolated-plugin.ts";
import { noHeirs, standInFor, withHeirs } from "./isolated/stand-in.ts";
import { folderDigests } from "./packages/folder-files.ts";
import { parseManifest } from "./packages/manifest.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";

const folder = realpathSync(new URL("../../test/kit/plugins/reader", import.meta.url));
const read = parseManifest(readFileSync(`${folder}/holdpoint.plugin.json`, "utf8"));
if (!read.ok) throw new Error(read.problem);
const { manifest } = read;
const { files } = await folderDigests(folder);

const started: IsolatedPlugin[] = [];
afterEach(async () => {
  for (const plugin of started.splice(0)) await plugin.end();
});

/** What reached the gateway besides the sessions. */
function recorder() {
  const orders: string[] = [];
  const note =
    <Answer>(order: string, answer: Answer) =>
    async () => {
      orders.push(order);
      return answer;
    };
  const around: Partial<PluginRuntime> = {
    scheduler: {
      schedule: note("schedule", { jobId: "j" }),
      unscheduleByTag: note("unschedule", { removed: 1 }),
      removeOwned: note("remove", undefined),
    },
    calls: {
      createSession: note("createSession", { refused: { code: "FORBIDDEN", message: "" } } as const),
      open: note("open", { refused: { code: "FORBIDDEN", message: "" } } as const),
      resume: note("resume", { refused: { code: "FORBIDDEN", message: "" } } as const),
      results: async () => [],
    },
  };
  return { orders, around };
}

type Way = (world: PluginWorld) => PluginLoad;
const inside: Way = () => ({
  plugin: importPlugin({ folder, entry: manifest.entry, id: manifest.id, files }),
  manifest,
});
const apart: Way = ({ host }) => {
  const trouble = (reason: Error): void => host.failed(manifest.id, reason);
  const plugin = isolatedPlugin({ manifest, folder, config: {}, clock: Date, trouble });
  started.push(plugin);
  return { plugin, tier: "ordinary", manifest };
};
const WAYS: [string, Way][] = [
  ["trusted, inside the gateway", (world) => ({ ...inside(world), tier: "trusted" })],
  ["ordinary, inside the gateway", (world) => ({ ...inside(world), tier: "ordinary" })],
  ["in a process of its own", apart],
];

describe.each(WAYS)("a reading command of a plugin that is %s", (_name, way) => {
  async function loaded() {
    const { orders, around } = recorder();
    const world = await pluginWorld(around);
    await world.host.enable(way(world));
    const at = await world.open("a");
    const before = await world.engine.session(at);
    const unchanged = async () => {
      expect(await world.engine.session(at)).toEqual(before);
      expect([orders, world.told]).toEqual([[], []]);
    };
    return { world, at, unchanged };
  }

  it("[PG-05] gets through no function of its api that changes anything", async () => {
    const { world, at, unchanged } = await loaded();
    expect(Number(((await world.command(at, "count", "look")) as { message: string }).message)).toBeGreaterThan(30);
    expect(await world.command(at, "", "look")).toEqual({ ok: true, message: "" });
    await unchanged();
    await world.engine.dispatch(at, { type: "session.rename", title: "other" }, { actor: alice });
    await expect.poll(() => world.command(at, "renamed", "look")).toEqual({ ok: true, message: "1" });
  });

  it("[PG-05] gets through none of them later either, when the command was answered long ago", async () => {
    const { world, at, unchanged } = await loaded();
    expect(await world.command(at, "later", "look")).toEqual({ ok: true, message: "later" });
    await expect.poll(() => world.command(at, "seen", "look")).toEqual({ ok: true, message: "done" });
    await unchanged();
  });

  it("[PG-05] that swallows the refusal of what it staged is refused as a whole", async () => {
    const { world, at, unchanged } = await loaded();
    expect(await world.command(at, "stage", "look")).toMatchObject({ ok: false, refusal: { code: "PLUGIN_FAILED" } });
    await unchanged();
  });

  it("[PG-05] holds up nobody else: a writing command beside it, and after it, writes", async () => {
    const { world, at } = await loaded();
    const [looked, written] = await Promise.all([
      world.command(at, "", "look"),
      world.command(at, "unsubscribe", "write"),
    ]);
    expect([looked, written]).toEqual([
      { ok: true, message: "" },
      { ok: true, message: "1" },
    ]);
    expect(await world.command(at, "", "write")).toEqual({ ok: true, message: "2" });
  });
});

it("[PG-05] a plugin's process that a reading command started may write for others afterwards", async () => {
  const world = await pluginWorld();
  const { plugin } = apart(world);
  const heirs = noHeirs();
  const standIn = standInFor(manifest, async () => {
    await world.host.replace({ plugin: withHeirs(plugin, heirs), tier: "ordinary", manifest });
    return heirs;
  });
  await world.host.enable({ plugin: standIn, tier: "ordinary", manifest });
  const at = await world.open("a");
  expect(await world.command(at, "count", "look")).toMatchObject({ ok: true });
  expect(await world.command(at, "", "write")).toEqual({ ok: true, message: "1" });
});
