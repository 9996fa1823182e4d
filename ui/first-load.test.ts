/** What a person waits for before the page works: small, and without what only the gateway needs. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { buildPage } from "../src/gateway/page/build-page.ts";

const FIRST_LOAD_BYTES_MAX = 60 * 1024;

/** A view brings along the chunks that it shares with others. */
function withImports(folder: string, modules: readonly string[]): Set<string> {
  const needed = new Set(modules);
  for (const path of needed) {
    const text = readFileSync(join(folder, path), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) needed.add(`assets/${name}`);
  }
  return needed;
}

it("[UI-01] the first load is at most 60 KiB, compressed, and carries no schema library", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "holdpoint-first-load-")), "page");
  onTestFinished(() => rmSync(resolve(folder, ".."), { recursive: true }));
  await buildPage(resolve(import.meta.dirname, ".."), folder);
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const modules = [...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  const texts = readdirSync(join(folder, "assets")).filter((name) => /^en-\w+\.js$/.test(name));
  const conversation = readdirSync(join(folder, "assets")).filter((name) => /^chat-view-\w+\.js$/.test(name));
  const first = [
    "index.html",
    ...withImports(folder, [...modules, ...[...texts, ...conversation].map((name) => `assets/${name}`)]),
  ];
  expect([texts.length, conversation.length]).toEqual([1, 1]);
  const bytes = first.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length, 0);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
  for (const name of readdirSync(join(folder, "assets")).filter((path) => path.endsWith(".js"))) {
    expect(readFileSync(join(folder, "assets", name), "utf8")).not.toMatch(/ZodError|safeParse/);
  }
});
