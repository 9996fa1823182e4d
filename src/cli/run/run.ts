/**
 * `holdpoint run <agent> [args]`, `holdpoint run -- <command>`: any program with its workspace read-only until a plan of this
 * run is approved. The kernel holds it, so it does not matter what the program knows of us, or thinks of us.
 */
import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { ensureHome, homePath } from "../../config/home.ts";
import { runIdOf } from "../../external/run-id.ts";
import { decisionSocketPath, runFolder } from "../../external/socket/socket-paths.ts";
import { type Keeper, type Names, type StartedKeeper, startKeeper } from "../../runner/keeper/keeper.ts";
import { whyUnnamed } from "../../runner/keeper/named-writes.ts";
import { isInside } from "../../tools/builtin/workspace-path.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { hookFolder, launcherFile, writeHookFiles } from "../hooks/hook-files.ts";
import { agentProgram, type AgentProgram } from "./agent-programs.ts";
import { canHold } from "./can-hold.ts";
import { runNetwork, type RunNetwork } from "./egress/run-network.ts";
import { followRun, tellEnded } from "./follow-run.ts";
import { keeperView, makeOwnPlaces } from "./keeper-view.ts";
import type { RunOptions } from "./run-options.ts";
import { triedReport } from "./tried-report.ts";

const FIRST_ANSWER_MS_MAX = 10_000;
const NAME_CHARS_MAX = 32;
const RELEASE_TRIES_MAX = 100;
const RELEASE_EVERY_MS = 20;

/** The run that a kept program belongs to, for whoever speaks with the program in its name. */
export type KeptRun = {
  place: { agent: string; session: string; workspace: string };
  stdin: Writable;
  stdout: Readable;
  /** Resolves when the program may change things, or after a while. */
  released(): Promise<unknown>;
};
/** Takes the program's input and output instead of the terminal. */
export type Talk = (run: KeptRun) => void;

type Prepared = {
  program: AgentProgram | undefined;
  agent: string;
  argv: readonly [string, ...string[]];
  workspace: string;
  state: string;
  place: { agent: string; session: string; workspace: string };
};

