/**
 * Where the page comes from.
 *
 *   installed package ──▶ dist/page, built with it
 *   clone ──first request──▶ built from ui/ into the home's cache, under the hash of its sources
 *                              └──changed, and somebody asked to watch──▶ built again
 *
 * Never from a cache beside the sources, and once in a gateway's life unless somebody asked for more: an agent may work in
 * that folder, and what runs in the page can sign.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuiltPage, readBuiltPage } from "./page-manifest.ts";

const ROOT = fileURLToPath(new URL("../../../package.json", import.meta.url)).slice(0, -"package.json".length);
/** Sources that are watched, or could not be built, are looked at again no more often than this. */
const LOOK_EVERY_MS = 1_000;
const SOURCES_MAX = 2_000;
const SOURCES = ["ui/**/*", "src/client/**/*.ts", "src/protocol/**/*.ts", "src/gateway/page/build-page.ts"];
/** Built pages that stay: tabs opened before a change still find their modules for a while. */
const KEPT_MAX = 3;

export type NoPage = { missing: string };
export type FindPage = () => Promise<BuiltPage | NoPage>;

/**
 * `root` is the package: with `ui/` in a clone, with `dist/page/` where it was installed. `watch`: a person works on the
 * page and wants to see each change.
 */
export type PagePlace = { home: string; root?: string; watch?: boolean };

export function createFindPage({ home, root = ROOT, watch = false }: PagePlace): FindPage {
  let found: { page: Promise<BuiltPage | NoPage>; atMs: number } | undefined;
  const inClone = import.meta.url.endsWith(".ts"); // an old dist/ beside the sources says nothing about them
  const lookAgain = async (before: Promise<BuiltPage | NoPage>): Promise<BuiltPage | NoPage> => {
    const page = await before; // of two builds at once one would be in vain
    return watch || "missing" in page ? built(root, home) : page;
  };
  return () => {
    if (found === undefined) found = { page: inClone ? built(root, home) : delivered(root), atMs: performance.now() };
    else if (inClone && performance.now() - found.atMs >= LOOK_EVERY_MS)
      found = { page: lookAgain(found.page), atMs: performance.now() };
    return found.page;
  };
}

async function delivered(root: string): Promise<BuiltPage | NoPage> {
  return (
    (await readBuiltPage(join(root, "dist", "page"))) ?? { missing: "Install Holdpoint again: dist/page is not there." }
  );
}

async function built(root: string, home: string): Promise<BuiltPage | NoPage> {
  if (!existsSync(join(root, "ui", "main.ts"))) return { missing: "ui/main.ts is not there: get the sources again." };
  const pages = join(home, "cache", "page");
  const folder = join(pages, await sourcesHash(root));
  const before = await readBuiltPage(folder);
  if (before !== undefined) return before;
  try {
    const { buildPage } = await import("./build-page.ts");
    await buildPage(root, folder);
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
  await forgetOld(pages);
  return (await readBuiltPage(folder)) ?? { missing: "What was built cannot be read again." };
}

async function sourcesHash(root: string): Promise<string> {
  const paths = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .slice(0, SOURCES_MAX);
  const sum = createHash("sha256");
  for (const path of [join(root, "package-lock.json"), ...paths]) {
    sum
      .update(path.slice(root.length))
      .update("\0")
      .update(await readFile(path).catch(() => ""));
  }
  return sum.digest("hex").slice(0, 32);
}

async function forgetOld(pages: string): Promise<void> {
  const { stat } = await import("node:fs/promises");
  const names = await readdir(pages);
  const dated = await Promise.all(names.map(async (name) => ({ name, atMs: (await stat(join(pages, name))).mtimeMs })));
  const old = dated.toSorted((a, b) => b.atMs - a.atMs).slice(KEPT_MAX);
  for (const { name } of old) await rm(join(pages, name), { recursive: true, force: true });
}
