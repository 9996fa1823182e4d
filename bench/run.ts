/**
 * `npm run bench [-- group… --json | --markdown]`: prints what this machine measures, each figure beside its reference in the
 * same run; `--markdown` as the table of the README.
 * `npm run bench -- chaos --cycles 1000 --seed 7` is the long kill test, \`writes\` the one that kills at the nth write;
 * `many` is a thousand streams, PostgreSQL and a million sessions, or one of them (`many-streams`, `many-patches`,
 * `many-sessions`); `channels` takes minutes; `code-others` installs other sandboxes to measure cells beside them. These run only when they are named.
 */
import { parseArgs } from "node:util";
import type { Group } from "./figure.ts";
import { type Form, TABLES } from "./table.ts";

const CYCLES = 1_000;
const SEED = 1;

/** Loaded one by one: a group must not pay for what another one needs. */
const GROUPS: Readonly<Record<string, () => Promise<Group>>> = {
  start: async () => (await import("./start.ts")).start,
  install: async () => (await import("./install.ts")).install,
  patch: async () => (await import("./patch.ts")).patch,
  read: async () => (await import("./read.ts")).read,
  turn: async () => (await import("./turn.ts")).turn,
  gate: async () => (await import("./gate.ts")).gate,
  growth: async () => (await import("./growth.ts")).growth,
  page: async () => (await import("./page.ts")).page,
  disk: async () => (await import("./disk.ts")).disk,
  agents: async () => (await import("./agents.ts")).agents,
  runner: async () => (await import("./runner.ts")).runner,
  plugins: async () => (await import("./plugins.ts")).plugins,
  channels: async () => (await import("./channels.ts")).channels,
  code: async () => (await import("./code.ts")).code,
  "code-others": async () => (await import("./code-others.ts")).codeOthers,
  changes: async () => (await import("./changes.ts")).changes,
  plans: async () => (await import("./plans.ts")).plans,
  library: async () => (await import("./library.ts")).library,
  many: async () => (await import("./many.ts")).many,
  "many-streams": async () => (await import("./many.ts")).manyStreams,
  "many-patches": async () => (await import("./many.ts")).manyPatches,
  "many-sessions": async () => (await import("./many.ts")).manySessions,
  chaos: async () => (await import("./chaos.ts")).chaos,
  writes: async () => (await import("./chaos.ts")).writes,
  outage: async () => (await import("./outage.ts")).outage,
};
const ONLY_WHEN_NAMED = new Set([
  "channels",
  "code-others",
  "many",
  "many-streams",
  "many-patches",
  "many-sessions",
  "chaos",
  "writes",
  "outage",
]);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      cycles: { type: "string", default: String(CYCLES) },
      seed: { type: "string", default: String(SEED) },
    },
  });
  const unknown = positionals.filter((name) => !(name in GROUPS));
  if (unknown.length > 0) {
    process.stderr.write(`bench: no group ${unknown.join(", ")}. There are: ${Object.keys(GROUPS).join(", ")}\n`);
    process.exitCode = 64;
    return;
  }
  const names = positionals.length > 0 ? positionals : Object.keys(GROUPS).filter((name) => !ONLY_WHEN_NAMED.has(name));
  const options = { cycles: Number(values.cycles), seed: Number(values.seed) };
  const form: Form = values.json ? "json" : values.markdown ? "markdown" : "columns";
  const { head, row } = TABLES[form];
  for (const line of head) print(line);
  for (const name of names) {
    const group = await GROUPS[name]?.();
    await group?.((made) => print(row(made)), options);
  }
}

await main();
