/** The bundle of a small house: workers, lazy parts and the manifest are found from dist/ as they were from src/. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../scripts/build.ts";

const sources = {
  "package.json": '{ "type": "module", "version": "1.2.3" }',
  "src/main.ts": 'const { ask } = await import("./store/sqlite/open.ts");\nprocess.stdout.write(await ask());\n',
  "src/store/sqlite/open.ts": `
    import { readFileSync } from "node:fs";
    import { Worker } from "node:worker_threads";
    const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    export const ask = (): Promise<string> => new Promise((resolve) => {
      const worker = new Worker(new URL("./writer-worker.ts", import.meta.url));
      worker.once("message", (text: string) => resolve(text + " " + version));
    });
  `,
  "src/store/sqlite/writer-worker.ts":
    'import { parentPort } from "node:worker_threads";\nparentPort?.postMessage("written" satisfies string);\n',
  "src/client/index.ts": "export const client: number = 1;\n",
};

function house(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-build-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

it("runs from dist/ alone", async () => {
  const root = house(sources);
  await bundle(root);
  rmSync(join(root, "src"), { recursive: true });
  expect(execFileSync(process.execPath, [join(root, "dist/holdpoint.js")], { encoding: "utf8" })).toBe("written 1.2.3");
  expect(existsSync(join(root, "dist/client.js"))).toBe(true);
});

it("gives require() to CommonJS packages, in the one place that hands it on to them", async () => {
  const root = house({
    ...sources,
    "src/main.ts": 'import { end } from "./old.cjs";\nawait import("./new.ts");\nprocess.stdout.write(end);\n',
    "src/old.cjs": 'exports.end = require("node:os").EOL;\n',
    "src/new.ts": 'import { end } from "./old.cjs";\nprocess.stdout.write("new" + end);\n',
  });
  await bundle(root);
  expect(execFileSync(process.execPath, [join(root, "dist/holdpoint.js")], { encoding: "utf8" })).toBe("new\n\n");
  const holders = globSync(join(root, "dist/*.js")).filter((path) => /createRequire/.test(readFileSync(path, "utf8")));
  expect(holders).toHaveLength(1);
});

it("refuses two bundles of one name", async () => {
  const twin = 'new URL("./client.ts", import.meta.url);\n';
  await expect(bundle(house({ ...sources, "src/agent/turn.ts": twin }))).rejects.toThrow("two bundles of one name");
});

it("refuses to build nothing", async () => {
  await expect(bundle(house({ "package.json": "{}" }))).rejects.toThrow("src/main.ts is missing");
});
