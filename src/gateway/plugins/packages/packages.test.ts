import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tarOf } from "../../../../test/kit/tar.ts";
import { PluginSettings } from "../../../protocol/plugin/plugin-packages.ts";
import { bundledView } from "../live-plugins.ts";
import { createPackages, type PluginPackages } from "./packages.ts";

let root = "";
let home = "";
let settings = PluginSettings.parse({});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-packages-")));
  home = join(root, "home");
  await mkdir(home, { mode: 0o700 });
  settings = PluginSettings.parse({});
});
afterEach(() => rm(root, { recursive: true, force: true }));

const MANIFEST = { id: "deploy", name: "Deploy", version: "1.0.0", description: "Deploys.", entry: "index.js", sdk: 1 };

const packages = (): PluginPackages =>
  createPackages({
    home,
    settings: () => settings,
    bundled: [bundledView({ id: "plan-mode", name: "Plan mode", description: "Plans." }, "1")],
    now: () => 1_000,
  });

async function folder(manifest: object = {}, files: Record<string, string> = {}): Promise<string> {
  const path = join(root, "source");
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
  const all = {
    "holdpoint.plugin.json": JSON.stringify({ ...MANIFEST, ...manifest }),
    "index.js": "export default {};\n",
    ...files,
  };
  for (const [name, text] of Object.entries(all)) await writeFile(join(path, name), text);
  return path;
}
const archive = async (entries: Parameters<typeof tarOf>[0], zip = true): Promise<string> => {
  const file = join(root, "plugin.tgz");
  await writeFile(file, zip ? gzipSync(tarOf(entries)) : tarOf(entries));
  return file;
};
const by = "opr_alice";
const said = (answer: Awaited<ReturnType<PluginPackages["info"]>>) =>
  "refused" in answer
    ? `${answer.refused.code}: ${answer.refused.message}`
    : [answer.plugin.standing, answer.plugin.because];
const on = async (from: string): Promise<void> => {
  const installed = await packages().install({ from, by });
  if ("refused" in installed) throw new Error(installed.refused.message);
  await packages().enable({ id: installed.plugin.id, agree: installed.plugin.askDigest, by });
};
const problems = async () =>
  (await packages().list({ check: true })).problems.map(({ id, problem }) => `${id}: ${problem}`);

describe("installing", () => {
  it("[PG-01] puts a folder's files into place with their digest, off until somebody agrees", async () => {
    const installed = await packages().install({ from: await folder({ needs: ["injections"] }), by });
    expect(said(installed)).toEqual(["disabled", "It asks for what nobody has agreed to yet."]);
    expect((await readdir(join(home, "plugins", "deploy"))).toSorted()).toEqual(["holdpoint.plugin.json", "index.js"]);
    expect(said(await packages().enable({ id: "deploy", by }))).toBe(
      'PLUGIN_NOT_AGREED: "deploy" asks for the need injections. Agree by sending its askDigest as agree.',
    );
    expect(said(await packages().enable({ id: "deploy", agree: "0".repeat(64), by }))).toBe(
      'PLUGIN_NOT_AGREED: What was agreed to is not what "deploy" asks for. Look at it again.',
    );
    const agree = "refused" in installed ? "" : installed.plugin.askDigest;
    expect(said(await packages().enable({ id: "deploy", agree, by }))).toEqual(["ready", null]);
    expect(await problems()).toEqual([]);
  });

  it("[PG-01] takes archives, with and without gzip", async () => {
    const entries = [
      { name: "package/holdpoint.plugin.json", text: JSON.stringify(MANIFEST) },
      { name: "package/index.js", text: "export default {};" },
    ];
    for (const zip of [true, false]) {
      expect(said(await packages().install({ from: await archive(entries, zip), by }))).toEqual([
        "disabled",
        "It asks for what nobody has agreed to yet.",
      ]);
      expect(said(await packages().remove({ id: "deploy" }))).toEqual(["disabled", "It was removed."]);
      expect(await readdir(join(home, "plugins"))).toEqual([]);
    }
  });

  it.each([
    ["leads out", [{ name: "../../evil.js", text: "x" }], /leads out of the plugin/],
    ["holds a link", [{ name: "package/index.js", type: "2", link: "/etc/passwd" }], /index\.js is a symbolic link/],
    ["holds no manifest", [{ name: "package/index.js", text: "1" }], /There is no holdpoint\.plugin\.json in it/],
    [
      "lacks its entry",
      [{ name: "package/holdpoint.plugin.json", text: JSON.stringify(MANIFEST) }],
      /names the entry index\.js, which is not in it/,
    ],
    [
      "unpacks without end",
      [{ name: "package/bomb", text: "\0".repeat(80 * 1024 * 1024) }],
      /unpacks to more than \d+ bytes/,
    ],
  ])("[PG-01] refuses an archive that %s, and leaves nothing behind", async (_what, entries, expected) => {
    expect(said(await packages().install({ from: await archive(entries), by }))).toMatch(expected);
    expect(await readdir(home)).toEqual([]);
  });

  it("[PG-01] refuses what is there by another's name", async () => {
    expect(said(await packages().install({ from: await folder({ id: "plan-mode" }), by }))).toMatch(
      /which is a plugin of the house/,
    );
    expect(said(await packages().install({ from: join(root, "nothing"), by }))).toMatch(/There is nothing at/);
    expect(said(await packages().install({ from: "./src", by }))).toMatch(
      /There is nothing at \.\/src\. Give the whole path/,
    );
    expect(said(await packages().install({ from: "git+ssh://evil/x", by }))).toMatch(/neither a folder, an archive/);
    expect(said(await packages().install({ from: "--registry=evil", by }))).toMatch(/neither a folder, an archive/);
    const needy = await folder({}, { "package.json": JSON.stringify({ dependencies: { "left-pad": "1", zod: "4" } }) });
    expect(said(await packages().install({ from: needy, by }))).toMatch(/It depends on left-pad, which is not in it/);
    const linked = await folder();
    await symlink("/etc/passwd", join(linked, "x.js"));
    expect(said(await packages().install({ from: linked, by }))).toMatch(/x\.js is a symbolic link that leads out/);
  });

  it("[PG-01] brings back the older version when a crash came in between", async () => {
    await on(await folder());
    const plugins = join(home, "plugins");
    await mkdir(join(plugins, ".new-deploy-0123456789ab"));
    const { rename } = await import("node:fs/promises");
    await rename(join(plugins, "deploy"), join(plugins, ".old-deploy-0123456789ab"));
    expect((await packages().known()).map(({ found }) => found.manifest.id)).toEqual(["deploy"]);
    expect(await readdir(plugins)).toEqual(["deploy"]);
  });
});

