import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pluginWorld, type PluginWorld } from "../../../test/kit/plugin-world.ts";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import { PluginSettings } from "../../protocol/plugin/plugin-packages.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import { type CommandOwners, createCommandOwners } from "./command-owners.ts";
import { createLivePlugins, type LivePlugins } from "./live-plugins.ts";
import { createPackages, type PluginPackages } from "./packages/packages.ts";

const CONTRACT = new URL("../../../test/kit/plugins/contract", import.meta.url).pathname;
const by = "opr_alice";

let root = "";
let world: PluginWorld;
let owners: CommandOwners;
beforeEach(async () => {
  owners = createCommandOwners(openMemoryStore(), () => 1_000);
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-live-plugins-")));
  await mkdir(join(root, "home"), { mode: 0o700 });
  world = await pluginWorld();
});
afterEach(async () => {
  await world.host.stop("1");
  await rm(root, { recursive: true, force: true });
});

type Gateway = { packages: PluginPackages; live: LivePlugins; notices: string[]; clock: ReturnType<typeof fakeClock> };

function gateway(settings: object = {}): Gateway {
  const notices: string[] = [];
  const clock = fakeClock();
  const packages: PluginPackages = createPackages({
    home: join(root, "home"),
    settings: () => PluginSettings.parse(settings),
    bundled: [],
    now: () => 1_000,
    live: (id) => live.live(id),
    owners,
  });
  const live = createLivePlugins({
    owners,
    host: world.host,
    packages,
    clock,
    remind: (id, text) => void notices.push(`again ${id}: ${text}`),
    notice: (id, text) => void notices.push(`${id}: ${text}`),
  });
  return { packages, live, notices, clock };
}

