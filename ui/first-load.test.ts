/** What a person waits for before the page works: small, and without what only the gateway needs. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildPage } from "../src/gateway/page/build-page.ts";
import { ENDING, MANIFEST, type PageManifest } from "../src/gateway/page/page-manifest.ts";
import { LOCALES } from "./i18n/locales.ts";

const FIRST_LOAD_BYTES_MAX = 60 * 1024;

/** A view brings along the chunks that it shares with others. */
function withImports(folder: string, modules: readonly string[]): Set<string> {
  const needed = new Set(modules);
  for (const path of needed) {
    const text = readFileSync(join(folder, path), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import)"\/assets\/([^"]+\.js)"/g)) needed.add(`assets/${name}`);
  }
  return needed;
}

const ROOT = resolve(import.meta.dirname, "..");
const folder = join(mkdtempSync(join(tmpdir(), "holdpoint-first-load-")), "page");

beforeAll(async () => void (await buildPage(ROOT, folder)));
afterAll(() => rmSync(resolve(folder, ".."), { recursive: true }));

const assets = (): string[] => readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js"));

/** The one chunk that is called after this; of those that these modules load, where a plugin's texts have the same name. */
function chunk(name: string, loadedBy?: ReadonlySet<string>): string {
  const code = [...(loadedBy ?? [])].map((path) => readFileSync(join(folder, path), "utf8")).join("\n");
  const found = assets().filter(
    (asset) =>
      asset.startsWith(`${name}-`) &&
      HASH.test(asset.slice(name.length)) &&
      (loadedBy === undefined || code.includes(`import("/assets/${asset}")`)),
  );
  expect([name, found.length]).toEqual([name, 1]);
  return `assets/${found[0] ?? ""}`;
}

/** As browsers get it by https and on this machine, and as the bench measures it: with brotli, or as it is where that is no gain. */
function servedBytes(path: string): number {
  const { files } = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as PageManifest;
  const file = files[`/${path}`];
  if (file === undefined) throw new Error(`${path} is not served`);
  return statSync(join(folder, file.encodings.includes("br") ? `${path}${ENDING.br}` : path)).size;
}

const HASH = /^-[A-Z0-9]{8}\.js$/;

it.each(Object.keys(LOCALES))("[UI-01] the first load in %s is at most 60 KiB, compressed", (locale) => {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const modules = [...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  const language = chunk(locale, withImports(folder, modules));
  const first = ["index.html", ...withImports(folder, [...modules, language, chunk("chat-view")])];
  expect(withImports(folder, [chunk("chat-view")]).size).toBeGreaterThan(10); // else nothing is followed
  const bytes = first.reduce((sum, path) => sum + servedBytes(path), 0);
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
});

it("[UI-14] colours and drawings come only with a text that holds code or a diagram", () => {
  const views = withImports(
    folder,
    ["chat-view", "review-view", "markdown"].map((name) => chunk(name)),
  );
  for (const name of ["diagrams", "code-blocks"]) expect([name, views.has(chunk(name))]).toEqual([name, false]);
});

it("[UI-01] no part of the page carries a schema library", () => {
  for (const name of assets()) {
    expect(readFileSync(join(folder, "assets", name), "utf8")).not.toMatch(/ZodError|safeParse/);
  }
});
