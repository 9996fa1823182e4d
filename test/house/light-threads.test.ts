/** Threads and processes that start with the gateway, or often: what they load is paid at each start, in time and in memory. */
import { expect, it } from "vitest";
import { dirname, join, normalize } from "node:path";
import { existsSync, readFileSync } from "node:fs";

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\bfrom\s+)?"([^"]+)"/gm;

/** Everything that is loaded with a file; an import of types alone is none. */
function loadedWith(entry: string, seen = new Map<string, string[]>()): ReadonlyMap<string, string[]> {
  if (seen.has(entry) || !existsSync(entry)) return seen;
  const text = readFileSync(entry, "utf8");
  const specifiers = [...text.matchAll(IMPORT)]
    .filter(([clause]) => !/^(?:import|export)\s*\{(?:\s*type\s[^,}]+,?)+\s*\}/.test(clause))
    .map(([, specifier = ""]) => specifier);
  seen.set(entry, specifiers);
  for (const specifier of specifiers)
    if (specifier.startsWith(".")) loadedWith(normalize(join(dirname(entry), specifier)), seen);
  return seen;
}

const packagesOf = (entry: string): string[] =>
  [...loadedWith(entry)].flatMap(([file, specifiers]) =>
    specifiers.filter((name) => !/^(?:\.|node:)/.test(name)).map((name) => `${name} in ${file}`),
  );

it("sees packages behind other files", () => {
  expect(packagesOf("src/store/sqlite/sqlite-store.ts")).toContain("zod in src/protocol/refusal.ts");
});

it.each([
  "src/store/sqlite/writer-worker.ts",
  "src/store/sqlite/backup-worker.ts",
  "src/tools/builtin/files/file-worker.ts",
])("%s loads no package", (entry) => {
  expect(loadedWith(entry).size).toBeGreaterThan(2);
  expect(packagesOf(entry)).toEqual([]);
});