export async function runAgent(
  words: readonly string[],
  options: RunOptions,
  context: CommandContext & { talk?: Talk },
): Promise<number> {
  const prepared = prepare(words, options, context);
  const why = await canHold();
  if (why !== undefined) throw cannotHold(why);
  const { state, place } = prepared;
  await ensureHome(state);
  await writeHookFiles(state);
  const folder = runFolder(state, runIdOf(place));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await keep(prepared, options, { ...context, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepare(words: readonly string[], options: RunOptions, { cwd, env }: CommandContext): Prepared {
  const [name, ...args] = words;
  if (name === undefined) {
    const advice = "Name one: holdpoint run claude, or any command: holdpoint run -- make";
    throw new CliError({ exit: "usage", message: "There is nothing to run.", advice, code: "USAGE" });
  }
  const workspace = workspaceAt(resolve(cwd, options.workspace ?? "."));
  const program = agentProgram(name);
  const file = found(program?.program ?? name, { cwd, path: env["PATH"] ?? "" });
  const agent = program?.agent ?? agentName(name);
  const session = `run-${randomBytes(9).toString("base64url")}`;
  return {
    program,
    agent,
    argv: [file, ...args],
    workspace,
    state: homePath(env),
    place: { agent, session, workspace },
  };
}

const agentName = (name: string): string => {
  const clean = basename(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
  return clean.slice(0, NAME_CHARS_MAX) || "command";
};

/** The folder itself, whatever link leads to it. One that holds the person's whole home cannot be held apart from it. */
function workspaceAt(path: string): string {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch (cause) {
    throw new CliError({ exit: "usage", message: `There is no folder ${path}.`, code: "USAGE", cause });
  }
  if (isInside(real, homedir())) {
    const message = `${real} holds your whole home folder, so it cannot be released without that.`;
    throw new CliError({ exit: "usage", message, advice: "Start it in a project's folder.", code: "USAGE" });
  }
  return real;
}

function found(name: string, { cwd, path }: { cwd: string; path: string }): string {
  const places = name.includes("/")
    ? [resolve(cwd, name)]
    : path
        .split(":")
        .filter(isAbsolute)
        .map((one) => join(one, name));
  const file = places.find(isExecutable);
  if (file !== undefined) return file;
  const message = `There is no program ${name} here.`;
  throw new CliError({ exit: "usage", message, advice: "Install it, or give its whole path.", code: "NO_PROGRAM" });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const cannotHold = (why: string): CliError =>
  new CliError({
    exit: "failed",
    message: `Nothing was started: ${why}, so the kernel cannot hold it here.`,
    advice: "What is left are hooks, which hold the agents that know them: holdpoint hooks install <agent>.",
    code: "CANNOT_HOLD",
  });

type Around = CommandContext & {
  folder: string;
  talk?: Talk;
  network?: RunNetwork | undefined;
  names?: Names | undefined;
};

async function keep(prepared: Prepared, options: RunOptions, context: Around): Promise<number> {
  const { place, state } = prepared;
  const { output, env } = context;
  const known = prepared.program?.hosts ?? [];
  const first = Promise.withResolvers<string>();
  const now: { keeper?: Keeper; released: boolean } = { released: false };
  const planning = planningOf(prepared, context);
  const report = triedReport({ path: decisionSocketPath(state), place, proposes: proposalOf(prepared) });
  let isProposed = planning === "itself";
  const onRefused = planning === "tried" ? report.needsPlan : undefined; // it may want a host and no file
  const network = runNetwork({ options, known, env, state, sessionId: runIdOf(place), onRefused });
  const followed = followRun(
    decisionSocketPath(state),
    () => {
      const proposes = isProposed ? {} : { proposes: proposalOf(prepared), onRefusal: planning !== "start" };
      return { ...place, title: `${place.agent} in ${basename(place.workspace)}`, ...proposes };
    },
    {
      status(told) {
        isProposed ||= told !== undefined && planning === "start"; // asked once: whatever became of it, the next line must not ask again
        now.released = told?.status === "approved";
        if (now.released) report.released();
        else if (told !== undefined) report.retry();
        network?.allow(now.released ? (told?.hosts ?? []) : undefined);
        now.keeper?.set(now.released);
        if (told !== undefined) first.resolve(told.review);
      },
      refused: (why) => first.reject(new CliError({ exit: "failed", message: why, code: "REFUSED" })),
    },
  );
  const late = setTimeout(() => first.reject(NO_GATEWAY), FIRST_ANSWER_MS_MAX);
  try {
    const review = await Promise.race([first.promise, unanswered(decisionSocketPath(state))]);
    output.remark(`Held by Holdpoint: ${place.workspace} is read-only until a plan is approved at ${review}`);
    const names = planning === "tried" ? { tried: report.tried, unnamed: report.needsPlan } : undefined;
    const keeper = startIn(prepared, options, { ...context, network, names });
    now.keeper = keeper;
    keeper.set(now.released);
    if (keeper.stdin !== null && keeper.stdout !== null)
      context.talk?.({ place, stdin: keeper.stdin, stdout: keeper.stdout, released: () => untilReleased(now) });
    const stop = passSignals(keeper);
    return await keeper.ended.finally(stop);
  } finally {
    clearTimeout(late);
    followed.close();
    await report.close();
    await tellEnded(decisionSocketPath(state), place);
  }
}

/**
 * Who hands a plan over: the program itself (whoever talks with it asks for it); Holdpoint once the program was refused
 * something, of which hooks of ours tell, or the supervisor of its writes; else Holdpoint at once.
 */
function planningOf(
  { program, argv }: Prepared,
  { talk, env, output }: Around,
): "itself" | "refused" | "tried" | "start" {
  if (talk !== undefined) return "itself";
  if (program?.plans !== true) {
    const why = whyUnnamed(env);
    if (why !== undefined) output.remark(`What it tries to change cannot be named here: ${why}.`);
    return why === undefined ? "tried" : "start";
  }
  return program.isUnattended?.(argv.slice(1)) === true ? "refused" : "itself";
}

/** The decision comes on one line and the release on another; neither waits for the other. */
async function untilReleased(now: { keeper?: Keeper; released: boolean }): Promise<void> {
  for (let tries = 0; tries < RELEASE_TRIES_MAX && !now.released; tries++) await pause(RELEASE_EVERY_MS);
  await now.keeper?.settled();
}

const NO_GATEWAY = new CliError({
  exit: "noGateway",
  message: "No gateway answers, and without one nobody could approve a plan.",
  advice: "Start one with: holdpoint start",
  code: "NO_GATEWAY",
});

/** Where no gateway ever listened there is nothing to wait for. */
async function unanswered(path: string): Promise<never> {
  try {
    accessSync(path, constants.F_OK);
  } catch {
    throw NO_GATEWAY;
  }
  return new Promise<never>(() => undefined);
}

const proposalOf = ({ argv, workspace }: Prepared): string =>
  `${[basename(argv[0]), ...argv.slice(1)].join(" ").slice(0, 500)} may change files in ${workspace}`;

function startIn(prepared: Prepared, options: RunOptions, context: Around): StartedKeeper {
  const { program, argv, workspace, state } = prepared;
  const { env, cwd, folder, output, network, names } = context;
  const person = { home: env["HOME"] || homedir(), env };
  makeOwnPlaces({ program, person });
  const started = withSettings(prepared, folder);
  const places = keeperView({
    workspace,
    file: realpathSync.native(argv[0]),
    person,
    state,
    shown: [folder, hookFolder(state)],
    program,
    writable: (options.writable ?? []).map((path) => resolve(cwd, path)),
  });
  warnOfMounts(workspace, output);
  const keeper = startKeeper({
    workspace,
    places,
    cwd: isInside(workspace, cwd) ? realpathSync.native(cwd) : workspace,
    argv: [argv[0], ...started.args],
    env: {
      ...withoutCredentials(env),
      ...program?.env,
      ...started.env,
      ...network?.env,
      TMPDIR: "/tmp",
      npm_config_cache: join("/tmp", "npm-cache"),
      HOLDPOINT_SOCKET: join(folder, "agents.sock"),
    },
    stdio: context.talk === undefined ? ["inherit", "inherit", "inherit"] : ["pipe", "pipe", "inherit"],
    notice: (text) => output.remark(`holdpoint: ${text}`),
    ...(names === undefined ? {} : { names }),
    ...(network === undefined ? {} : { ports: network.ports, onServers: network.onServers }),
  });
  if (keeper === undefined) throw cannotHold("bubblewrap or util-linux is missing");
  return keeper;
}

/** What would let it act as the person at the gateway, or through services that are out of its sight. */
const CREDENTIALS = [
  "HOLDPOINT_TOKEN",
  "HOLDPOINT_URL",
  "SSH_AUTH_SOCK",
  "GPG_AGENT_INFO",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
];

const withoutCredentials = (env: CommandContext["env"]): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !CREDENTIALS.includes(name)));

/** For this run alone, and stronger than what a repository says. */
function withSettings(
  { program, argv, state }: Prepared,
  folder: string,
): { args: readonly string[]; env?: Record<string, string> } {
  const args = argv.slice(1);
  if (program?.settings === undefined || program.start === undefined) return { args };
  const file = join(folder, "settings.json");
  writeFileSync(file, JSON.stringify(program.settings(launcherFile(state))), { mode: 0o600 });
  return program.start(file, args);
}

/** What is mounted inside stays read-only, also after an approval. */
function warnOfMounts(workspace: string, { remark }: CommandContext["output"]): void {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const inside = mounts.map((line) => line.split(" ")[4] ?? "").filter((path) => path.startsWith(`${workspace}/`));
  if (inside.length > 0) remark(`These are mounted inside of it and stay read-only: ${inside.join(", ")}`);
}

/** The terminal sends its signals to the whole group; others come to this process alone, and are handed on. */
function passSignals(keeper: Keeper): () => void {
  const own: [NodeJS.Signals, () => void][] = [
    ["SIGINT", () => process.stdin.isTTY || keeper.signal("SIGINT")],
    ["SIGQUIT", () => process.stdin.isTTY || keeper.signal("SIGQUIT")],
    ["SIGTERM", () => keeper.signal("SIGTERM")],
    ["SIGHUP", () => keeper.signal("SIGHUP")],
  ];
  for (const [name, listener] of own) process.on(name, listener);
  return () => {
    for (const [name, listener] of own) process.off(name, listener);
  };
}
