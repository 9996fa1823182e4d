/** What operators do with plugins: list, install, enable, disable, trust, remove. One order at a time. */
import { createLane } from "../../../lane/lane.ts";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { reservedProblem } from "../../../plugins/commands/command-registry.ts";
import { folderIntegrity, FolderProblem } from "../../../plugins/packages/folder-files.ts";
import type { PluginList, PluginRecord, PluginView } from "../../../protocol/plugin/plugin-packages.ts";
import { refuse, type Refused } from "../../../protocol/refusal.ts";
import { agreementProblem, disabledWith, agreedTo, firstRecord, installedRecord } from "./agreement.ts";
import { discover, type Found, type FoundPlugin, pluginsFolder } from "./discover.ts";
import { manifestIn, installFiles, removeLeftovers } from "./install.ts";
import { lostPlugins } from "./lost-plugins.ts";
import { listPlugins } from "./list-plugins.ts";
import { filesOf, InstallProblem, originOf } from "./package-files.ts";
import type { PackageParts } from "./package-parts.ts";
import { readRecords, type Records, RecordsUnreadable, writeRecords } from "./record-file.ts";
import { currentView } from "./current-view.ts";
import { type Known, tierOf, viewOf } from "./package-status.ts";
import { asIs, type LocalizedText, localized } from "../../../protocol/localized/localized-text.ts";

/** `agree` names exactly what the operator was shown. */
type Agreement = { agree?: string | undefined };
type Answer = Promise<{ plugin: PluginView } | Refused>;
type InstallOrder = Agreement & { from: string; enable?: boolean; by: string };

export type PluginPackages = {
  /** `check`: also reads every file and compares it with what was installed and trusted. */
  list(options: { check: boolean }): Promise<PluginList>;
  info(id: string): Answer;
  /** `from`: a folder, an archive, or the name of a package. `enable`: on, once everything it asks for is agreed to. */
  install(order: InstallOrder): Answer;
  enable(order: Agreement & { id: string; by: string }): Answer;
  /** `by`: it failed too often, and no operator decided it. */
  disable(order: { id: string; because: LocalizedText | null; by?: "failures" }): Answer;
  remove(order: { id: string }): Answer;
  trust(order: Agreement & { id: string; by: string }): Answer;
  untrust(order: { id: string }): Answer;
  /** Hands a command over to this plugin, from whoever has it. */
  own(order: { id: string; command: string; by: string }): Answer;
  /** All plugins with the operators' decisions about them. Throws when the decisions cannot be read. */
  known(): Promise<Known[]>;
  /** Called with the id of each plugin that changed. */
  onChange(listener: (id: string) => void | Promise<void>): void;
};

type Listener = (id: string) => void | Promise<void>;

/** What every order needs. */
type Shelf = {
  parts: PackageParts;
  listeners: Listener[];
  find(): Promise<Found>;
  /** One order at a time; a problem of a plugin or its files is an answer. */
  order(work: () => Answer): Answer;
};

export function createPackages(parts: PackageParts): PluginPackages {
  const { home, settings } = parts;
  const inTurn = createLane();
  const bundled = new Set(parts.bundled.map(({ id }) => id));
  const shelf: Shelf = {
    parts,
    listeners: [],
    find: () => discover({ home, paths: settings().paths, bundled }),
    order: (work) => inTurn(() => explained(work)),
  };
  return {
    list: ({ check }) => inTurn(() => listPlugins({ parts, find: shelf.find, check })),
    async info(id) {
      const own = parts.bundled.find((plugin) => plugin.id === id);
      if (own !== undefined) return { plugin: own };
      return onPlugin(id, shelf, async ({ known }) => ({ plugin: await currentView(known, parts) }));
    },
    install: (order) => shelf.order(() => install(order, shelf)),
    remove: ({ id }) => shelf.order(() => remove(id, shelf)),
    ...decisions(shelf),
    async known() {
      if (!settings().enabled) return [];
      await removeLeftovers(home);
      const [found, records] = [await shelf.find(), await readRecords(home)];
      const all = [...found.plugins.values(), ...lostPlugins(found, records, { home, paths: settings().paths })];
      return all.map((one) => ({ found: one, record: records[one.manifest.id], settings: settings() }));
    },
    onChange: (listener) => void shelf.listeners.push(listener),
  };
}

