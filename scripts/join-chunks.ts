/**
 * Joins the chunks that a start of the gateway reads. The bundler makes one for each set of lazy parts that share code:
 * with a hundred lazy parts a start reads 157 files, and finding a file takes longer than running what is in most of them.
 *
 *   chunk-A  chunk-B  chunk-C ──▶ joined-gateway        import { x } from "./chunk-A.js" ──▶ import { A_x as x } from "./joined-gateway.js"
 *
 * Only chunks that mostly go together are joined, so that other commands do not read what they have no use for.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";

/** What a start imports before its store is asked to open. */
const OPENING = ["src/main.ts", "src/cli/commands/start.ts", "src/store/sqlite/sqlite-store.ts"];
/** And all of it: the rest is loaded while the store opens in its thread, so it must not lie in the same file. */
const START = [...OPENING, "src/compose/index.ts"];
const COMMANDS = "src/cli/";
/** Programs whose code lies beside: what they share with the gateway is all that they should read. */
const WHOLE = new Set(["src/main.ts", "src/testing/index.ts"]);
/** Of about fifty commands: almost all that talk to a gateway, and those that read its configuration. */
const BY_READERS = [
  { name: "joined-clients", from: 25 },
  { name: "joined-settings", from: 12 },
] as const;
const HASH_CHARS = 8;
const IMPORT = /import\s*(?:\{([^}]*)\}\s*from\s*)?"\.\/(chunk-\w+)\.js"\s*;/g;

/** Name of the file without its ending → its text. */
type Texts = ReadonlyMap<string, string>;
type Outputs = Metafile["outputs"];

/** `named`: the entries that keep their names, whoever reads them. */
export async function joinChunks(
  { texts, outputs }: { texts: Texts; outputs: Outputs },
  named: ReadonlySet<string>,
  options: BuildOptions,
): Promise<Map<string, string>> {
  const groupOf = groupsOf(outputs, named);
  const exportsOf = (chunk: string): readonly string[] =>
    Object.entries(outputs).find(([path]) => nameOf(path) === chunk)?.[1].exports ?? [];
  const joined = new Map<string, string>();
  for (const [name, text] of texts)
    if (!groupOf.has(name)) joined.set(name, pointed(text, { groupOf, inside: undefined }));
  for (const group of new Set(groupOf.values())) {
    const chunks = [...groupOf].flatMap(([chunk, of]) => (of === group ? [chunk] : []));
    const entry = chunks.map(
      (chunk) =>
        `export{${exportsOf(chunk)
          .map((of) => `${of} as ${unique(chunk, of)}`)
          .join()}}from"./${chunk}.js";`,
    );
    joined.set(group, await joinedText({ entry: entry.join("\n"), group, chunks, texts, groupOf, options }));
    for (const chunk of chunks.filter((one) => isEntry(outputs, one))) {
      const names = exportsOf(chunk).map((of) => `${unique(chunk, of)} as ${of}`);
      joined.set(chunk, `export{${names.join()}}from"./${group}.js";\n`); // whoever imports it lazily still finds it
    }
  }
  return joined;
}

const nameOf = (path: string): string => basename(path, ".js");
const unique = (chunk: string, name: string): string => `${chunk.replace("chunk-", "_")}_${name}`;
const isEntry = (outputs: Outputs, chunk: string): boolean =>
  Object.entries(outputs).some(([path, { entryPoint }]) => nameOf(path) === chunk && entryPoint !== undefined);

/** Chunk → the file that it goes into. */
function groupsOf(outputs: Outputs, named: ReadonlySet<string>): Map<string, string> {
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [{ source: entryPoint, reads: readBy(path, outputs) }],
  );
  const started = entries.filter(({ source }) => START.includes(source));
  const main = started.find(({ source }) => source === OPENING[0]);
  const opening = new Set(started.flatMap(({ source, reads }) => (OPENING.includes(source) ? [...reads] : [])));
  const commands = entries.filter(({ source }) => source.startsWith(COMMANDS) && !START.includes(source));
  const beside = entries.filter(
    ({ source, reads }) => !WHOLE.has(source) && [...reads].some((path) => named.has(nameOf(path))),
  );
  const groups = new Map<string, string>();
  for (const path of new Set(started.flatMap(({ reads }) => [...reads]))) {
    if (named.has(nameOf(path))) continue;
    const isBeside = beside.some(({ reads }) => reads.has(path));
    const readers = commands.flatMap(({ source, reads }) => (reads.has(path) ? [source] : []));
    const group =
      main?.reads.has(path) === true
        ? `joined-all${isBeside ? "-programs" : "-commands"}`
        : isBeside
          ? "joined-programs"
          : (groupOfReaders(readers) ?? (opening.has(path) ? "joined-opening" : "joined-gateway"));
    groups.set(nameOf(path), group);
  }
  return groups;
}

/** What few commands read is joined with what the very same ones read, so that none of them reads more than it did. */
function groupOfReaders(readers: readonly string[]): string | undefined {
  if (readers.length === 0) return undefined;
  const common = BY_READERS.find(({ from }) => readers.length >= from)?.name;
  const named = createHash("sha256").update(readers.toSorted().join("\n")).digest("hex").slice(0, HASH_CHARS);
  return common ?? `joined-${named}`;
}

/** Itself, and all that it imports at once. */
function readBy(path: string, outputs: Outputs): ReadonlySet<string> {
  const found = new Set([path]);
  for (const one of found)
    for (const { path: next, kind } of outputs[one]?.imports ?? [])
      if (kind === "import-statement" && next in outputs) found.add(next);
  return found;
}

/** Imports of what was joined, at its new place; what lies in the same file as the importer stays as it was. */
function pointed(
  text: string,
  { groupOf, inside }: { groupOf: ReadonlyMap<string, string>; inside: string | undefined },
): string {
  return text.replaceAll(IMPORT, (whole, names: string | undefined, chunk: string) => {
    const group = groupOf.get(chunk);
    if (group === undefined || group === inside) return whole;
    if (names === undefined) return `import"./${group}.js";`;
    const renamed = names.split(",").map((name) => {
      const [given = "", own = given] = name.trim().split(/\s+as\s+/);
      return `${unique(chunk, given)} as ${own}`;
    });
    return `import{${renamed.join()}}from"./${group}.js";`;
  });
}

type Joining = {
  entry: string;
  group: string;
  chunks: readonly string[];
  texts: Texts;
  groupOf: ReadonlyMap<string, string>;
  options: BuildOptions;
};

async function joinedText({ entry, group, chunks, texts, groupOf, options }: Joining): Promise<string> {
  const own: Plugin = {
    name: "own-chunks",
    setup(building) {
      building.onResolve({ filter: /^\.\// }, ({ path }) =>
        chunks.includes(nameOf(path)) ? { path: nameOf(path), namespace: "chunk" } : { path, external: true },
      );
      building.onLoad({ filter: /./, namespace: "chunk" }, ({ path }) => ({
        contents: pointed(texts.get(path) ?? "", { groupOf, inside: group }),
        loader: "js",
      }));
    },
  };
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: entry, resolveDir: options.absWorkingDir ?? "", loader: "js" },
    splitting: false,
    plugins: [own],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