/** Another plugin, made from its manifest's changes and its entry. */
async function source(id: string, manifest: object, entry: string): Promise<string> {
  const folder = join(root, `source-${id}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const base = { id, name: id, version: "1.0.0", description: "For tests.", entry: "index.js", sdk: 1 };
  await writeFile(join(folder, "holdpoint.plugin.json"), JSON.stringify({ ...base, ...manifest }));
  await writeFile(join(folder, "index.js"), entry);
  return folder;
}

async function install({ packages }: Gateway, from: string, { trusted = false } = {}): Promise<string> {
  const answer = await packages.install({ from, by });
  if ("refused" in answer) throw new Error(answer.refused.message);
  const { id, askDigest: agree } = answer.plugin;
  if (trusted) await packages.trust({ id, agree, by });
  await packages.enable({ id, agree, by });
  return id;
}
const standing = async ({ packages }: Gateway, id = "contract") => {
  const answer = await packages.info(id);
  return "refused" in answer ? answer.refused.code : answer.plugin.standing;
};
const names = () => world.host.commands.list().map(({ spec }) => spec.name);

describe("an ordinary plugin", () => {
  it("[PG-05] has its commands found before its code is loaded, and the first of them loads it", async () => {
    const at = gateway();
    await install(at, CONTRACT);
    expect([names(), await standing(at), [...world.shelf.keys()]]).toEqual([["contract"], "ready", []]);
    const session = await world.open("a");
    const answers = await Promise.all([world.command(session, "count"), world.command(session, "greet")]);
    expect(answers).toEqual([
      { ok: true, message: "1" },
      { ok: true, message: "hello Alice, I am contract (ordinary)" },
    ]);
    expect([await standing(at), [...world.shelf.keys()]]).toEqual(["active", ["contract_read", "contract_write"]]);
    expect(await world.command(session, "count")).toEqual({ ok: true, message: "2" });
  });

  it("[PG-09] is loaded by the first event that one of its hooks waits for, and that event is answered by it", async () => {
    const at = gateway();
    await install(at, CONTRACT);
    const call = {
      sessionId: "ses_1",
      turnId: "trn_1",
      agentId: "main",
      sessionKind: "chat",
      callId: "c",
      kind: "bash",
      effect: "write",
    };
    const verdict = await world.host.toolHooks.beforeToolCall({ ...call, tool: "rm", args: { path: "/x" } } as never);
    expect(verdict).toEqual({ verdict: "block", reason: "no rm of /x", by: "contract" });
    expect(await standing(at)).toBe("active");
  });

  it("[PG-01] is loaded before a turn that needs its tools, and before a page that shows it", async () => {
    const at = gateway();
    await install(at, CONTRACT);
    await at.live.beforePages();
    expect([...world.host.descriptors.keys()]).toEqual(["contract"]);
    await at.packages.disable({ id: "contract", because: null });
    expect([names(), [...world.shelf.keys()], world.host.disabledCommand("contract")]).toEqual([
      [],
      [],
      { pluginId: "contract" },
    ]);
    await at.packages.enable({ id: "contract", by });
    await at.live.beforeTurn();
    expect([...world.shelf.keys()]).toEqual(["contract_read", "contract_write"]);
  });

  it("[PG-01] that nobody needed is not loaded for the end of the gateway", async () => {
    const at = gateway();
    await install(at, await source("quiet", { hooks: ["gateway_stop"] }, "export default {};"));
    await world.host.stop("1");
    expect([await standing(at, "quiet"), at.notices]).toEqual(["ready", []]);
  });

  it("[PG-01] is there again after a restart, from its manifest alone", async () => {
    await install(gateway(), CONTRACT);
    await world.host.stop("1");
    world = await pluginWorld();
    const again = gateway();
    await again.live.start();
    expect([names(), await standing(again)]).toEqual([["contract"], "ready"]);
  });

  it("[PG-02] shows what it showed last while it is not loaded, and at once when it is", async () => {
    const settings: { entries: object } = { entries: {} };
    const at = gateway(settings);
    await install(at, CONTRACT);
    const session = await world.open("a");
    await world.command(session, "count");
    const seen = async () => {
      const stored = await world.engine.session(session);
      return stored === undefined ? undefined : world.host.projections(stored);
    };
    const ten = { contract: { count: { shown: 10 } } };
    expect(await seen()).toEqual(ten);
    settings.entries = { contract: { config: { greeting: "ahoy" } } };
    await at.live.reconcile();
    expect([await standing(at), await seen()]).toEqual(["ready", ten]);
    await at.live.beforePages(); // another process, which has projected nothing yet
    expect([await standing(at), await seen()]).toEqual(["active", ten]);
    await world.command(session, "update");
    expect(await seen()).toEqual({ contract: { count: { shown: 60 } } });
  });

  it("[PG-01] whose code cannot be loaded leaves the gateway as it was, and is tried again later", async () => {
    const at = gateway();
    const manifest = { commands: [{ name: "broken", description: "x" }] };
    await install(at, await source("broken", manifest, "throw new Error('no luck');"));
    const session = await world.open("a");
    expect(await world.command(session, "", "broken")).toMatchObject({ ok: false, refusal: { code: "PLUGIN_FAILED" } });
    expect(at.notices).toEqual(["broken: The plugin broken could not be loaded: no luck"]);
    await world.command(session, "", "broken");
    expect(world.reported.at(-1)).toMatch(/is tried again in 1 s at the earliest/);
    expect([names(), await standing(at, "broken")]).toEqual([["broken"], "refused"]);
    await install(
      at,
      await source(
        "broken",
        { ...manifest, version: "1.0.1" },
        "export default { id: 'broken', name: 'b', description: 'b', register(api) { api.commands.registerCommand({ name: 'broken', description: 'x', handler: async () => ({ message: 'mended' }) }); } };",
      ),
    );
    expect(await world.command(session, "", "broken")).toEqual({ ok: true, message: "mended" });
  });

  it("[PG-01] whose files changed since they were installed is not run", async () => {
    const at = gateway();
    await install(at, CONTRACT);
    await writeFile(join(root, "home", "plugins", "contract", "index.js"), "process.exit(1);");
    const session = await world.open("a");
    expect(await world.command(session, "greet")).toMatchObject({ ok: false });
    expect(at.notices.join()).toMatch(/Its files are not those that were installed/);
  });

  it("[PG-01] that fails too often is switched off, for good and with a notice", async () => {
    const at = gateway();
    await install(at, CONTRACT);
    const session = await world.open("a");
    for (let n = 0; n < 11; n++) await world.command(session, "throw");
    await expect.poll(() => standing(at)).toBe("disabled");
    expect(at.notices.join()).toMatch(/contract: It was switched off: it failed more than 10 times/);
    const records = await readFile(join(root, "home", "plugins.json"), "utf8");
    expect(records).toMatch(/"enabled": false/);
  });

  it("[PG-05] cannot have a command of the house or another's, whoever came first", async () => {
    const at = gateway();
    const entry = "export default { id: 'x', name: 'x', description: 'x', register() {} };";
    await install(at, CONTRACT);
    await install(at, await source("thief", { commands: [{ name: "contract", description: "x" }] }, entry));
    await install(at, await source("rebel", { commands: [{ name: "plan", description: "x" }] }, entry));
    expect([await standing(at, "thief"), await standing(at, "rebel"), names()]).toEqual([
      "refused",
      "refused",
      ["contract"],
    ]);
    const session = await world.open("a");
    expect(await world.command(session, "greet")).toMatchObject({ ok: true });
  });

  describe("that claims another's command", () => {
    const entry = (id: string, scopes = "") =>
      `export default { id: "${id}", name: "x", description: "x", register(api) {
         api.registerCommand({ name: "ship", ${scopes} handler: () => ({ message: "${id}" }) });
       } };`;
    const ship = (requiredScopes: string[]) => ({ commands: [{ name: "ship", description: "x", requiredScopes }] });
    const restarted = async (): Promise<Gateway> => {
      await world.host.stop("1");
      world = await pluginWorld();
      const again = gateway();
      await again.live.start();
      return again;
    };
    const answer = async () => world.command(await world.open("a"), "", "ship");

    async function two(): Promise<Gateway> {
      const at = gateway();
      await install(at, await source("zeta", ship(["operator.approvals"]), entry("zeta")));
      await install(at, await source("alpha", ship(["operator.read"]), entry("alpha")));
      return at;
    }

    it("[PG-05] is refused, and stays so over restarts, while the first owner is there and while it is off", async () => {
      const at = await two();
      expect([await standing(at, "zeta"), await standing(at, "alpha")]).toEqual(["ready", "refused"]);
      let again = await restarted();
      expect(await standing(again, "alpha")).toBe("refused");
      expect([await answer(), world.host.commands.get("ship")?.spec.requiredScopes]).toEqual([
        { ok: true, message: "zeta" },
        ["operator.approvals"],
      ]);
      await again.packages.disable({ id: "zeta", because: null });
      again = await restarted();
      expect([await standing(again, "alpha"), names()]).toEqual(["refused", []]);
      expect(world.host.disabledCommand("ship")).toEqual({ pluginId: "zeta" });
      await again.packages.enable({ id: "zeta", by });
      expect(await answer()).toEqual({ ok: true, message: "zeta" });
    });

    it("[PG-05] has nothing of what it would have, and its refusal is listed with what to do", async () => {
      const at = await two();
      expect([names(), [...world.host.slices.keys()]]).toEqual([["ship"], ["plugin:zeta"]]);
      const { plugins, problems } = await at.packages.list({ check: true });
      const because =
        "/ship belongs to the plugin zeta. An operator hands it over with: holdpoint plugins own ship alpha";
      expect(plugins.find(({ id }) => id === "alpha")).toMatchObject({ standing: "refused", because });
      const advice = "It is not loaded until this is mended.";
      expect(problems).toMatchObject([{ id: "alpha", problem: because, advice }]);
      expect(at.notices).toEqual([`alpha: ${because}`]);
      expect(await at.packages.enable({ id: "alpha", by })).toMatchObject({ plugin: { standing: "refused", because } });
    });

    it("[PG-05] gets it when an operator hands it over, and the one before is refused from then on", async () => {
      const at = await two();
      expect(await at.packages.own({ id: "alpha", command: "nothing", by })).toMatchObject({ refused: {} });
      expect(await at.packages.own({ id: "alpha", command: "/ship", by })).toMatchObject({
        plugin: { standing: "ready" },
      });
      expect([await standing(at, "zeta"), await answer()]).toEqual(["refused", { ok: true, message: "alpha" }]);
      const again = await restarted();
      expect([await standing(again, "zeta"), await standing(again, "alpha")]).toEqual(["refused", "ready"]);
    });

    it("[PG-05] gets it when an operator removes the owner and switches it on again", async () => {
      const at = await two();
      await at.packages.remove({ id: "zeta" });
      await at.packages.enable({ id: "alpha", by });
      expect([await standing(at, "alpha"), await answer()]).toEqual(["ready", { ok: true, message: "alpha" }]);
    });

    it("[PG-05] gets it with the owner's removal, which frees it, and not by the restart after that", async () => {
      const at = await two();
      await at.packages.remove({ id: "zeta" });
      const freed = [await standing(at, "alpha"), names()];
      expect(freed).toEqual(["ready", ["ship"]]);
      expect(await answer()).toEqual({ ok: true, message: "alpha" });
      const again = await restarted();
      expect([await standing(again, "alpha"), names()]).toEqual(freed); // a restart changes nothing
    });

    it("[PG-05] is known by its other commands, which say that it cannot be used and why", async () => {
      const at = gateway();
      await install(at, await source("zeta", ship([]), entry("zeta")));
      const more = { commands: [...ship([]).commands, { name: "sail", description: "x" }] };
      await install(at, await source("alpha", more, entry("alpha")));
      const off = () => [world.host.disabledCommand("sail"), world.host.disabledCommand("ship")];
      const text = "/ship belongs to the plugin zeta. An operator hands it over with: holdpoint plugins own ship alpha";
      expect(off()).toMatchObject([{ pluginId: "alpha", because: { text } }, undefined]);
      await at.packages.disable({ id: "zeta", because: null });
      await at.packages.disable({ id: "alpha", because: null });
      expect(off()).toEqual([{ pluginId: "alpha" }, { pluginId: "zeta" }]); // each answers for what is its own
    });

    it("[PG-05] is never handed a reserved one that it may not have, and is not told to ask for it", async () => {
      const at = gateway();
      const mcp = (name: string) => ({ commands: [{ name, description: "x", ownership: "reserved" }] });
      const code = entry("keeper").replace('"ship"', '"mcp", ownership: "reserved"');
      await install(at, await source("keeper", { ...mcp("mcp"), trust: "trusted" }, code), { trusted: true });
      await install(at, await source("squatter", mcp("mcp"), entry("squatter")));
      await install(at, await source("rebel", mcp("plan"), entry("rebel")));
      const because = "/mcp is reserved; squatter is not trusted to claim it.";
      expect(await at.packages.info("squatter")).toMatchObject({ plugin: { standing: "refused", because } });
      const own = async (id: string, command: string) => at.packages.own({ id, command, by });
      const refused = (message: string) => ({ refused: { code: "COMMAND_RESERVED", message } });
      expect(await own("squatter", "mcp")).toMatchObject(refused(because));
      expect(await own("rebel", "plan")).toMatchObject(refused("/plan belongs to plan-mode; rebel cannot claim it."));
      expect([await standing(at, "keeper"), names()]).toEqual(["active", ["mcp"]]);
      const again = await restarted();
      expect([await standing(again, "keeper"), await standing(again, "squatter")]).toEqual(["active", "refused"]);
    });

    it("[PG-05] owns nothing by having tried: what it was refused as a whole, another may have", async () => {
      const at = gateway();
      const both = { commands: [...ship([]).commands, { name: "plan", description: "x" }] };
      await install(at, await source("greedy", both, entry("greedy")));
      await install(at, await source("zeta", ship([]), entry("zeta")));
      expect([await standing(at, "greedy"), await standing(at, "zeta"), names()]).toEqual([
        "refused",
        "ready",
        ["ship"],
      ]);
    });
  });

  it("[PG-01, PG-05] whose code registers what its manifest does not declare is taken out whole, and listed as refused", async () => {
    const at = gateway();
    const code = `export default { id: "liar", name: "x", description: "x", register(api) {
      api.registerCommand({ name: "liar", handler: () => ({ message: "?" }) });
      api.registerCommand({ name: "more", handler: () => ({ message: "?" }) });
    } };`;
    const manifest = { commands: [{ name: "liar", description: "x" }], hooks: ["session_start"] };
    await install(at, await source("liar", manifest, code));
    await at.live.beforeAction("liar");
    expect([await standing(at, "liar"), names(), [...world.host.slices.keys()]]).toEqual(["refused", [], []]);
    expect((await at.packages.list({ check: true })).problems).toMatchObject([
      {
        id: "liar",
        problem: expect.stringContaining("registers the command /more, which its manifest does not declare"),
      },
    ]);
    await install(at, await source("honest", { commands: manifest.commands }, code.replaceAll("liar", "honest")));
    expect([await standing(at, "honest"), names()]).toEqual(["ready", ["liar"]]);
  });

  it("[PG-01] is put in anew when its settings change, without losing what it kept in sessions", async () => {
    const settings: { entries: object } = { entries: {} };
    const at = gateway(settings);
    await install(at, CONTRACT);
    const session = await world.open("a");
    await world.command(session, "count");
    settings.entries = { contract: { config: { greeting: "ahoy" } } };
    await at.live.reconcile();
    expect(await world.command(session, "greet")).toEqual({
      ok: true,
      message: "ahoy Alice, I am contract (ordinary)",
    });
    expect(await world.command(session, "count")).toEqual({ ok: true, message: "2" });
    settings.entries = { contract: { config: { greeting: 5 } } };
    await at.live.reconcile();
    expect([names(), world.host.disabledCommand("contract")]).toMatchObject([[], { pluginId: "contract" }]);
    expect(world.host.disabledCommand("contract")?.because?.text).toContain("greeting");
  });
});

describe("a trusted plugin", () => {
  const POLICY = { trust: "trusted", policies: ["freeze"] };
  const entry = (id: string) =>
    `export default { id: "${id}", name: "x", description: "x", register(api) {
       api.tools.registerTrustedToolPolicy({ id: "freeze", description: "x", evaluate: () => ({ verdict: "allow" }) });
     } };`;
  const judge = async (effect: "read" | "write") => {
    const [policy] = world.host.policies;
    const question = { call: { tool: "edit", kind: "file_edit", effect, callId: "c", args: {}, argsDigest: "" } };
    return (await policy?.evaluate(question as never))?.verdict;
  };

  it("[PG-04] judges calls from the start, and an ordinary one never does", async () => {
    const at = gateway();
    await install(at, await source("ordinary", {}, entry("ordinary")));
    await at.live.beforeTurn();
    expect(world.host.policies).toEqual([]);
    await install(at, await source("freezer", POLICY, entry("freezer")), { trusted: true });
    expect([await standing(at, "freezer"), world.host.policies.map(({ id }) => id), await judge("write")]).toEqual([
      "active",
      ["freezer/freeze"],
      "allow",
    ]);
  });

  it("[PG-04] that was changed lets nothing pass that changes anything, until it is mended or switched off", async () => {
    const at = gateway();
    const folder = await source("glacier", POLICY, entry("glacier"));
    await install(at, folder, { trusted: true });
    await world.host.stop("1");
    await writeFile(join(root, "home", "plugins", "glacier", "index.js"), "evil();");
    world = await pluginWorld();
    const again = gateway();
    await again.live.start();
    expect([await standing(again, "glacier"), await judge("write"), await judge("read")]).toEqual([
      "refused",
      "block",
      "allow",
    ]);
    expect(again.notices.join()).toMatch(/Its files are not those that were trusted/);
    await again.packages.disable({ id: "glacier", because: null });
    expect(world.host.policies).toEqual([]);
  });

  it.each([
    [
      "was upgraded",
      async (at: Gateway) => {
        const other = await source("tundra", { ...POLICY, version: "2.0.0" }, entry("tundra"));
        await at.packages.install({ from: other, by });
      },
    ],
    [
      "asks for more",
      async (at: Gateway) => {
        const other = await source("tundra", { ...POLICY, needs: ["network"] }, entry("tundra"));
        await at.packages.install({ from: other, by });
      },
    ],
    [
      "has no manifest that can be read",
      async () => writeFile(join(root, "home", "plugins", "tundra", "holdpoint.plugin.json"), "{"),
    ],
    ["has lost its folder", async () => rm(join(root, "home", "plugins", "tundra"), { recursive: true })],
  ])("[PG-04] that %s lets nothing pass that changes anything, until an operator has decided", async (_how, change) => {
    const at = gateway();
    await install(at, await source("tundra", POLICY, entry("tundra")), { trusted: true });
    await change(at);
    await world.host.stop("1");
    world = await pluginWorld();
    const again = gateway();
    await again.live.start();
    expect([again.live.live("tundra")?.standing, await judge("write"), await judge("read")]).toEqual([
      "refused",
      "block",
      "allow",
    ]);
    expect(again.notices).toEqual([
      expect.stringMatching(/^tundra: .*holdpoint plugins (?:trust|enable|remove) tundra/),
    ]);
    await again.packages.disable({ id: "tundra", because: null });
    expect(world.host.policies).toEqual([]);
  });

  it("[PG-04] may have been any of them when the records cannot be read: nothing passes until they can", async () => {
    const at = gateway();
    await install(at, await source("permafrost", POLICY, entry("permafrost")), { trusted: true });
    const records = join(root, "home", "plugins.json");
    const good = await readFile(records, "utf8");
    await world.host.stop("1");
    await writeFile(records, "{");
    world = await pluginWorld();
    const again = gateway();
    await again.live.start();
    expect([again.live.isKnown(), await judge("write"), await judge("read")]).toEqual([false, "block", "allow"]);
    expect(again.notices).toEqual([expect.stringMatching(/plugins\.json cannot be used/)]);
    await writeFile(records, good);
    await again.live.reconcile();
    expect([again.live.isKnown(), world.host.policies.map(({ id }) => id)]).toEqual([true, ["permafrost/freeze"]]);
  });

  it("[PG-01] is never loaded because it lies in a workspace", async () => {
    const workspace = join(root, "workspace");
    await cp(CONTRACT, join(workspace, "plugins", "contract"), { recursive: true });
    await cp(CONTRACT, join(workspace, ".holdpoint", "plugins", "contract"), { recursive: true });
    const at = gateway();
    await at.live.start();
    expect([names(), (await at.packages.list({ check: true })).plugins]).toEqual([[], []]);
  });
});

it("[PG-01] one plugin that cannot be brought in holds up no other", async () => {
  const at = gateway();
  await install(at, await source("first", { trust: "trusted" }, "throw new Error('no luck');"), { trusted: true });
  await install(at, CONTRACT);
  expect([await standing(at, "first"), await standing(at)]).toEqual(["refused", "ready"]);
});
