/** Lists every plugin with its status, and everything that is wrong with plugins. */
import type { PluginList, PluginProblem, PluginView } from "../../../protocol/plugin/plugin-packages.ts";
import type { Found } from "./discover.ts";
import type { PackageParts } from "./package-parts.ts";
import { readRecords, type Records, RecordsUnreadable } from "./record-file.ts";
import { currentView } from "./current-view.ts";
import { changedFiles, type Known, packageStatusOf } from "./package-status.ts";
import { asIs, type LocalizedLine, localized, type LocalizedText } from "../../../protocol/localized/localized-text.ts";
import { problemOf } from "./problem-words.ts";

export type Listing = { parts: PackageParts; find(): Promise<Found>; check: boolean };

export async function listPlugins({ parts, find, check }: Listing): Promise<PluginList> {
  const { plugins, problems } = await find();
  const settings = parts.settings();
  const records = await recordsOr(parts.home, problems);
  const all = [...plugins.values()].map((found): Known => ({ found, record: records[found.manifest.id], settings }));
  const views = await Promise.all(all.map((known) => currentView(known, parts)));
  if (check) for (const [index, known] of all.entries()) problems.push(...(await problemsOf(known, views[index])));
  problems.push(
    ...absent(Object.keys(records), plugins).map((id) =>
      problemOf(id, localized("recordedGone"), localized("advice_reinstall", { plugin: id })),
    ),
    ...absent(Object.keys(settings.entries), plugins).map((id) =>
      problemOf(id, localized("configuredGone", { plugin: id }), localized("advice_install", { plugin: id })),
    ),
  );
  return { plugins: [...parts.bundled, ...views.toSorted((a, b) => (a.id < b.id ? -1 : 1))], problems };
}

const absent = (ids: string[], plugins: Found["plugins"]): string[] => ids.filter((id) => !plugins.has(id));

async function recordsOr(home: string, problems: PluginProblem[]): Promise<Records> {
  try {
    return await readRecords(home);
  } catch (error) {
    if (!(error instanceof RecordsUnreadable)) throw error;
    problems.push(problemOf("-", asIs(error.message), localized("advice_records")));
    return {};
  }
}

async function problemsOf(known: Known, view: PluginView | undefined): Promise<PluginProblem[]> {
  const { id } = known.found.manifest;
  const status = packageStatusOf(known);
  if (status.standing === "disabled")
    return known.record?.disabledBy === undefined
      ? []
      : [problemOf(id, whyOf(status), localized("advice_mended", { plugin: id }))];
  if (status.standing === "refused") return [problemOf(id, whyOf(status), asIs(""))];
  if (view?.standing === "refused")
    return [problemOf(id, { text: view.because ?? "", said: view.said ?? [] }, localized("advice_notLoaded"))];
  const changed = await changedFiles(known);
  return changed === undefined ? [] : [problemOf(id, changed, localized("advice_notLoaded"))];
}

const whyOf = ({ because, said }: { because: string; said: LocalizedLine[] }): LocalizedText => ({
  text: because,
  said,
});