describe("an upgrade", () => {
  it("[PG-01] that asks for no more stays on, and one that asks for more waits for a new yes", async () => {
    await on(await folder({ needs: ["injections"] }));
    expect(
      said(await packages().install({ from: await folder({ version: "1.1.0", needs: ["injections"] }), by })),
    ).toEqual(["ready", null]);
    const greedy = await packages().install({
      from: await folder({ version: "2.0.0", needs: ["injections", "network"] }),
      by,
    });
    expect(said(greedy)).toEqual([
      "refused",
      "It asks for more than was agreed to: the need network. See: holdpoint plugins enable deploy",
    ]);
    expect("refused" in greedy ? [] : greedy.plugin.notAgreed).toEqual(["the need network"]);
    expect(said(await packages().enable({ id: "deploy", by }))).toMatch(
      /^PLUGIN_NOT_AGREED: "deploy" asks for the need network/,
    );
  });

  it("[PG-04] of a trusted plugin is not trusted", async () => {
    await on(await folder());
    await packages().trust({ id: "deploy", by });
    expect(await packages().info("deploy")).toMatchObject({ plugin: { tier: "trusted" } });
    const upgraded = await packages().install({
      from: await folder({ version: "1.0.1" }, { "index.js": "other" }),
      by,
    });
    expect(upgraded).toMatchObject({ plugin: { tier: "ordinary", version: "1.0.1" } });
  });
});

