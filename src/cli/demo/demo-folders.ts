/** A small project to throw away, and what became of it. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createTwoFilesPatch } from "diff";

const FILES: Record<string, string> = {
  "README.md": "# Lighthouse\n\nA lamp that turns itself on at dusk.\n",
  "package.json": '{ "name": "lighthouse", "scripts": { "start": "node lamp.js" } }\n',
  "lamp.js": 'console.log("on");\n',
};

const FILES_MAX = 1_000;

export type DemoFolders = { root: string; home: string; workspace: string; remove(): Promise<void> };

export async function makeDemoFolders(): Promise<DemoFolders> {
  const root = await mkdtemp(join(tmpdir(), "holdpoint-demo-"));
  const [home, workspace] = [join(root, "home"), join(root, "lighthouse")];
  await mkdir(workspace);
  await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(join(workspace, name), text)));
  return { root, home, workspace, remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Every file's text by its path. */
export async function snapshot(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).slice(0, FILES_MAX);
  const texts = await Promise.all(
    paths.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path), await readFile(path, "utf8")] as const;
    }),
  );
  return new Map(texts.toSorted(([a], [b]) => a.localeCompare(b)));
}

/** A unified diff of all files that differ; empty when none does. */
export function diffOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const [from, to] = [before.has(name) ? `a/${name}` : "/dev/null", after.has(name) ? `b/${name}` : "/dev/null"];
      return createTwoFilesPatch(from, to, before.get(name) ?? "", after.get(name) ?? "").replace(/^=+\n/, "");
    })
    .join("");
}
