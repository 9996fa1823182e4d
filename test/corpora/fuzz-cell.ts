/**
 * Many commands in one throw-away copy of the machine. Above the real disk lies a layer in memory that takes every write,
 * so what was written anywhere is what that layer holds; programs that no rule names are replaced by ones that record
 * that they were started; and the network leads nowhere, but counts who tries.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { hardenedEnvironment } from "../../src/plan-mode/shell/environment.ts";
import { ruleFor } from "../../src/plan-mode/shell/rules/index.ts";
import type { Fixture } from "./shell-fixture.ts";

const SCRIPT = new URL("fuzz-cell.sh", import.meta.url).pathname;
/** Below /usr. */
const TOOLS = "lib/fuzz-cell";
const FOLDERS = ["bin", "sbin", "local/bin", "local/sbin", "lib/git-core"];
const OUTPUT_BYTES_MAX = 16_000_000;
const COMMAND_SECONDS_MAX = 2;
const PARALLEL = 4;
const CELL_MS_MAX = 600_000;

/** Programs that a listed one is made of. */
const GIT_SCRIPTS = [
  "git-bisect",
  "git-submodule",
  "git-sh-setup",
  "git-sh-i18n",
  "git-sh-i18n--envsubst",
  "gettext.sh",
  "gettext",
  "envsubst",
];
const PARTS = new Set(["git", "gzip", "bzip2", "xz", "getopt", ...GIT_SCRIPTS]);
/** They may run a listed program that is a script, and nothing else. */
const INTERPRETERS = ["sh", "bash", "perl", "python3"];

export type Deeds = {
  readonly wrote: readonly string[];
  readonly started: readonly string[];
  readonly connected: number;
};

export type FuzzCell = { run(commands: readonly string[]): Deeds; remove(): void };

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/** Undefined where the system does not let us build one. */
export function createFuzzCell(fixture: Fixture): FuzzCell | undefined {
  if (process.platform !== "linux") return undefined;
  const cell = mkdtempSync(join(tmpdir(), "holdpoint-cell-"));
  for (const folder of ["layers", `shims/${TOOLS}`]) mkdirSync(join(cell, folder), { recursive: true });
  furnish(join(cell, "shims"), fixture);
  const made: FuzzCell = {
    run: (commands) => runInCell({ cell, folders: [fixture.folder, fixture.home] }, commands),
    remove: () => rmSync(cell, { recursive: true, force: true }),
  };
  try {
    // A cell that cannot see these would prove nothing.
    const { wrote, started, connected } = made.run(["echo x > proof", "true > /dev/tcp/127.0.0.1/9", "unshare"]);
    if (wrote.length === 1 && started.length === 1 && connected === 1) return made;
  } catch {
    // Whatever is missing, the caller has another way.
  }
  made.remove();
  return undefined;
}

function furnish(shims: string, fixture: Fixture): void {
  for (const tool of ["bash", "env", "timeout", "xargs"])
    copyFileSync(join("/usr/bin", tool), join(shims, TOOLS, tool));
  const environment = Object.entries(hardenedEnvironment(fixture.home)).map(
    ([name, value]) => `${name}=${quoted(value)}`,
  );
  const one = `cd ${quoted(fixture.folder)} && /usr/${TOOLS}/env -i ${environment.join(" ")} /usr/${TOOLS}/timeout -s KILL ${COMMAND_SECONDS_MAX} /usr/${TOOLS}/bash --noprofile --norc -c "$1"; exit 0`;
  script(join(shims, TOOLS, "run-one"), one);
  script(join(shims, TOOLS, "shim"), RECORD);
  const scripts = programsIn("bin").filter((name) => ruleFor(name) !== undefined && !INTERPRETERS.includes(name));
  const paths = scripts.map((name) => `/usr/bin/${name} /bin/${name}`);
  writeFileSync(
    join(shims, TOOLS, "listed"),
    [...paths, ...GIT_SCRIPTS.map((name) => `/usr/lib/git-core/${name}`)].join("\n"),
  );
  const names = new Map(FOLDERS.map((folder) => [folder, programsIn(folder)]));
  const listed = listedOf([...names.values()].flat());
  for (const [folder, programs] of names) {
    mkdirSync(join(shims, folder), { recursive: true });
    for (const name of programs) if (!listed.has(name)) symlinkSync(`/usr/${TOOLS}/shim`, join(shims, folder, name));
  }
  for (const name of INTERPRETERS) interpreter(shims, name);
}

const RECORD = 'echo "$0 $*" >> /fuzz-started';

const programsIn = (folder: string): readonly string[] =>
  readdirSync(join("/usr", folder), { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name);

/** With all names that a listed one leads through (`which` → `which.debianutils`). */
const listedOf = (names: readonly string[]): ReadonlySet<string> => {
  const listed = names.filter((name) => ruleFor(name) !== undefined || PARTS.has(name));
  return new Set([...listed, ...listed.flatMap((name) => targets(join("/usr/bin", name)))]);
};

function targets(path: string): readonly string[] {
  if (!existsSync(path) || !lstatSync(path).isSymbolicLink()) return [];
  const next = resolve(dirname(path), readlinkSync(path));
  return [basename(next), ...targets(next)];
}

function interpreter(shims: string, name: string): void {
  const path = join("/usr/bin", name);
  if (!existsSync(path)) return;
  const real = join(TOOLS, `real-${name}`);
  copyFileSync(realpathSync(path), join(shims, real));
  const modules = `case "$*" in "-I -m "*) exec -a ${name} /usr/${real} "$@" ;; esac`; // apart from the folder and the person
  const check = `case "$*" in --version | -V | -v) exit ;; esac; ${name === "python3" ? `${modules};` : ""} for script in $(< /usr/${TOOLS}/listed); do [ "$1" != "$script" ] || exec -a ${name} /usr/${real} "$@"; done`;
  for (const each of new Set([name, ...targets(path)])) {
    rmSync(join(shims, "bin", each), { force: true });
    script(join(shims, "bin", each), `${check}\n${RECORD}`);
  }
}

function script(path: string, text: string): void {
  writeFileSync(path, `#!/usr/${TOOLS}/bash\n${text}\n`);
  chmodSync(path, 0o755);
}

function runInCell(
  { cell, folders }: { cell: string; folders: readonly string[] },
  commands: readonly string[],
): Deeds {
  const list = join(cell, "commands");
  writeFileSync(list, commands.map((command) => `${command}\0`).join(""));
  const unshare = "--map-root-user --mount --net --pid --fork --kill-child --ipc".split(" ");
  const order = ["/bin/bash", SCRIPT, cell, list, String(PARALLEL), ...folders];
  const result = spawnSync("unshare", [...unshare, "--", ...order], {
    encoding: "utf8",
    timeout: CELL_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  const lines = result.stdout.split("\n");
  const told = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [connected] = told("connected");
  if (result.status !== 0 || connected === undefined)
    throw new Error(`the cell failed: ${result.status} ${result.stderr} ${lines.slice(0, 5).join(" ")}`);
  return { wrote: told("wrote"), started: told("started"), connected: Number(connected) };
}
