/**
 * Builds the page from `ui/` into a folder: modules with their content's hash in the name and `page.json` last of all, so
 * that a folder with it is whole. Compressing takes most of the time and no browser has to wait for it, so it is a step of
 * its own. Loaded only by whoever builds.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, posix, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuildOptions, Metafile } from "esbuild";
import { withBundler } from "../../runner/bundler.ts";
import { packStyles } from "./pack-styles.ts";
import { gatherFirstLoad } from "./gather-first-load.ts";
import { ENDING, MANIFEST, type PageFile, type PageManifest } from "./page-manifest.ts";

/** Smaller files gain nothing: they fit into one packet with their headers anyway. */
const COMPRESSED_BYTES_MIN = 512;
const ASSETS = "assets";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
const PACKED_ALREADY = new Set([".png", ".webp", ".woff2", ".ico"]);

/** The whole page, compressed. `root` holds `ui/`. A folder that is there already is replaced. */
export async function buildPage(root: string, folder: string): Promise<PageManifest> {
  return packPage(folder, await bundlePage(root, folder));
}

/** A page that can be served, without compressed forms. */
export async function bundlePage(root: string, folder: string): Promise<PageManifest> {
  const making = `${folder}.${process.pid}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  const main = await bundleModules(root, making);
  await writeFile(join(making, "index.html"), await indexHtml(root, main));
  await copyPublic(root, making);
  await bundleServiceWorker(root, making, main);
  const manifest = { packed: false, files: await described(making) };
  await writeManifest(making, manifest);
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
  return manifest;
}

/** Writes the compressed forms beside the files of a page that may be served meanwhile. Between two files it can be ended. */
export async function packPage(folder: string, { files }: PageManifest, signal?: AbortSignal): Promise<PageManifest> {
  const packed: Record<string, PageFile> = {};
  for (const [path, file] of Object.entries(files)) {
    signal?.throwIfAborted();
    packed[path] = { ...file, encodings: await compress(join(folder, file.file)) };
  }
  const manifest = { packed: true, files: packed };
  await writeManifest(folder, manifest);
  return manifest;
}

async function writeManifest(folder: string, manifest: PageManifest): Promise<void> {
  const making = join(folder, `${MANIFEST}.${process.pid}.making`);
  await writeFile(making, `${JSON.stringify(manifest, null, 1)}\n`);
  await rename(making, join(folder, MANIFEST));
}

/** What the first view needs, by address. */
type FirstLoad = { script: string; shared: string[]; styles: string[] };

const options = (root: string): BuildOptions => ({
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "browser",
  target: ["chrome111", "firefox114", "safari16.4"],
  minify: true,
  legalComments: "none",
  charset: "utf8",
  loader: { ".svg": "text", ".woff2": "file" },
  logLevel: "silent",
});

async function bundleModules(root: string, folder: string): Promise<FirstLoad> {
  const { metafile } = await withBundler((build) =>
    build({
      ...options(root),
      plugins: [packStyles],
      entryPoints: { main: "ui/main.ts" },
      outdir: join(folder, ASSETS),
      splitting: true, // what a view loads lazily, the first load does not carry
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      assetNames: "[name]-[hash]",
      publicPath: `/${ASSETS}/`,
      metafile: true,
    }),
  );
  const { script, shared, styles } = firstLoad(metafile);
  const parts = { script: basename(script), shared: shared.map((path) => basename(path)), options: options(root) };
  const gathered = await gatherFirstLoad(join(folder, ASSETS), parts);
  return { script: addressOf(gathered.script), shared: [addressOf(gathered.shared)], styles };
}

function firstLoad({ outputs }: Metafile): FirstLoad {
  const entry = Object.entries(outputs).find(([, output]) => output.entryPoint === "ui/main.ts");
  if (entry === undefined) throw new Error("ui/main.ts was not built");
  const [script, { cssBundle }] = entry;
  const needed = new Set([script]);
  for (const path of needed) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") needed.add(imported);
    }
  }
  needed.delete(script);
  const styles = cssBundle === undefined ? [] : [addressOf(cssBundle)];
  return { script: addressOf(script), shared: [...needed].map(addressOf), styles };
}

const addressOf = (output: string): string => `/${ASSETS}/${basename(output)}`;

const MAIN_SCRIPT = /<script type="module" src="[./]*main\.ts"><\/script>/;

/** Nothing is written into the page itself: its policy lets no inline script or style run. */
async function indexHtml(root: string, { script, shared, styles }: FirstLoad): Promise<string> {
  const text = await readFile(join(root, "ui", "index.html"), "utf8");
  if (!MAIN_SCRIPT.test(text))
    throw new Error('ui/index.html must load <script type="module" src="./main.ts"></script>');
  // As scripts and not as preloads: what a service worker answered, browsers do not take for a preload, and load it twice.
  const lines = [
    ...styles.map((path) => `<link rel="stylesheet" href="${path}">`),
    ...[script, ...shared].map((path) => `<script type="module" src="${path}"></script>`),
  ];
  return text.replace(MAIN_SCRIPT, () => lines.join("\n    "));
}

async function copyPublic(root: string, folder: string): Promise<void> {
  const from = join(root, "ui", "public");
  if (!existsSync(from)) return;
  for (const path of filesIn(from)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(join(from, path), join(folder, path));
  }
}

/** It knows the first load by name: that is what the page needs to open without the gateway. */
async function bundleServiceWorker(root: string, folder: string, main: FirstLoad): Promise<void> {
  if (!existsSync(join(root, "ui", "sw.ts"))) return;
  const index = await readFile(join(folder, "index.html"));
  const assets = ["/", main.script, ...main.shared, ...main.styles];
  const version = createHash("sha256").update(index).digest("hex").slice(0, 16);
  const define = { __PAGE_ASSETS__: JSON.stringify(assets), __PAGE_VERSION__: JSON.stringify(version) };
  await withBundler((build) => build({ ...options(root), entryPoints: { sw: "ui/sw.ts" }, outdir: folder, define }));
}

const filesIn = (folder: string): string[] =>
  globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();

async function described(folder: string): Promise<Record<string, PageFile>> {
  const files: Record<string, PageFile> = {};
  for (const path of filesIn(folder)) files[`/${path.split(sep).join(posix.sep)}`] = await describe(folder, path);
  return files;
}

async function describe(folder: string, file: string): Promise<PageFile> {
  const ending = extname(file);
  const type = TYPES[ending];
  if (type === undefined) throw new Error(`${file}: no type is known for ${ending || "a file without ending"}`);
  const bytes = await readFile(join(folder, file));
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { file, type, hash, immutable: file.startsWith(`${ASSETS}${sep}`), encodings: [] };
}

async function compress(path: string): Promise<PageFile["encodings"]> {
  if (PACKED_ALREADY.has(extname(path))) return [];
  const bytes = await readFile(path);
  if (bytes.length < COMPRESSED_BYTES_MIN) return [];
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}${ENDING.br}`, await promisify(brotliCompress)(bytes, { params: quality }));
  await writeFile(`${path}${ENDING.gzip}`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
  const sizeOf = async (ending: string): Promise<number> => (await stat(`${path}${ending}`)).size;
  const better = await Promise.all(
    (["br", "gzip"] as const).map(async (name) => ((await sizeOf(ENDING[name])) < bytes.length * 0.95 ? [name] : [])),
  );
  return better.flat();
}
