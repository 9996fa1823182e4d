/**
 * One run of an agent with a scripted model that tells it to write: in a project that is thrown away, with a copy of the
 * person's settings, and nothing else of the machine writable. What it wrote is what nothing held.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Environment, homePath } from "../../../config/home.ts";
import { startKeeper } from "../../../runner/keeper/keeper.ts";
import { systemPrograms } from "../../../runner/system-programs.ts";
import { hookFolder } from "../../hooks/hook-files.ts";
import type { AgentProgram } from "../../run/agent-programs.ts";
import { runNetwork } from "../../run/egress/run-network.ts";
import { keeperView, temporaryHome } from "../../run/keeper-view.ts";
import type { AgentProbe } from "./agent-probes.ts";
import { copySettings } from "./person-settings.ts";
import { scriptedModels, type ScriptedModels } from "./scripted-models.ts";

const TRIAL_MS_MAX = 120_000;
const SAID_CHARS_MAX = 20_000;
const CANARY = "canary-";

export type Trial = {
  probe: AgentProbe;
  program: AgentProgram;
  /** Where it was found. */
  file: string;
  person: { home: string; env: Environment };
  /** What holds it: its hooks, which ask on this socket, or the kernel alone. */
  by: { hooks: string } | "kernel";
  isHostile: boolean;
  args?: readonly string[];
};

/** `untried`: it never came so far that it was told to write. */
export type TrialEnd = { outcome: "closed" | "open" | "untried"; detail: string };

export async function tryAgent(trial: Trial): Promise<TrialEnd> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "holdpoint-agent-doctor-")));
  const project = join(folder, "project");
  const [home, state] = [join(folder, "home"), join(folder, "state")];
  for (const path of [project, home, state]) mkdirSync(path);
  const models = await scriptedModels(stepsOf(trial.probe, project));
  try {
    writeFileSync(join(project, "a.txt"), "hello\n");
    for (const [path, text] of Object.entries(trial.isHostile ? trial.probe.hostile : {})) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const said = await runTrial(trial, { project, home, state, models });
    const canaries = readdirSync(project).filter((name) => name.startsWith(CANARY));
    if (canaries.length > 0) return { outcome: "open", detail: `it wrote ${canaries.join(", ")}` };
    if (models.asked() < 2) return { outcome: "untried", detail: `it did not follow the script: ${lastLine(said)}` };
    return { outcome: "closed", detail: `it was told to write ${models.asked() - 1} times, and wrote nothing` };
  } finally {
    models.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Ways to write that have little in common. */
const stepsOf = ({ shell, write }: AgentProbe, project: string) =>
  [
    shell(`echo x > ${CANARY}shell`),
    write(join(project, `${CANARY}write`)),
    shell(`perl -e 'open(my $f, ">", "${CANARY}perl") or die "$!\\n"'`),
  ].map((call) => ({ text: "Next.", calls: [call] }));

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";

type Place = { project: string; home: string; state: string; models: ScriptedModels };

function runTrial(trial: Trial, place: Place): Promise<string> {
  const { probe, person, file, args = [] } = trial;
  const { url } = place.models;
  const argv = [file, ...probe.args(url, args)];
  const env = {
    PATH: person.env["PATH"],
    LANG: "C.UTF-8",
    TERM: "dumb",
    ...probe.env(url),
  };
  return trial.by === "kernel"
    ? byKernel(trial, place, { argv, env: { ...env, HOME: place.home } })
    : byHooks(trial, place, { argv, env: { ...env, HOLDPOINT_SOCKET: trial.by.hooks } });
}

const MACHINE = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
const ENDS_WITH_US = ["--unshare-pid", "--die-with-parent", "--new-session"];

type Started = { argv: readonly string[]; env: NodeJS.ProcessEnv };

/** At the very place of the person's settings where that can be done: some agents trust hooks by the path of their file. */
async function byHooks(trial: Trial, { project, home }: Place, started: Started): Promise<string> {
  const { person, file: found } = trial;
  const copied = copySettings(trial, home);
  const bwrap = systemPrograms().find("bwrap");
  const isMounted = bwrap !== undefined && copied.mounts.length > 0;
  const readable = [process.execPath, hookFolder(homePath(person.env)), ...temporaryHome(found)];
  const socket = started.env["HOLDPOINT_SOCKET"] ?? "";
  const inside = [
    ...MACHINE,
    ...[...readable, socket].flatMap((path) => ["--ro-bind-try", path, path]),
    ...[home, project].flatMap((path) => ["--bind", path, path]),
    ...copied.mounts.flatMap(({ copy, at }) => ["--bind", copy, at]),
    ...ENDS_WITH_US,
    "--chdir",
    project,
    "--",
  ];
  const [file = "", ...args] = bwrap === undefined ? started.argv : [bwrap, ...inside, ...started.argv];
  const env = { ...started.env, HOME: isMounted ? person.home : home };
  const child = spawn(file, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"], timeout: TRIAL_MS_MAX });
  const said = saidBy([child.stdout, child.stderr]);
  await new Promise((resolve, reject) => void child.once("close", resolve).once("error", reject));
  return said();
}

/** As `holdpoint run` starts it, and never released. */
async function byKernel(trial: Trial, place: Place, started: Started): Promise<string> {
  const { program, file } = trial;
  const { project, home, state, models } = place;
  const own = { home, env: {} };
  copySettings(trial, home);
  const network = runNetwork({
    options: { modelHost: [`127.0.0.1:${models.port}`] },
    known: [],
    env: {},
    state,
    sessionId: "doctor",
  });
  if (network === undefined) throw new Error("the trial has no network of its own");
  const keeper = startKeeper({
    workspace: project,
    places: keeperView({
      workspace: project,
      file,
      person: own,
      state,
      shown: [],
      program,
      writable: [home],
    }),
    cwd: project,
    argv: started.argv,
    env: { ...started.env, ...network.env, TMPDIR: "/tmp" },
    stdio: ["ignore", "pipe", "pipe"],
    notice: () => undefined,
    ports: network.ports,
    onServers: network.onServers,
  });
  if (keeper === undefined) throw new Error("bubblewrap or util-linux is missing");
  const late = setTimeout(() => keeper.signal("SIGKILL"), TRIAL_MS_MAX);
  const said = saidBy([keeper.stdout, keeper.stderr]);
  await keeper.ended.finally(() => clearTimeout(late));
  return said();
}

function saidBy(streams: readonly (NodeJS.ReadableStream | null)[]): () => string {
  let said = "";
  for (const stream of streams) {
    stream?.on("data", (piece: Buffer) => void (said = (said + piece.toString("utf8")).slice(-SAID_CHARS_MAX)));
  }
  return () => said;
}

/** The program of this name on the person's PATH, free of links: a trial shows it as little as it can. */
export function onPath(name: string, path: string): string | undefined {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  return found === undefined ? undefined : realpathSync.native(found);
}
