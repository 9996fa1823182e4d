import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url).href;
const READY = "Holdpoint serves at";

/** Packages that some gateways need and others never do. */
const SELDOM_PACKAGES = [
  "@ai-sdk/",
  "@modelcontextprotocol/",
  "@vscode/ripgrep/",
  "croner/",
  "esbuild/",
  "pg/",
  "prom-client/",
];

/** Our own parts of that kind. */
const SELDOM_FOLDERS = [
  "src/agent/providers/",
  "src/cli/chat/",
  "src/client/",
  "src/gateway/page/build-page.ts",
  "src/gateway/page/find-page.ts",
  "src/plan-mode/render/export/",
  "src/plugins/isolated/guest/",
  "src/plugins/isolated/isolated-plugin.ts",
  "src/store/postgres/",
  "src/store/memory/",
  "src/testing/",
  "src/tools/web/get-page.ts",
  "src/tools/web/page-text.ts",
];

/** Parts of Node itself: this one is all of fetch, which an `import` of node:http loads as well. */
const SELDOM_BUILTINS = ["internal/deps/undici/undici"];

/** Each reads the tables of a language from disk when it is made: some ten milliseconds and 3 MB. */
const LANGUAGE_TABLES = ["Collator", "DateTimeFormat", "ListFormat", "NumberFormat", "PluralRules", "Segmenter"];

type Loaded = { modules: string[]; builtins: string[]; tables: string[] };

/** `holdpoint start` in a process of its own, ended as soon as it serves: the address of everything that it loaded. */
async function loadedByStart(): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-start-up-"));
  const listener = join(folder, "listener.mjs");
  const list = join(folder, "loaded.json");
  writeFileSync(
    listener,
    `import { writeFileSync } from "node:fs";
     import { registerHooks } from "node:module";
     import { isMainThread } from "node:worker_threads";
     const modules = [];
     const tables = [];
     const builtins = () => process.moduleLoadList.map((name) => name.replace("NativeModule ", ""));
     const told = () => JSON.stringify({ modules, builtins: builtins(), tables });
     const heard = (name) => ({ construct: (made, args) => (tables.push(name), Reflect.construct(made, args)) });
     if (isMainThread) {
       for (const name of ${JSON.stringify(LANGUAGE_TABLES)}) Intl[name] = new Proxy(Intl[name], heard(name));
       registerHooks({ load: (url, context, next) => (modules.push(url), next(url, context)) });
       process.once("exit", () => writeFileSync(${JSON.stringify(list)}, told()));
     }`,
  );
  const main = new URL("src/main.ts", ROOT).pathname;
  const child = spawn(process.execPath, ["--import", listener, main, "start", "--port", "0", "--workspace", folder], {
    env: { PATH: process.env["PATH"], HOLDPOINT_HOME: join(folder, "home") },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (text.includes(READY)) child.kill("SIGTERM");
  });
  await ended;
  const loaded = JSON.parse(readFileSync(list, "utf8")) as Loaded;
  rmSync(folder, { recursive: true, force: true });
  return loaded;
}

it("has loaded fetch, too, when its model is preloaded: the first turn must not wait for it", () => {
  const program = `
    const { createModelRegistry } = await import(${JSON.stringify(`${ROOT}src/agent/model-registry.ts`)});
    await createModelRegistry({ configured: () => ({ providers: [], models: [] }) }).preload("openai/any");
    process.stdout.write(JSON.stringify(process.moduleLoadList));`;
  const args = ["--input-type=module", "--eval", program];
  const builtins = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as string[];
  expect(builtins).toEqual(expect.arrayContaining(SELDOM_BUILTINS.map((name) => `NativeModule ${name}`)));
});

describe("a gateway that was started and has nothing to do", () => {
  let loaded: string[] = [];
  let builtins: string[] = [];
  let tables: string[] = [];
  beforeAll(async () => {
    ({ modules: loaded, builtins, tables } = await loadedByStart());
  });

  it("has loaded the gateway", () => {
    expect(loaded).toContain(`${ROOT}src/gateway.ts`);
    expect(loaded.length).toBeGreaterThan(100);
  });

  it.each(SELDOM_PACKAGES)("has not loaded the package %s", (name) => {
    expect(loaded.filter((url) => url.includes(`/node_modules/${name}`))).toEqual([]);
  });

  it.each(SELDOM_FOLDERS)("has not loaded %s", (path) => {
    expect(loaded.filter((url) => url.startsWith(ROOT + path))).toEqual([]);
  });

  it.each(SELDOM_BUILTINS)("has not loaded Node's %s", (name) => {
    expect(builtins).toContain("http");
    expect(builtins).not.toContain(name);
  });

  it("has read the tables of no language", () => {
    expect(tables).toEqual([]);
  });

  it("has loaded one command, the one that was called", () => {
    const commands = loaded.filter((url) => url.startsWith(`${ROOT}src/cli/commands/`));
    expect(commands).toEqual([`${ROOT}src/cli/commands/start.ts`]);
  });
});