type Looked = { known: Known; records: Records };

async function lookUp(id: string, { parts, find }: Shelf): Promise<Looked | Refused> {
  const [{ plugins, problems }, records] = [await find(), await readRecords(parts.home)];
  const places = { home: parts.home, paths: parts.settings().paths };
  const found = plugins.get(id) ?? lostPlugins({ plugins, problems }, records, places).find(isOf(id));
  if (found !== undefined) return { known: { found, record: records[id], settings: parts.settings() }, records };
  if (parts.bundled.some((plugin) => plugin.id === id))
    return refuse("PLUGIN_INVALID", asIs(`"${id}" belongs to the house: it cannot be changed.`));
  const reason = problems.find((problem) => problem.id === id);
  if (reason === undefined) return refuse("PLUGIN_UNKNOWN", localized("pluginUnknown", { plugin: id }));
  const because = { text: reason.problem, said: reason.saidProblem ?? [] };
  return refuse("PLUGIN_UNKNOWN", localized("pluginUnusable", { plugin: id, because }));
}

const isOf =
  (id: string) =>
  ({ manifest }: FoundPlugin): boolean =>
    manifest.id === id;

function onPlugin(id: string, shelf: Shelf, work: (looked: Looked) => Answer): Answer {
  return shelf.order(async () => {
    const looked = await lookUp(id, shelf);
    return "refused" in looked ? looked : work(looked);
  });
}

/** Writes one record, notifies the part that loads plugins, and answers with the status after it. */
async function keep({ known, records }: Looked, record: PluginRecord, { parts, listeners }: Shelf): Answer {
  const { id } = known.found.manifest;
  await writeRecords(parts.home, { ...records, [id]: record });
  for (const listener of listeners) await listener(id);
  return { plugin: await currentView({ ...known, record }, parts) };
}

function decisions(shelf: Shelf): Pick<PluginPackages, "enable" | "disable" | "trust" | "untrust" | "own"> {
  const recordOf = async ({ found, record }: Known): Promise<PluginRecord> =>
    record ?? firstRecord(found, shelf.parts.now());
  return {
    enable: ({ id, agree }) =>
      onPlugin(id, shelf, async (looked) => {
        const { found } = looked.known;
        const unheard = agreementProblem(looked.known, agree);
        if (unheard !== undefined) return unheard;
        const record = await recordOf(looked.known);
        const integrity = record.source.kind === "found" ? await folderIntegrity(found.folder) : record.integrity;
        const agreed = agreedTo(found.manifest);
        return keep(looked, { ...switchable(record), agreed, integrity, enabled: true, disabledBecause: null }, shelf);
      }),
    disable: ({ id, because, by }) =>
      onPlugin(id, shelf, async (looked) => {
        const off = {
          enabled: false,
          ...(because === null ? { disabledBecause: null } : disabledWith(because)),
          ...(by === undefined ? {} : { disabledBy: by }),
        };
        return keep(looked, { ...switchable(await recordOf(looked.known)), ...off }, shelf);
      }),
    trust: ({ id, agree, by }) =>
      onPlugin(id, shelf, async (looked) => {
        const { found } = looked.known;
        const unheard = agreementProblem(looked.known, agree);
        if (unheard !== undefined) return unheard;
        const record = await recordOf(looked.known);
        const now = await folderIntegrity(found.folder);
        const integrity = record.source.kind === "found" ? now : record.integrity;
        if (integrity !== null && integrity !== now) return notInstalled(id);
        const trust = { integrity: now, atMs: shelf.parts.now(), by };
        return keep(looked, { ...record, agreed: agreedTo(found.manifest), integrity, trust }, shelf);
      }),
    own: ({ id, command, by }) => onPlugin(id, shelf, (looked) => handOver(looked, { command, by }, shelf)),
    untrust: ({ id }) =>
      onPlugin(id, shelf, async (looked) => keep(looked, { ...(await recordOf(looked.known)), trust: null }, shelf)),
  };
}

