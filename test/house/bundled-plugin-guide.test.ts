/** docs/guides/bundled-plugin.md, followed: its files keep the house rules and make a plugin that works over the wire. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { tidy } from "../../scripts/tidy.ts";
import { bundledFiles } from "../../scripts/bundled-lists.ts";
import { BUNDLED } from "../../src/bundled.ts";
import type { Plugin } from "../../src/plugins/sdk.ts";
import type { PluginProtocol } from "../../src/protocol/plugin/plugin-protocol.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { story } from "../journeys/story.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const guide = readFileSync(join(ROOT, "docs/guides/bundled-plugin.md"), "utf8");
const files = [...guide.matchAll(/^```ts (src\/\S+)\n([\s\S]*?)^```$/gm)].map(([, path = "", text = ""]) => ({
  path,
  text,
}));

/** A folder of the guide's files beside the real ones: what it imports of the gateway is the gateway's own. */
function planted(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const { path, text } of files) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    const own = (specifier: string): string => join(dirname(path), specifier);
    const imports = text.replaceAll(/from "(\.[^"]+)"/g, (whole, specifier: string) =>
      own(specifier).startsWith("src/lamp/") ? whole : `from "${join(ROOT, own(specifier))}"`,
    );
    writeFileSync(place, imports);
  }
  return folder;
}

it("[PG-02] the guide's folder keeps the house rules without a row of its own in the import table", () => {
  expect(files.map(({ path }) => path)).toContain("src/lamp/plugin.ts");
  const about = (problem: string): boolean => problem.startsWith("src/lamp");
  expect(tidy(files).problems.filter(about)).toEqual([]);
  const reaching = { path: "src/lamp/slice.ts", text: '/** The lamp. */\nimport { x } from "../engine/engine.ts";\n' };
  expect(tidy([...files, reaching]).problems.filter(about)).toEqual([
    "src/lamp/slice.ts: may not import src/engine/engine.ts",
  ]);
});

const Modules = z.object({ startPlugin: z.custom<() => Plugin>(), lampProtocol: z.custom<PluginProtocol>() });

async function loaded(): Promise<z.infer<typeof Modules>> {
  const folder = planted();
  const load = (path: string): Promise<object> => import(pathToFileURL(join(folder, path)).href) as Promise<object>;
  return Modules.parse({ ...(await load("src/lamp/plugin.ts")), ...(await load("src/lamp/protocol/index.ts")) });
}

it("[PG-02] the lists that are written from src/bundled.ts are up to date: run npm run fix", () => {
  for (const [path, text] of Object.entries(bundledFiles())) expect(readFileSync(join(ROOT, path), "utf8")).toBe(text);
});

it("[PG-02] one line in the list brings the guide's plugin into every other", async () => {
  const { lampProtocol } = await loaded();
  const added = (path: string, made: Record<string, string>): string[] => {
    const before = new Set(readFileSync(join(ROOT, path), "utf8").split("\n"));
    return (made[path] ?? "").split("\n").filter((line) => !before.has(line));
  };
  const made = bundledFiles([...BUNDLED, lampProtocol], () => true);
  expect(added("src/gateway/plugins/start-bundled.ts", made)).toEqual([
    'import { startPlugin as lamp } from "../../lamp/plugin.ts";',
    "  lamp,",
  ]);
  expect(added("ui/i18n/plugin-texts.ts", made)).toEqual([
    'import { texts as lamp } from "../../src/lamp/texts/index.ts";',
    "export const PLUGIN_TEXTS = [planMode, subAgents, scheduler, channels, houseCommands, codeMode, changes, library, lamp];",
  ]);
  expect(added("src/client/bundled-methods.ts", made)).toEqual([]); // it changes nothing by a method
  const keyed = { params: z.strictObject({ idempotencyKey: z.string().optional() }), result: z.strictObject({}) };
  const methods = { "lamp.light": { scope: "operator.write", summary: "", ...keyed } } as const;
  const changing = bundledFiles([...BUNDLED, { ...lampProtocol, methods, onceOnly: ["lamp.break"] }], () => false);
  expect(added("src/client/bundled-methods.ts", changing)).toEqual([
    '  "lamp.light": true,',
    'export const BUNDLED_ONCE_ONLY = ["plans.share", "plans.seed", "lamp.break"] as const;',
  ]);
});

it("[PG-02, GW-01] a newcomer who copies the guide's folder has a plugin that answers over the wire", async () => {
  const { startPlugin, lampProtocol } = await loaded();
  const lampPlugin = startPlugin();
  expect([lampPlugin.id, Object.keys(lampProtocol.patchFields)]).toEqual(["lamp", ["lampColour"]]);
  const { start, person } = story();
  await start(scriptedModel([]), { plugins: [{ plugin: lampPlugin, tier: "bundled" }] });
  const alice = await person();
  const sessionId = await alice.open();
  await alice.client.call("sessions.patch", { sessionId, field: "lampColour", value: "red" });
  await alice.until("lamp.switched");
  expect(await alice.client.call("lamp.show" as never, { sessionId } as never)).toEqual({ colour: "red" });
  expect(await alice.say(sessionId, "/lamp green")).toBe("The lamp is green.");
  const { plugins } = await alice.client.call("ui.texts", { language: "de" });
  expect(plugins).toEqual([{ pluginId: "lamp", texts: { lit: "Die Lampe ist {colour}." } }]);
});