describe("what is installed", () => {
  it("[PG-01] is not loaded any more when one of its files has changed, and the doctor says so", async () => {
    await on(await folder());
    await writeFile(join(home, "plugins", "deploy", "index.js"), "evil");
    expect(await problems()).toEqual([
      "deploy: Its files are not those that were installed. Install it again, or remove it: holdpoint plugins remove deploy",
    ]);
    await packages()
      .trust({ id: "deploy", by })
      .then((answer) => expect(said(answer)).toMatch(/not those that were installed/));
    await packages().install({ from: await folder(), by });
    expect(await problems()).toEqual([]);
  });

  it("[PG-04] loses its trust with the first changed file, also where files may change", async () => {
    const source = await folder();
    settings = PluginSettings.parse({ paths: [source] });
    const { plugin } = (await packages().info("deploy")) as Extract<
      Awaited<ReturnType<PluginPackages["info"]>>,
      { plugin: unknown }
    >;
    await packages().enable({ id: "deploy", agree: plugin.askDigest, by });
    await writeFile(join(source, "index.js"), "worked on");
    expect(await problems()).toEqual([]);
    await packages().trust({ id: "deploy", by });
    await writeFile(join(source, "index.js"), "worked on again");
    expect(await problems()).toEqual([
      "deploy: Its files are not those that were trusted. Look at them, then trust them again or not: holdpoint plugins trust deploy",
    ]);
  });

  it("[PG-04] and asks for trust is refused until it has it", async () => {
    await on(await folder({ trust: "trusted", policies: ["freeze"] }));
    expect(said(await packages().info("deploy"))).toEqual([
      "refused",
      "It only works when it is trusted. If you do: holdpoint plugins trust deploy",
    ]);
    await packages().trust({ id: "deploy", by });
    expect(said(await packages().info("deploy"))).toEqual(["ready", null]);
    await packages().untrust({ id: "deploy" });
    expect(said(await packages().info("deploy"))).toEqual([
      "refused",
      "It only works when it is trusted. If you do: holdpoint plugins trust deploy",
    ]);
  });

  it("[PG-01] is checked against its settings, and can be held by the configuration", async () => {
    await on(
      await folder({
        configSchema: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false },
      }),
    );
    settings = PluginSettings.parse({ entries: { deploy: { config: { n: "many" } } } });
    expect(said(await packages().info("deploy"))).toEqual([
      "refused",
      "plugins.entries.deploy.config does not fit: n: Invalid input: expected number, received string.",
    ]);
    settings = PluginSettings.parse({ entries: { deploy: { enabled: false } } });
    expect(said(await packages().info("deploy"))).toEqual([
      "disabled",
      "It is switched off by plugins.entries.deploy.enabled in the configuration.",
    ]);
    settings = PluginSettings.parse({ enabled: false });
    expect([said(await packages().info("deploy")), await packages().known()]).toEqual([
      ["disabled", "Plugins are switched off by plugins.enabled in the configuration."],
      [],
    ]);
  });

  it("[PG-01] is a plugin in the plugins folder or in one that is named, never in a workspace, and one of each id", async () => {
    await on(await folder());
    const second = join(root, "second");
    await mkdir(second);
    await writeFile(join(second, "holdpoint.plugin.json"), JSON.stringify(MANIFEST));
    await mkdir(join(home, "plugins", "wrong-name"));
    await writeFile(
      join(home, "plugins", "wrong-name", "holdpoint.plugin.json"),
      JSON.stringify({ ...MANIFEST, id: "other" }),
    );
    await mkdir(join(home, "plugins", "open"), { mode: 0o700 });
    await chmod(join(home, "plugins", "open"), 0o777);
    settings = PluginSettings.parse({ paths: [second], entries: { gone: {} } });
    const { plugins, problems: found } = await packages().list({ check: false });
    expect(plugins.map(({ id, folder: at }) => [id, at])).toEqual([
      ["plan-mode", null],
      ["deploy", join(home, "plugins", "deploy")],
    ]);
    expect(found.map(({ id, problem }) => `${id}: ${problem.replaceAll(root, "")}`)).toEqual([
      "open: /home/plugins/open: everybody may write the folder: chmod o-w, or anyone could put code into it",
      "wrong-name: /home/plugins/wrong-name: the folder must have the plugin's id as its name: other",
      'deploy: /second: "deploy" is there already, in /home/plugins/deploy.',
      "gone: plugins.entries.gone is in the configuration, and there is no such plugin.",
    ]);
    expect(PluginSettings.safeParse({ paths: ["./plugins"] }).success).toBe(false);
  });

  it("[PG-01] is not loaded while what was decided about it cannot be read", async () => {
    await on(await folder());
    await writeFile(join(home, "plugins.json"), '{"format": 1, "plugins": {"deploy": {"trust": "yes"}}}');
    expect((await problems()).join()).toMatch(/plugins\.json cannot be used: .* no plugin is loaded/);
    await expect(packages().known()).rejects.toThrow("no plugin is loaded");
    expect(said(await packages().enable({ id: "deploy", by }))).toMatch(
      /^PLUGIN_INVALID: .*plugins\.json cannot be used/,
    );
    expect(await readFile(join(home, "plugins.json"), "utf8")).toMatch(/"trust": "yes"/);
  });

  it("[PG-01] belongs to the house, or is unknown: two different answers", async () => {
    expect(said(await packages().disable({ id: "plan-mode", because: null }))).toBe(
      'PLUGIN_INVALID: "plan-mode" belongs to the house: it cannot be changed.',
    );
    expect(said(await packages().info("nobody"))).toBe(
      'PLUGIN_UNKNOWN: There is no plugin "nobody". List them with plugins.list.',
    );
  });
});
