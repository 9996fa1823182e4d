/**
 * Which plugins there are: those in `<home>/plugins/<id>/`, and those in folders that the configuration names. Nothing
 * else is looked at, a workspace least of all. Only manifests are read.
 */
import { lstat, open, readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { parseManifest } from "../../../plugins/packages/manifest.ts";
import {
  MANIFEST_BYTES_MAX,
  MANIFEST_FILE,
  PluginId,
  type PluginManifest,
} from "../../../protocol/plugin/plugin-manifest.ts";
import { type PluginProblem, PLUGINS_MAX } from "../../../protocol/plugin/plugin-packages.ts";
import { type LocalizedText, localized } from "../../../protocol/localized/localized-text.ts";
import { problemOf } from "./problem-words.ts";

const OTHERS_WRITE = 0o002;

export type FoundPlugin = {
  manifest: PluginManifest;
  folder: string;
  at: "home" | "path";
  /** Why it is missing or unreadable. Then only the part of its manifest that was agreed to is known. */
  lost?: LocalizedText;
};
export type Found = { plugins: Map<string, FoundPlugin>; problems: PluginProblem[] };
export type Places = { home: string; paths: readonly string[]; bundled: ReadonlySet<string> };

export const pluginsFolder = (home: string): string => join(home, "plugins");

/** Of two plugins with one id the first counts: the plugins folder before the configured folders, those in their order. */
export async function discover(places: Places): Promise<Found> {
  const plugins = new Map<string, FoundPlugin>();
  const problems: PluginProblem[] = [];
  const candidates = [
    ...(await inHome(places.home, problems)),
    ...places.paths.map((folder) => ({ folder, at: "path" as const })),
  ];
  if (candidates.length > PLUGINS_MAX)
    problems.push(problemOf("-", localized("pluginsMax", { max: PLUGINS_MAX }), localized("advice_fewer")));
  for (const { folder, at } of candidates.slice(0, PLUGINS_MAX)) {
    const read = await readPlugin(folder, at);
    const problem =
      "problem" in read
        ? localized("folderProblem", { folder, problem: read.problem })
        : clash({ id: read.manifest.id, folder }, plugins, places.bundled);
    if (problem === undefined && "manifest" in read)
      plugins.set(read.manifest.id, { manifest: read.manifest, folder, at });
    else if (problem !== undefined)
      problems.push(problemOf("manifest" in read ? read.manifest.id : lastName(folder), problem, ADVICE));
  }
  return { plugins, problems };
}

const ADVICE = localized("advice_folder");
const lastName = (folder: string): string => folder.split(/[/\\]/).at(-1) ?? folder;

type Place = { id: string; folder: string };

function clash(
  { id: plugin, folder }: Place,
  plugins: Found["plugins"],
  bundled: ReadonlySet<string>,
): LocalizedText | undefined {
  if (bundled.has(plugin)) return localized("pluginClash", { folder, plugin });
  const other = plugins.get(plugin);
  return other === undefined ? undefined : localized("pluginThere", { folder, plugin, other: other.folder });
}

type Candidate = { folder: string; at: FoundPlugin["at"] };

/** Names that begin with a dot are installations under way. */
async function inHome(home: string, problems: PluginProblem[]): Promise<Candidate[]> {
  const root = pluginsFolder(home);
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const named = entries.filter(({ name }) => !name.startsWith("."));
  for (const entry of named.filter((one) => !one.isDirectory()))
    problems.push(problemOf(entry.name, localized("notAFolder", { path: join(root, entry.name) }), ADVICE));
  return named
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ folder: join(root, name), at: "home" as const }))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

type ReadPlugin = { manifest: PluginManifest } | { problem: string };

/** The manifest of a folder, and nothing else of it. */
async function readPlugin(folder: string, at: FoundPlugin["at"]): Promise<ReadPlugin> {
  if (!isAbsolute(folder)) return { problem: "name the whole path of the folder" };
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return { problem: "there is no such folder" };
  if (process.platform !== "win32" && (found.mode & OTHERS_WRITE) !== 0)
    return { problem: "everybody may write the folder: chmod o-w, or anyone could put code into it" };
  const text = await readText(join(folder, MANIFEST_FILE));
  if ("problem" in text) return text;
  const read = parseManifest(text.text);
  if (!read.ok) return { problem: read.problem };
  if (at === "home" && PluginId.safeParse(lastName(folder)).data !== read.manifest.id)
    return { problem: `the folder must have the plugin's id as its name: ${read.manifest.id}` };
  return { manifest: read.manifest };
}

/** Not by `readFile`: the manifest of a stranger may be a pipe, a link to elsewhere, or endless. */
async function readText(file: string): Promise<{ text: string } | { problem: string }> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return { problem: `it has no ${MANIFEST_FILE}` };
  if (!found.isFile()) return { problem: `${MANIFEST_FILE} is no plain file` };
  if (found.size > MANIFEST_BYTES_MAX)
    return { problem: `${MANIFEST_FILE} is larger than ${MANIFEST_BYTES_MAX} bytes` };
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(MANIFEST_BYTES_MAX + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { text: buffer.toString("utf8", 0, bytesRead) };
  } finally {
    await handle.close();
  }
}
