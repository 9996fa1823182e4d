/** Every plugin with how it stands, and everything that is wrong with them. */
import type { PluginList, PluginProblem } from "../../../protocol/plugin-packages.ts";
import type { Found } from "./discover.ts";
import type { PackageParts } from "./package-parts.ts";
import { readRecords, type Records, RecordsUnreadable } from "./record-file.ts";
import { changedFiles, type Known, standingOf, viewOf } from "./standing.ts";

export type Listing = { parts: PackageParts; find(): Promise<Found>; check: boolean };

export async function listPlugins({ parts, find, check }: Listing): Promise<PluginList> {
  const { plugins, problems } = await find();
  const settings = parts.settings();
  const records = await recordsOr(parts.home, problems);
  const all = [...plugins.values()].map((found): Known => ({ found, record: records[found.manifest.id], settings }));
  const views = all.map((known) => viewOf(known, parts.live?.(known.found.manifest.id)));
  if (check) for (const known of all) problems.push(...(await problemsOf(known)));
  problems.push(
    ...absent(Object.keys(records), plugins).map((id) => ({
      id,
      problem: "It is recorded, and its folder is gone or cannot be used.",
      advice: `Install it again, or: holdpoint plugins remove ${id}`,
    })),
    ...absent(Object.keys(settings.entries), plugins).map((id) => ({
      id,
      problem: `plugins.entries.${id} is in the configuration, and there is no such plugin.`,
      advice: `Install it, or: holdpoint config unset plugins.entries.${id}`,
    })),
  );
  return { plugins: [...parts.bundled, ...views.toSorted((a, b) => (a.id < b.id ? -1 : 1))], problems };
}

const absent = (ids: string[], plugins: Found["plugins"]): string[] => ids.filter((id) => !plugins.has(id));

async function recordsOr(home: string, problems: PluginProblem[]): Promise<Records> {
  try {
    return await readRecords(home);
  } catch (error) {
    if (!(error instanceof RecordsUnreadable)) throw error;
    problems.push({ id: "-", problem: error.message, advice: "Mend plugins.json, or remove it and decide anew." });
    return {};
  }
}

async function problemsOf(known: Known): Promise<PluginProblem[]> {
  const { id } = known.found.manifest;
  const standing = standingOf(known);
  if (standing.standing === "disabled")
    return known.record?.disabledBy === undefined
      ? []
      : [{ id, problem: standing.because, advice: `When it is mended: holdpoint plugins enable ${id}` }];
  if (standing.standing === "refused") return [{ id, problem: standing.because, advice: "" }];
  const changed = await changedFiles(known);
  return changed === undefined ? [] : [{ id, problem: changed, advice: "It is not loaded until then." }];
}
