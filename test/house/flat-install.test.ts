/**
 * A package whose dependencies lie beside it and not below it, as `npm install` puts them: what runs in a view sees its own
 * folder, and must need nothing else.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../scripts/build.ts";
import { machineSandbox } from "../../src/runner/sandbox.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const BUILD_MS_MAX = 120_000;

/** Searches a workspace, and runs a program of code mode, as the gateway does. */
const MAIN = `
  import { launchProgram } from "./plugins/isolated/launch-program.ts";
  import { createSandbox } from "./code-mode/sandbox/create-sandbox.ts";
  import { DEFAULT_CELL_LIMITS as limits } from "./code-mode/sandbox/cell-limits.ts";
  import { NO_BINDINGS as bindings } from "./code-mode/sandbox/sandbox.ts";
  import { systemClock } from "./engine/clock.ts";
  import { machineSandbox } from "./runner/sandbox.ts";
  import { createFileRunners } from "./tools/builtin/files/file-runners.ts";
  const workspace = process.argv[2] ?? "";
  const runners = createFileRunners({ sandbox: machineSandbox(), protectedFolders: [], clock: systemClock });
  const context = { workspace, signal: new AbortController().signal, emit() {} };
  const { status, content } = await runners.operation("grep")({ pattern: "needle" }, context);
  await runners.endAll();
  const sandbox = createSandbox({ processes: { launch: launchProgram }, key: Buffer.alloc(32) });
  const cell = { code: "const n: number = 6; return n * 7", language: "typescript", runId: "cell_1", sessionId: "", bindings, limits };
  const { valueJson } = await sandbox.run(cell, { call: async () => ({ ok: false, json: "0" }), answerOf: async () => ({ parked: true }), signal: context.signal });
  await sandbox.stop();
  process.stdout.write(JSON.stringify({ status, content, valueJson }));
`;

async function installed(): Promise<string> {
  const root = realpathSync(mkdtempSync("/var/tmp/holdpoint-flat-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [built, modules] = [join(root, "built"), join(root, "node_modules")];
  cpSync(join(REPOSITORY, "src"), join(built, "src"), {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts"),
  });
  cpSync(join(REPOSITORY, "package.json"), join(built, "package.json"));
  for (const left of ["client/index.ts", "testing/index.ts"]) rmSync(join(built, "src", left)); // not asked for here
  writeFileSync(join(built, "src/main.ts"), MAIN);
  symlinkSync(join(REPOSITORY, "node_modules"), join(built, "node_modules"));
  await bundle(built);
  for (const name of ["@vscode", "zod", "quickjs-wasi"])
    cpSync(join(REPOSITORY, "node_modules", name), join(modules, name), { recursive: true });
  mkdirSync(join(modules, "holdpoint"));
  for (const name of ["dist", "package.json"])
    cpSync(join(built, name), join(modules, "holdpoint", name), { recursive: true });
  rmSync(built, { recursive: true });
  mkdirSync(join(root, "work"));
  writeFileSync(join(root, "work", "hay.txt"), "hay\nneedle\n");
  return root;
}

const hasSandbox = (await machineSandbox().kind()) !== "none";

it.runIf(hasSandbox)(
  "[GA-13] what runs in a view needs nothing that lies beside the package",
  { timeout: BUILD_MS_MAX },
  async () => {
    const root = await installed();
    const program = join(root, "node_modules/holdpoint/dist/holdpoint.js");
    const said = execFileSync(process.execPath, [program, join(root, "work")], { encoding: "utf8" });
    const answer: unknown = JSON.parse(said);
    expect(answer).toMatchObject({ status: "ok", valueJson: "42" });
    expect(said).toContain("hay.txt");
  },
);
