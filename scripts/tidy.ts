/**
 * The house rules that a type checker cannot see, checked in one pass over the tree: who imports whom, what stays pure,
 * how big things grow, that surfaces draw plan mode from its cards, that files open and are named for what they hold, that tests wait
 * for no time, that every built rule of docs/SPEC.md has its test, that every test which docs/conformance names is there,
 * and that the documents tell the truth.
 */
import { cardProblems } from "./tidy/cards.ts";
import { conformanceFindings } from "./tidy/conformance.ts";
import { documentProblems } from "./tidy/documents.ts";
import {
  type ImportTable,
  type Port,
  EVERYTHING,
  importProblems,
  PLUGIN_PROTOCOLS,
  PLUGIN_TEXTS,
} from "./tidy/imports.ts";
import { exportProblems, openingProblems } from "./tidy/openings.ts";
import { purityProblems } from "./tidy/purity.ts";
import { nameProblems, sizeProblems } from "./tidy/sizes.ts";
import { specFindings } from "./tidy/spec.ts";
import { type Findings, type SourceFile, readTree } from "./tidy/tree.ts";
import { waitProblems } from "./tidy/waits.ts";

/** What a bundled plugin may import. A folder of src/ with a `plugin.ts` is one, and needs no row of its own. */
const BUNDLED_PLUGIN: readonly string[] = ["protocol", "plugins/sdk.ts", PLUGIN_PROTOCOLS];

/** Folder → what it may import besides itself. This table is the architecture. */
const MAY_IMPORT: ImportTable = {
  protocol: [],
  lane: [],
  core: ["protocol"],
  store: ["protocol", "core"],
  engine: ["protocol", "core", "store", "lane"],
  plugins: ["protocol", "core", "runner", "bundled.ts", "bundled-wording.ts"],
  runner: [],
  tools: ["protocol", "plugins", "runner", PLUGIN_PROTOCOLS],
  agent: ["protocol", "plugins", PLUGIN_PROTOCOLS],
  channels: ["lane", "protocol", "plugins", PLUGIN_PROTOCOLS],
  inbound: [
    "lane",
    "protocol",
    "core",
    "store",
    "engine",
    "plugins",
    "delivery",
    "tools/builtin/reading/image-type.ts",
    "http/describe-error.ts",
    PLUGIN_PROTOCOLS,
  ],
  delivery: ["protocol", "core", "store", "engine", "plugins"],
  // agents of others: the gate and the cards around them
  external: ["protocol", "plugins", "tools", "http", "plan-mode/tools/plan-text.ts", PLUGIN_PROTOCOLS],
  http: ["protocol", "plugins"],
  config: ["protocol", "plugins", "lane", "bundled.ts", PLUGIN_PROTOCOLS],
  // bundled plugins may use nothing that a trusted outside plugin could not
  "plan-mode": BUNDLED_PLUGIN,
  "code-mode": BUNDLED_PLUGIN,
  scheduler: BUNDLED_PLUGIN,
  // it keeps plans as documents, which plan mode writes
  library: [
    ...BUNDLED_PLUGIN,
    "plan-mode/methods/export-plan.ts",
    "plan-mode/methods/plan-records.ts",
    "plan-mode/render/export/exported-plan.ts",
    "plan-mode/render/export/plan-markdown.ts",
  ],
  connect: BUNDLED_PLUGIN,
  client: ["protocol", "all-methods.ts", "bundled.ts", PLUGIN_PROTOCOLS],
  ui: ["protocol", "client", "all-methods.ts", "bundled.ts", "bundled-wording.ts", PLUGIN_PROTOCOLS, PLUGIN_TEXTS],
  // the list of bundled plugins, as far as clients see them
  "bundled.ts": ["protocol", PLUGIN_PROTOCOLS],
  "bundled-wording.ts": [PLUGIN_PROTOCOLS],
  "all-methods.ts": ["protocol", "bundled.ts"],
  // the composition root and what stands above it
  compose: [EVERYTHING],
  gateway: [EVERYTHING],
  "gateway.ts": [EVERYTHING],
  cli: [EVERYTHING],
  testing: [EVERYTHING],
  "main.ts": [EVERYTHING],
};

/**
 * Every subfolder of a port is an adapter unless it is named as a part of the port. Adapters do not import each other.
 */
const PORTS: readonly Port[] = [
  {
    folder: "src/store",
    parts: ["audit", "contract", "list", "migrations", "move", "search", "sql"],
    adapters: ["memory", "sqlite", "postgres"],
  },
  { folder: "src/channels", parts: ["bridge", "contract", "protocol", "render", "texts", "wire"], adapters: [] },
  { folder: "src/agent/providers", parts: [], adapters: [] },
  { folder: "src/connect", parts: [], adapters: [] },
];

function withPlugins(files: SourceFile[]): ImportTable {
  const folders = files.flatMap(({ path }) => /^src\/([^/]+)\/plugin\.ts$/.exec(path)?.[1] ?? []);
  return { ...Object.fromEntries(folders.map((folder) => [folder, BUNDLED_PLUGIN])), ...MAY_IMPORT };
}

/** `registryHost`: where this machine gets its packages from, which must not get into the tree. */
export function tidy(files: SourceFile[], registryHost?: string): Findings {
  const spec = specFindings(files);
  const conformance = conformanceFindings(files);
  return {
    problems: [
      ...importProblems(files, withPlugins(files), PORTS),
      ...purityProblems(files),
      ...cardProblems(files),
      ...sizeProblems(files),
      ...nameProblems(files),
      ...openingProblems(files),
      ...exportProblems(files),
      ...spec.problems,
      ...conformance.problems,
      ...waitProblems(files),
      ...documentProblems(files, registryHost),
    ],
    hints: [...spec.hints, ...conformance.hints],
  };
}

/** npm passes it to scripts; an address of this machine itself is too common to search for. */
function registryHostHere(): string | undefined {
  const url = URL.parse(process.env["npm_config_registry"] ?? "");
  return url === null || /^(?:localhost|127\.|\[::1\])/.test(url.host) ? undefined : url.host;
}

if (import.meta.main) {
  const files = readTree(process.cwd());
  const { problems, hints } = tidy(files, registryHostHere());
  for (const hint of hints) process.stdout.write(`hint: ${hint}\n`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`tidy: ${files.length} files, ${problems.length} problems\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
