/**
 * Puts a plugin's files into place: all of them or none.
 *
 *   files ──checked──▶ .new-<id>-<chance> ──rename──▶ <id>      (an older one steps aside as .old-<id>-<chance> first)
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { folderIntegrity } from "../../../plugins/packages/folder-files.ts";
import { parseManifest } from "../../../plugins/packages/manifest.ts";
import type { TarFile } from "../../../plugins/packages/tar.ts";
import { MANIFEST_FILE, type PluginManifest } from "../../../protocol/plugin/plugin-manifest.ts";
import { bundledPackages, PACKAGE_FILE } from "./bundled-packages.ts";
import { pluginsFolder } from "./discover.ts";
import { InstallProblem, writeFiles } from "./package-files.ts";

/** What the files say they are, checked before anything is written. */
export function manifestIn(files: readonly TarFile[]): PluginManifest {
  const file = files.find(({ path }) => path === MANIFEST_FILE);
  if (file === undefined) throw new InstallProblem(`There is no ${MANIFEST_FILE} in it: it is no plugin.`);
  const read = parseManifest(file.bytes.toString("utf8"));
  if (!read.ok) throw new InstallProblem(read.problem);
  const { entry } = read.manifest;
  if (!files.some(({ path }) => path === entry.replace(/^\.\//, "")))
    throw new InstallProblem(`${MANIFEST_FILE} names the entry ${entry}, which is not in it.`);
  const missing = notBundled(files);
  if (missing.length > 0)
    throw new InstallProblem(
      `It depends on ${missing.join(", ")}, which is not in it. Nothing is fetched for a plugin: its author must bundle what it needs (bundleDependencies in package.json, or a bundler).`,
    );
  return read.manifest;
}

function notBundled(files: readonly TarFile[]): string[] {
  const file = files.find(({ path }) => path === PACKAGE_FILE);
  if (file === undefined) return [];
  const isInside = (name: string): boolean => files.some(({ path }) => path.startsWith(`node_modules/${name}/`));
  return bundledPackages(file.bytes.toString("utf8")).filter((name) => !isInside(name));
}

export type InstalledFiles = { folder: string; integrity: string };

export async function installFiles(home: string, id: string, files: readonly TarFile[]): Promise<InstalledFiles> {
  const root = pluginsFolder(home);
  const chance = randomBytes(6).toString("hex");
  const staged = join(root, `.new-${id}-${chance}`);
  await mkdir(staged, { recursive: true, mode: 0o700 });
  try {
    await writeFiles(files, staged);
    const integrity = await folderIntegrity(staged);
    await swap(staged, { folder: join(root, id), aside: join(root, `.old-${id}-${chance}`) });
    return { folder: join(root, id), integrity };
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    throw error;
  }
}

async function swap(staged: string, { folder, aside }: { folder: string; aside: string }): Promise<void> {
  const hadOne = await rename(folder, aside).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
  try {
    await rename(staged, folder);
  } catch (error) {
    if (hadOne) await rename(aside, folder);
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

/** What a crash in the middle of an installation left: an older version comes back, the rest goes. */
export async function removeLeftovers(home: string): Promise<void> {
  const root = pluginsFolder(home);
  const names = await readdir(root).catch((): string[] => []);
  for (const name of names) {
    const [, kind = "", id = ""] = /^\.(new|old)-(.+)-[0-9a-f]{12}$/.exec(name) ?? [];
    if (kind === "") continue;
    if (kind === "old" && !names.includes(id)) await rename(join(root, name), join(root, id));
    else await rm(join(root, name), { recursive: true, force: true });
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
