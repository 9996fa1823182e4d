/**
 * Every mutant gets modules of its own: tables are made and caches filled while a module loads, so a module that has
 * seen one mutant would judge the next one wrongly. A generation is a query behind each address; types are stripped once.
 */
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const GENERATION = "generation";

export type FreshModules = {
  /** The next imports see new modules. */
  renew(): void;
  load(file: string): Promise<unknown>;
  /** Whether a module that this file needs, itself included, is one of these. */
  reaches(file: string, wanted: string): boolean;
};

export function freshModules(root: string): FreshModules {
  const stripped = new Map<string, string>();
  const imports = new Map<string, Set<string>>();
  let generation = 0;
  const base = pathToFileURL(`${resolve(root)}/`).href;
  const isOurs = (url: string): boolean => url.startsWith(base) && !url.includes("/node_modules/");
  const shim = new URL("vitest-in-process.ts", import.meta.url).href;

  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? "";
      if (!isOurs(parent)) return next(specifier, context);
      if (specifier === "vitest" && bare(parent) !== shim) return { url: shim, shortCircuit: true };
      const found = next(specifier, context);
      if (!isOurs(found.url) || !found.url.includes(".ts")) return found;
      note(imports, bare(parent), bare(found.url));
      return { ...found, url: `${bare(found.url)}?${GENERATION}=${generation}` };
    },
    load(url, context, next) {
      if (!url.includes(`?${GENERATION}=`)) return next(url, context);
      const path = fileURLToPath(bare(url));
      const known = stripped.get(path);
      const source = known ?? stripTypeScriptTypes(readFileSync(path, "utf8"));
      if (known === undefined) stripped.set(path, source);
      return { format: "module", source, shortCircuit: true };
    },
  });

  return {
    renew: () => void (generation += 1),
    load: (file) => import(`${pathToFileURL(resolve(root, file)).href}?${GENERATION}=${generation}`),
    reaches: (file, wanted) =>
      isReached(imports, pathToFileURL(resolve(root, file)).href, pathToFileURL(wanted).href, new Set()),
  };
}

const bare = (url: string): string => url.split("?", 1)[0] ?? url;

function note(imports: Map<string, Set<string>>, from: string, to: string): void {
  const known = imports.get(from);
  if (known === undefined) imports.set(from, new Set([to]));
  else known.add(to);
}

function isReached(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  ...[from, wanted, seen]: [string, string, Set<string>]
): boolean {
  if (from === wanted) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(imports.get(from) ?? [])].some((next) => isReached(imports, next, wanted, seen));
}
