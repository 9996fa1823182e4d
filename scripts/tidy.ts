/**
 * The house rules that a type checker cannot see, checked in one pass over the tree: who imports whom, what stays pure,
 * how big things grow, that every built rule of docs/SPEC.md has its test, and that the documents tell the truth.
 */
import { cardProblems } from "./tidy/cards.ts";
import { documentProblems } from "./tidy/documents.ts";
import type { ImportTable, Port } from "./tidy/imports.ts";
import { EVERYTHING, importProblems } from "./tidy/imports.ts";
import { purityProblems } from "./tidy/purity.ts";
import { nameProblems, sizeProblems } from "./tidy/sizes.ts";
import { specFindings } from "./tidy/spec.ts";
import type { Findings, SourceFile } from "./tidy/tree.ts";
import { readTree } from "./tidy/tree.ts";

/** Folder → what it may import besides itself. This table is the architecture. */
const MAY_IMPORT: ImportTable = {
  protocol: [],
  core: ["protocol"],
  store: ["protocol", "core"],
  engine: ["protocol", "core", "store"],
  plugins: ["protocol", "core"],
  tools: ["protocol", "plugins"],
  agent: ["protocol", "plugins"],
  channels: ["protocol", "plugins"],
  http: ["protocol", "plugins"],
  config: ["protocol", "plugins"],
  // bundled plugins use nothing that an outside plugin could not
  "plan-mode": ["protocol", "plugins/sdk.ts"],
  "code-mode": ["protocol", "plugins/sdk.ts"],
  scheduler: ["protocol", "plugins/sdk.ts"],
  connect: ["protocol", "plugins/sdk.ts"],
  client: ["protocol"],
  ui: ["protocol", "client"],
  // the composition root and what stands above it
  gateway: [EVERYTHING],
  "gateway.ts": [EVERYTHING],
  cli: [EVERYTHING],
  testing: [EVERYTHING],
  "main.ts": [EVERYTHING],
};

/** Every subfolder of a port is an adapter, and adapters are strangers, unless it is named as a part of the port. */
const PORTS: readonly Port[] = [
  { folder: "src/store", parts: ["contract", "migrations", "sql"], adapters: ["memory", "sqlite", "postgres"] },
  { folder: "src/channels", parts: ["cards", "contract", "pairing"], adapters: [] },
  { folder: "src/agent/providers", parts: [], adapters: [] },
  { folder: "src/connect", parts: [], adapters: [] },
];

/** `registryHost`: where this machine gets its packages from, which is nobody else's business. */
export function tidy(files: SourceFile[], registryHost?: string): Findings {
  const spec = specFindings(files);
  return {
    problems: [
      ...importProblems(files, MAY_IMPORT, PORTS),
      ...purityProblems(files),
      ...cardProblems(files),
      ...sizeProblems(files),
      ...nameProblems(files),
      ...spec.problems,
      ...documentProblems(files, registryHost),
    ],
    hints: spec.hints,
  };
}

/** npm tells its scripts; an address of this very machine is too common a word to search for. */
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
