/**
 * One file for what every visit loads besides the entry. The bundler cuts a chunk wherever something is loaded lazily as
 * well, thirty of them; together they are a fifth smaller, and come by one request. All other files take what they share
 * from there. The entry stays apart: it waits at its top level for files that import these. All names change when any of
 * the files does, so that a browser never mixes two builds.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { withBundler } from "../../runner/bundler.ts";

const FIRST = "first-load";
/** Of the one file, before its hash is added. */
const SHARED = "chunk.js";
const IMPORT = /(import|export)\{([^{}]*)\}from"\/assets\/([^"]+)"/g;
const IMPORT_ALONE = /import"\/assets\/([^"]+)"/g;
const EXPORTS = /export\{([^{}]*)\}(?!from)/g;
const NAMED = /^(.*)-[A-Z0-9]{8}\.js$/;
const ADDRESS = /"\/assets\/([^"]+\.js)"/g;
const HASH_CHARS = 8;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export type Gathered = { script: string; shared: string };

/** `script`: the entry, `shared`: what it imports in this order, as names of files in `assets`. Answers with their new names. */
export async function gatherFirstLoad(
  assets: string,
  { script, shared, options }: { script: string; shared: readonly string[]; options: BuildOptions },
): Promise<Gathered> {
  const texts = await scriptsIn(assets);
  const first = new Map(shared.map((name, at) => [name, { at, text: texts.get(name) ?? "" }]));
  const merged = await mergedText(first, { ...options, outdir: assets });
  const stamp = stampOf(texts);
  const kept = [...texts]
    .filter(([name]) => !first.has(name))
    .map(([name, text]) => [name, fromOne(text, first)] as const);
  const names = new Map([SHARED, ...texts.keys()].map((name) => [name, renamed(name, stamp)]));
  for (const name of texts.keys()) await rm(join(assets, name));
  for (const [name, text] of [[SHARED, merged] as const, ...kept])
    await writeFile(join(assets, names.get(name) ?? name), withNames(text, names));
  return { script: names.get(script) ?? script, shared: names.get(SHARED) ?? SHARED };
}

function stampOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [name, text] of texts) hash.update(`${name}\n${text}\n`);
  return hash.digest("hex");
}

const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(ADDRESS, (whole, name: string) => {
    const to = names.get(name);
    return to === undefined ? whole : `"/assets/${to}"`;
  });

type FirstFiles = ReadonlyMap<string, { at: number; text: string }>;

async function scriptsIn(assets: string): Promise<Map<string, string>> {
  const names = (await readdir(assets)).filter((name) => name.endsWith(".js")).toSorted();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(assets, name), "utf8")] as const)),
  );
}

function renamed(name: string, stamp: string): string {
  const [, bare = name.replace(".js", "")] = NAMED.exec(name) ?? [];
  const digest = createHash("sha256").update(`${stamp} ${name}`).digest().subarray(0, HASH_CHARS);
  return `${bare}-${Array.from(digest, (byte) => LETTERS.charAt(byte % LETTERS.length)).join("")}.js`;
}

/** Imports of a gathered file become imports of the one, under the names that it passes them on by. */
function fromOne(text: string, first: FirstFiles): string {
  return text
    .replaceAll(IMPORT, (whole, ...groups: string[]) => {
      const [word = "", list = "", file = ""] = groups;
      const found = first.get(file);
      if (found === undefined) return whole;
      const names = list.split(",").map((item) => {
        const [name = "", as = name] = item.trim().split(" as ");
        return `${passedOn(found.at, name)} as ${as}`;
      });
      return `${word}{${names.join(",")}}from"/assets/${SHARED}"`;
    })
    .replaceAll(IMPORT_ALONE, (whole, file: string) => (first.has(file) ? `import"/assets/${SHARED}"` : whole));
}

const passedOn = (at: number, name: string): string => `c${at}_${name}`;

function exportsOf(text: string): string[] {
  return [...text.matchAll(EXPORTS)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((item) => item.trim().split(" as ").at(-1) || []),
  );
}

/** In the order of the entry's imports, so that everything is evaluated in the order that it had. */
async function mergedText(first: FirstFiles, options: BuildOptions): Promise<string> {
  const lines = [...first].map(([name, { at, text }]) => {
    const names = exportsOf(text).map((exported) => `${exported} as ${passedOn(at, exported)}`);
    return names.length === 0 ? `import"/assets/${name}";` : `export{${names.join(",")}}from"/assets/${name}";`;
  });
  const { outputFiles } = await withBundler((build) =>
    build({
      ...options,
      entryPoints: [FIRST],
      write: false,
      plugins: [
        {
          name: FIRST,
          setup(files) {
            files.onResolve({ filter: /.*/ }, ({ path, kind }) => {
              const name = path.replace("/assets/", "");
              if (kind === "entry-point" || (kind === "import-statement" && first.has(name)))
                return { path: name, namespace: FIRST };
              return { path, external: true };
            });
            files.onLoad({ filter: /.*/, namespace: FIRST }, ({ path }) => ({
              contents: first.get(path)?.text ?? lines.join("\n"),
              loader: "js",
            }));
          },
        },
      ],
    }),
  );
  const made = outputFiles.find(({ path }) => path.endsWith(".js"));
  if (made === undefined) throw new Error("what is loaded first could not be put together");
  return made.text;
}
