/**
 * `npm run build`: bundles the sources for publishing, because Node refuses type stripping under node_modules.
 *
 *   src/main.ts → dist/holdpoint.js      src/client/index.ts → dist/client.js      src/plugins/sdk.ts → dist/plugin.js
 *   src/testing/index.ts → dist/testing.js
 *   each new URL("./x-worker.ts", import.meta.url) → dist/x-worker.js, flat beside the chunks that name it
 *   ui/ → dist/page/, with compressed forms beside the files
 *   declarations of client, plugin SDK and test kit → dist/types/
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { build as esbuild } from "esbuild";
import { buildPage } from "../src/gateway/page/build-page.ts";
import { recordSources, sourcesMark } from "../bin/bundled-sources.js";
import { joinChunks } from "./join-chunks.ts";
import { oneByteText } from "./one-byte-text.ts";

/** Large, native or seldom needed: loaded from node_modules at the moment they are wanted. */
const EXTERNAL = ["pg", "pg-native", "@vscode/ripgrep", "esbuild"];

/** Name in dist/ → source. */
type Entries = Record<string, string>;

const ENTRIES: Entries = {
  holdpoint: "src/main.ts",
  client: "src/client/index.ts",
  plugin: "src/plugins/sdk.ts",
  testing: "src/testing/index.ts",
};

const WORKER_URL = /new URL\(\s*"(\.[^"]+)\.ts"\s*,\s*import\.meta\.url\s*\)/g;

/** From whatever depth a source names it, the manifest is one step above dist/. */
const MANIFEST_URL = /new URL\(\s*"(?:\.\.\/)+package\.json"/g;

/** An error that nobody caught is printed with its line. */
const LINE_CHARS_MAX = 160;

/** CommonJS packages inside ES modules still call require(), so one is provided. */
const ASKS_FOR_REQUIRE = /\btypeof\s+require\b/;
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);\n';

function workersOf(root: string): Entries {
  const sources = globSync("src/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  const found = sources.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(WORKER_URL)].map(([, target = ""]) =>
      relative(root, resolve(root, dirname(path), `${target}.ts`)),
    ),
  );
  const workers = [...new Set(found)].map((path): [string, string] => [basename(path, ".ts"), path]);
  const names = [...Object.keys(ENTRIES), ...workers.map(([name]) => name)];
  if (new Set(names).size !== names.length) throw new Error(`two bundles of one name: ${names.join(", ")}`);
  return Object.fromEntries(workers);
}

/** All output is flat: a worker stands beside whichever chunk starts it. */
const flatUrls: Plugin = {
  name: "flat-urls",
  setup(build) {
    build.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8")
        .replaceAll(WORKER_URL, (_, target: string) => `new URL("./${basename(target)}.js", import.meta.url)`)
        .replaceAll(MANIFEST_URL, 'new URL("../package.json"');
      return { contents, loader: "ts" };
    });
  },
};

/** zod brings its messages in fifty languages; ours are written here, and English is what it falls back to by itself. */
const englishOnly: Plugin = {
  name: "english-only",
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

export async function bundle(root: string): Promise<string[]> {
  const entries = { ...ENTRIES, ...workersOf(root) };
  const present = Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(join(root, path))));
  if (!present["holdpoint"]) throw new Error("src/main.ts is missing");
  const mark = sourcesMark(root);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const outputs = (await Promise.all(programsIn(present).map((program) => outputOf(root, program)))).flat();
  mkdirSync(join(root, "dist"));
  const lines = outputs.map(({ path, text }) => {
    const whole = ASKS_FOR_REQUIRE.test(text) ? REQUIRE + text : text;
    writeFileSync(path, whole);
    return `${relative(root, path)} ${(Buffer.byteLength(whole) / 1024).toFixed(0)} KiB`;
  });
  if (mark !== undefined) recordSources(root, mark); // last: a bundle that was cut off is none
  return lines;
}

/**
 * A worker shares no memory with the program, so it shares no chunks either: it starts by reading one file, and does not
 * cut the program's code into smaller pieces.
 */
function programsIn(entries: Entries): Entries[] {
  const { alone = [], together = [] } = Object.groupBy(Object.entries(entries), ([name]) =>
    name.endsWith("-worker") ? "alone" : "together",
  );
  return [together, ...alone.map((worker) => [worker])].map((some) => Object.fromEntries(some));
}

async function outputOf(root: string, entryPoints: Entries): Promise<{ path: string; text: string }[]> {
  const options = {
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node26",
    external: EXTERNAL,
    legalComments: "none",
    minifyWhitespace: true, // a running program keeps its own text in memory; names stay, for stack traces
    lineLimit: LINE_CHARS_MAX,
    logLevel: "warning",
  } as const;
  const { outputFiles, metafile } = await esbuild({
    ...options,
    entryPoints,
    splitting: true, // what is loaded lazily stays so
    chunkNames: "chunk-[hash]",
    plugins: [flatUrls, englishOnly],
    metafile: true,
    write: false,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path, ".js"), text]));
  const joined = await joinChunks({ texts, outputs: metafile.outputs }, new Set(Object.keys(entryPoints)), options);
  return [...joined].map(([name, text]) => ({ path: join(root, "dist", `${name}.js`), text: oneByteText(text) }));
}

function declare(root: string): void {
  const tsc = join(root, "node_modules", ".bin", "tsc");
  execFileSync(tsc, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  for (const line of await bundle(root)) process.stdout.write(`${line}\n`);
  const { files } = await buildPage(root, join(root, "dist", "page"));
  process.stdout.write(`dist/page/ ${Object.keys(files).length} files\n`);
  declare(root);
  process.stdout.write("dist/types/\n");
}
