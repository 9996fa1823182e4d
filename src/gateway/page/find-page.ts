/**
 * Where the page comes from.
 *
 *   installed package ──▶ dist/page, built with it
 *   clone ──first request──▶ bundled from ui/ into the home's cache, under the hash of its sources ──▶ compressed, while served
 *                              └──changed, and somebody asked to watch──▶ built again
 *
 * Never from a cache beside the sources, and once in a gateway's life unless somebody asked for more: an agent may work in
 * that folder, and what runs in the page can sign.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type BuiltPage, readBuiltPage } from "./page-manifest.ts";

const ROOT = fileURLToPath(new URL("../../../package.json", import.meta.url)).slice(0, -"package.json".length);
/** Sources that are watched, or could not be built, are looked at again no more often than this. */
const LOOK_EVERY_MS = 1_000;
const SOURCES_MAX = 2_000;
const SOURCES = ["ui/**/*", "src/client/**/*.ts", "src/protocol/**/*.ts", "src/gateway/page/build-page.ts"];
/** Whoever opens a page that was just built should not share the processor with its compression. */
const PACK_AFTER_MS = 5_000;
/** Built pages that stay: tabs opened before a change still find their modules for a while. */
const KEPT_MAX = 3;

export type NoPage = { missing: string };
export type FoundPage = BuiltPage | NoPage;

export type FindPage = {
  find(): Promise<FoundPage>;
  /** The page, or "building" as soon as it is known that it has to be built first. */
  findOrBuilding(): Promise<FoundPage | "building">;
  /** Resolves when nothing is left to do: the page is compressed as well. */
  settled(): Promise<void>;
  /** Ends what is under way; a page that is not compressed yet will be after the next start. */
  close(): void;
};

/**
 * `root` is the package: with `ui/` in a clone, with `dist/page/` where it was installed. `watch`: a person works on the
 * page and wants to see each change.
 */
export type PagePlace = { home: string; root?: string; watch?: boolean; packAfterMs?: number };

type Finding = { page: Promise<FoundPage>; building: Promise<"building">; atMs: number };

export function createFindPage({ home, root = ROOT, watch = false, packAfterMs = PACK_AFTER_MS }: PagePlace): FindPage {
  const closing = new AbortController();
  // whether it runs from them or from a bundle: a dist/ beside the sources says nothing about them
  const inClone = import.meta.url.endsWith(".ts") || existsSync(join(root, "ui", "main.ts"));
  let found: Finding | undefined;
  let packing: Promise<void> = Promise.resolve();
  let whole: BuiltPage | undefined;

  function finding(before?: Promise<FoundPage>): Finding {
    const started = Promise.withResolvers<"building">();
    const build = () => built({ root, home }, () => started.resolve("building"));
    const first = inClone ? build : () => delivered(root);
    // of two builds at once one would be in vain
    const again = async (last: FoundPage) => (watch || "missing" in last ? build() : last);
    const page = before === undefined ? first() : before.then(again);
    packing = Promise.all([page, packing]).then(
      ([now]) => pack(now),
      () => undefined, // whoever asked for the page is told
    );
    return { page, building: started.promise, atMs: performance.now() };
  }

  /** A failure leaves the page as it is: whole, and a little larger on its way. */
  async function pack(page: FoundPage): Promise<void> {
    if (!inClone || "missing" in page || page.packed || whole?.folder === page.folder) return;
    const { signal } = closing;
    const files = Object.fromEntries(page.files);
    await wait(packAfterMs, undefined, { signal, ref: false })
      .then(() => import("./build-page.ts"))
      .then(({ packPage }) => packPage(page.folder, { packed: false, files }, signal))
      .catch(() => undefined);
    whole = await readBuiltPage(page.folder);
  }

  const bestOf = (page: FoundPage): FoundPage =>
    whole !== undefined && "folder" in page && page.folder === whole.folder ? whole : page;

  function look(): Finding {
    if (found === undefined) found = finding();
    else if (inClone && performance.now() - found.atMs >= LOOK_EVERY_MS) found = finding(found.page);
    return found;
  }

  return {
    find: () => look().page.then(bestOf),
    async findOrBuilding() {
      const { page, building } = look();
      const first = await Promise.race([page, building]); // of two that are settled it is the first
      return first === "building" ? first : bestOf(first);
    },
    settled: () => packing,
    close: () => closing.abort(),
  };
}

async function delivered(root: string): Promise<FoundPage> {
  return (
    (await readBuiltPage(join(root, "dist", "page"))) ?? { missing: "Install Holdpoint again: dist/page is not there." }
  );
}

async function built({ root, home }: { root: string; home: string }, onBuild: () => void): Promise<FoundPage> {
  if (!existsSync(join(root, "ui", "main.ts"))) return { missing: "ui/main.ts is not there: get the sources again." };
  const pages = join(home, "cache", "page");
  const folder = join(pages, await sourcesHash(root));
  const before = await readBuiltPage(folder);
  if (before !== undefined) return before;
  onBuild();
  try {
    const { bundlePage } = await import("./build-page.ts");
    await bundlePage(root, folder);
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
