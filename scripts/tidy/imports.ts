/** Who imports whom. The table itself stands in `../tidy.ts`: it is the architecture. */
import { specifiersOf, targetsOf } from "./syntax-nodes.ts";
import { type SourceFile, isContract, isShipped, isTest } from "./tree.ts";

/** A folder may import itself and the folders (or single files) named here. */
export type ImportTable = Record<string, readonly string[]>;

/**
 * A folder whose subfolders are adapters of one port; so are the files named in `adapters`, for those that need one file.
 * `parts` are subfolders of the port itself, open to every adapter.
 */
export type Port = { folder: string; parts: readonly string[]; adapters: readonly string[] };

export const EVERYTHING = "*";
/** In the table: the shapes that plugins bring. They count as protocol, for those who may see what plugins are about. */
export const PLUGIN_PROTOCOLS = "*/protocol";

/** Likewise what plugins say, language by language: for the page, which loads no more than that of them. */
export const PLUGIN_TEXTS = "*/texts";

export function importProblems(files: SourceFile[], table: ImportTable, ports: readonly Port[]): string[] {
  return files.filter(isShipped).flatMap((file) => [
    ...homeProblems(file, table),
    ...targetsOf(file)
      .filter((target) => !mayImport(file.path, target, table) || areStrangers(file.path, target, ports))
      .map((target) => `${file.path}: may not import ${target}`),
    ...packageProblems(file),
  ]);
}

function homeProblems({ path }: SourceFile, table: ImportTable): string[] {
  const home = folderOf(path);
  return home in table ? [] : [`${path}: ${home} is not in the import table of scripts/tidy.ts`];
}

function mayImport(path: string, target: string, table: ImportTable): boolean {
  const [from, to] = [folderOf(path), folderOf(target)];
  const named = { path: target, text: "" };
  if (isTest(named) || isContract(named)) return false; // what ships never leans on what only tests see
  const [ownPart, part] = [pluginPart(path), pluginPart(target)];
  if (ownPart !== undefined) return to === "protocol" || ownPart === part;
  if (from === to) return true;
  const allowed = table[from] ?? [];
  if (part !== undefined && allowed.includes(part)) return true;
  if (allowed.includes(EVERYTHING)) return to in table;
  return allowed.includes(to) || allowed.includes(target.replace(/^src\//, ""));
}

/** `channels/telegram` and `channels/slack` solve the same problem twice; neither may lean on the other. */
function areStrangers(path: string, target: string, ports: readonly Port[]): boolean {
  return ports.some((port) => {
    const [a, b] = [adapterOf(path, port), adapterOf(target, port)];
    return a !== undefined && b !== undefined && a !== b;
  });
}

function adapterOf(path: string, { folder, parts, adapters }: Port): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [child = "", ...deeper] = path.slice(folder.length + 1).split("/");
  if (deeper.length > 0) return parts.includes(child) ? undefined : child;
  return adapters.find((adapter) => child === `${adapter}.ts` || child.startsWith(`${adapter}-`));
}

/** Shapes and decisions lean on no package but zod: whatever else they used would be I/O in disguise. */
function packageProblems(file: SourceFile): string[] {
  if (isPluginTexts(file.path))
    return specifiersOf(file).flatMap((specifier) =>
      specifier.startsWith(".") ? [] : `${file.path}: may not import ${specifier}`,
    );
  if (!/^(?:protocol|core)$/.test(folderOf(file.path)) && !isPluginProtocol(file.path)) return [];
  return specifiersOf(file)
    .filter((specifier) => !/^(?:\.|zod(?:\/|$)|node:)/.test(specifier) || isProtocolNode(file, specifier))
    .map((specifier) => `${file.path}: may not import ${specifier}`);
}

// core/ is covered by the purity check; protocol/ runs in the browser too
const isProtocolNode = (file: SourceFile, specifier: string): boolean =>
  (folderOf(file.path) === "protocol" || isPluginProtocol(file.path)) && specifier.startsWith("node:");

/** `src/plan-mode/protocol/state.ts`: pages and clients read it, so it leans on shapes alone. */
const isPluginProtocol = (path: string): boolean => /^src\/(?:[^/]+\/)+protocol\//.test(path);

/** `src/plan-mode/texts/de.ts`: no schemas here, so that a page can load it. */
const isPluginTexts = (path: string): boolean => /^src\/(?:[^/]+\/)+texts\//.test(path);

function pluginPart(path: string): string | undefined {
  if (isPluginTexts(path)) return PLUGIN_TEXTS;
  return isPluginProtocol(path) ? PLUGIN_PROTOCOLS : undefined;
}

/** `src/core/x.ts` → `core`, `src/gateway.ts` → `gateway.ts`, `ui/app.ts` → `ui`. */
function folderOf(path: string): string {
  const [top = "", next = ""] = path.split("/");
  return top === "src" ? next : top;
}