/** The owner before is refused from now on, as the new one was until now. */
async function handOver(
  { known }: Looked,
  order: { command: string; by: string },
  { parts, listeners }: Shelf,
): Answer {
  const { id, commands } = known.found.manifest;
  const name = order.command.replace(/^\//, "");
  const spec = commands.find((one) => one.name === name);
  if (parts.owners === undefined || spec === undefined)
    return refuse("PLUGIN_INVALID", asIs(`"${id}" declares no command /${name.slice(0, 64)}.`));
  const reserved = reservedProblem({ pluginId: id, tier: tierOf(known.record), spec });
  if (reserved !== undefined) return reserved;
  const { was } = await parts.owners.handOver({ name, pluginId: id, by: order.by });
  for (const changed of was === null || was === id ? [id] : [was, id])
    for (const listener of listeners) await listener(changed);
  return { plugin: await currentView(known, parts) };
}

/** Enabling or disabling it again gives a reason of its own. */
const switchable = ({ disabledBy: _by, disabledSaid: _said, ...record }: PluginRecord): PluginRecord => record;

const notInstalled = (id: string): Refused =>
  refuse("PLUGIN_INVALID", asIs(`The files of "${id}" are not those that were installed. Install it again first.`));

async function install(order: InstallOrder, shelf: Shelf): Answer {
  const { home, bundled, now, settings } = shelf.parts;
  await removeLeftovers(home);
  const origin = await originOf(order.from);
  const files = await filesOf(origin);
  const manifest = manifestIn(files);
  const { id } = manifest;
  if (bundled.some((plugin) => plugin.id === id))
    return refuse(
      "PLUGIN_INVALID",
      asIs(`It calls itself "${id}", which is a plugin of the house. Nobody else can be it.`),
    );
  const there = (await shelf.find()).plugins.get(id);
  if (there?.at === "path")
    return refuse(
      "PLUGIN_INVALID",
      asIs(`"${id}" is in ${there.folder}, which plugins.paths names. Take it out there first.`),
    );
  const records = await readRecords(home);
  const before = records[id];
  const given = { manifest, origin, before, order, nowMs: now() };
  const unheard = order.agree === undefined ? undefined : agreementProblem({ found: { manifest } }, order.agree);
  if (unheard !== undefined) return unheard;
  const { folder, integrity } = await installFiles(home, id, files);
  const record = installedRecord({ ...given, integrity });
  const found: FoundPlugin = { manifest, folder, at: "home" };
  return keep({ known: { found, record, settings: settings() }, records }, record, shelf);
}

async function remove(id: string, shelf: Shelf): Answer {
  const { home } = shelf.parts;
  const looked = await lookUp(id, shelf);
  const { [id]: record, ...others } = await readRecords(home);
  if ("refused" in looked && record === undefined) return looked;
  await writeRecords(home, others); // first: what is no longer recorded is no longer loaded
  await shelf.parts.owners?.release({ id, commands: [] });
  for (const listener of shelf.listeners) await listener(id);
  if ("refused" in looked)
    return refuse("PLUGIN_UNKNOWN", asIs(`"${id}" had no folder any more; what was recorded about it is gone too.`));
  const { known } = looked;
  if (known.found.at === "home") await rm(join(pluginsFolder(home), id), { recursive: true, force: true });
  const view = viewOf({ ...known, record: undefined }, undefined);
  return { plugin: { ...view, standing: "disabled", because: "It was removed." } };
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InstallProblem || error instanceof FolderProblem || error instanceof RecordsUnreadable)
      return refuse("PLUGIN_INVALID", asIs(error.message));
    throw error;
  }
}
