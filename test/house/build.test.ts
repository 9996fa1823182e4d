/** The bundle of a small house: workers, lazy parts and the manifest are found from dist/ as they were from src/. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isBundleOfSources } from "../../bin/bundled-sources.js";
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

it("says of which sources it was made", async () => {
  const root = house(sources);
  await bundle(root);
  expect(isBundleOfSources(root)).toBe(true);
  writeFileSync(join(root, "src/client/index.ts"), "export const client: number = 22;\n");
  expect(isBundleOfSources(root)).toBe(false);
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

it("a start reads its parts joined in few files, and what is imported lazily is still found", async () => {
  const read = (name: string, from: string): string =>
    `import { counted } from "${from}";\nexport const ${name} = counted("${name}");\n`;
  const root = house({
    ...sources,
    "src/main.ts": `
      import { all } from "./all.ts";
      const { start } = await import("./cli/commands/start.ts");
      process.stdout.write([all, await start(), (await import("./cli/commands/list.ts")).list, (await import("./lazy.ts")).lazy].join(" "));
    `,
    "src/counted.ts": "let count = 0;\nexport const counted = (name: string): string => `${name}${(count += 1)}`;\n",
    "src/all.ts": read("all", "./counted.ts"),
    "src/parts.ts": read("parts", "./counted.ts"),
    "src/lazy.ts": 'import { inside } from "./inside.ts";\nexport const lazy = `lazy of ${inside}`;\n',
    "src/inside.ts": read("inside", "./counted.ts"),
    "src/cli/commands/list.ts": 'import { parts } from "../../parts.ts";\nexport const list = `list of ${parts}`;\n',
    "src/cli/commands/start.ts": `
      import { parts } from "../../parts.ts";
      export const start = async () => \`\${parts} \${(await import("../../compose/index.ts")).composed}\`;
    `,
    "src/compose/index.ts":
      'import { inside } from "../inside.ts";\nexport const composed = `composed of ${inside}`;\n',
  });
  await bundle(root);
  const said = execFileSync(process.execPath, [join(root, "dist/holdpoint.js")], { encoding: "utf8" });
  expect(said).toBe("all1 parts2 composed of inside3 list of parts2 lazy of inside3"); // each was run once
  const joined = globSync("joined-*.js", { cwd: join(root, "dist") }).toSorted();
  expect(joined).toEqual([
    expect.stringMatching(/^joined-[\da-f]{8}\.js$/),
    "joined-all-commands.js",
    "joined-gateway.js",
    "joined-opening.js",
  ]);
  const list = globSync(join(root, "dist/chunk-*.js")).find((path) => readFileSync(path, "utf8").includes("list of"));
  expect(readFileSync(list ?? "", "utf8")).not.toContain("joined-gateway"); // a command reads nothing of the gateway's own
});

it("refuses two bundles of one name", async () => {
  const twin = 'new URL("./client.ts", import.meta.url);\n';
  await expect(bundle(house({ ...sources, "src/agent/turn.ts": twin }))).rejects.toThrow("two bundles of one name");
});

it("refuses to build nothing", async () => {
  await expect(bundle(house({ "package.json": "{}" }))).rejects.toThrow("src/main.ts is missing");
});

it("keeps no character that makes a file take twice its memory, and means the same", async () => {
  const tests = String.raw`[/^[’…]$/.test("’"), /^[👍]$/u.test("👍"), /^\\’$/.test("\\’"), /^\…$/.test("…")]`;
  const root = house({
    ...sources,
    "src/main.ts": `process.stdout.write(JSON.stringify([${tests}, "–".length]));\n`,
    "src/client/index.ts": "export const dash = /–/;\n",
    "src/plugins/sdk.ts": "export const raw = String.raw`–\\u2013`;\n",
  });
  await bundle(root);
  const program = execFileSync(process.execPath, [join(root, "dist/holdpoint.js")], { encoding: "utf8" });
  expect(JSON.parse(program)).toEqual([[true, true, true, true], 1]);
  expect(readFileSync(join(root, "dist/client.js"), "utf8")).toContain(String.raw`/\u2013/`);
  expect(readFileSync(join(root, "dist/plugin.js"), "utf8")).toContain("–");
});
