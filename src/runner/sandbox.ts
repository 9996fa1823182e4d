/**
 * The sandbox of this machine: bubblewrap where the system has it and lets it work, else util-linux, with perl where that
 * is there; on macOS Seatbelt; else none. Tried when the first process is to be started: a program that is installed may still be forbidden (no user namespaces, a container
 * that masks /proc).
 *
 *   unknown ──tried──┬─▶ bubblewrap · perl · util-linux · seatbelt · none   (for good: what a command does later cannot switch it off)
 *                    └─▶ too slow to decide ──after a while──▶ unknown
 */
import { bubblewrapArguments, nearArguments, standIns } from "./bubblewrap.ts";
import { hiddenEverywhere } from "./hidden/existing-places.ts";
import { enclosedByPerl } from "./perl.ts";
import { pinnedProgram } from "./pinned-places.ts";
import { socketFilter } from "./socket-filter.ts";
import { type Enclosed, FILTER_DESCRIPTOR, spawnEnclosed, STATUS_DESCRIPTOR } from "./spawn-enclosed.ts";
import { standInsFor } from "./stand-ins.ts";
import { systemPrograms } from "./system-programs.ts";
import { utilLinuxArguments } from "./util-linux.ts";
import { workFilter } from "./work-filter.ts";
import type { Trials } from "./seatbelt/trial.ts";
import type { Program, View } from "./view.ts";

const PROBE_MS_MAX = 5_000;
/** A machine too busy to answer is not asked again at every command: each of them would wait for it. */
const ASK_AGAIN_MS = 30_000;

export type SandboxKind = "bubblewrap" | "perl" | "util-linux" | "seatbelt" | "none";
export type { Enclosed } from "./spawn-enclosed.ts";

export type Sandbox = {
  kind(): Promise<SandboxKind>;
  /** Whether the last attempt timed out; until the next one there is no sandbox. */
  isUncertain(): boolean;
  /** Undefined where there is no sandbox. */
  enclose(view: View, program: Program): Promise<Enclosed | undefined>;
};

export const NO_SANDBOX: Sandbox = {
  kind: async () => "none",
  isUncertain: () => false,
  enclose: async () => undefined,
};

type Builder = Exclude<SandboxKind, "none">;
/** How one attempt ended. */
type Answer = "works" | "fails" | "late";
/** Starts a program that does nothing. */
export type Attempt = (enclosed: Enclosed) => Promise<Answer>;

export type Probing = {
  clock?: { now(): number };
  attempt?: Attempt;
  /** In the order of preference. */
  builders?: readonly Builder[];
  /** The programs that stand between a command and the machine. */
  find?: Find;
};

type Find = (name: string) => string | undefined;

/** A system that is not named has no sandbox: no command runs there unless a person decided so. */
const BUILDERS: Readonly<Partial<Record<NodeJS.Platform, readonly Builder[]>>> = {
  linux: ["bubblewrap", "perl", "util-linux"],
  darwin: ["seatbelt"],
};
const buildersOf = (platform: NodeJS.Platform): readonly Builder[] => BUILDERS[platform] ?? [];

/** What is tried beforehand: the strictest view and the widest. */
const VIEWS: readonly View[] = [
  { rest: "read-only", places: [{ path: "/tmp", as: "scratch" }], network: false },
  { rest: "writable", places: [{ path: "/tmp", as: "hidden" }], network: true },
];

export function probedSandbox(probing: Probing = {}): Sandbox {
  const { clock = Date, attempt = attemptHere, builders = buildersOf(process.platform) } = probing;
  const { find = (name) => systemPrograms().find(name) } = probing;
  let found: Promise<SandboxKind> | undefined;
  let lateAtMs: number | undefined;

  async function answerOf(builder: Builder): Promise<Answer> {
    const { trials, remove } = await probesFor(builder, find);
    try {
      const tried = trials.map(async ({ view, program }) => {
        const enclosed = await BUILD[builder](view, program, find);
        return enclosed === undefined ? "fails" : await attempt(enclosed);
      });
      return (await Promise.all(tried)).find((answer) => answer !== "works") ?? "works";
    } finally {
      await remove();
    }
  }
  async function probe(): Promise<SandboxKind> {
    for (const builder of builders) {
      const answer = await answerOf(builder);
      if (answer === "works") return builder;
      if (answer === "late") {
        lateAtMs = clock.now();
        return "none";
      }
    }
    return "none";
  }
  function kind(): Promise<SandboxKind> {
    if (lateAtMs !== undefined && clock.now() - lateAtMs >= ASK_AGAIN_MS) {
      lateAtMs = undefined;
      found = undefined;
    }
    return (found ??= probe());
  }
  return {
    kind,
    isUncertain: () => lateAtMs !== undefined,
    async enclose(view, program) {
      const builder = await kind();
      return builder === "none" ? undefined : await BUILD[builder](view, program, find);
    },
  };
}

let ofThisMachine: Sandbox | undefined;

/** Tried once for the whole process, before the first command of an agent runs. */
export const machineSandbox = (): Sandbox =>
  (ofThisMachine ??= probedSandbox({ builders: chosenBuilders(process.env) }));

/**
 * `HOLDPOINT_SANDBOX` names the only one to be tried, for a machine on which the other is broken, and for tests; "none"
 * tries none. It opens nothing: where no sandbox works, commands are refused.
 */
export const chosenBuilders = (env: NodeJS.ProcessEnv, platform = process.platform): readonly Builder[] => {
  const chosen = env["HOLDPOINT_SANDBOX"];
  const all = buildersOf(platform);
  return chosen === undefined || chosen === "" ? all : all.filter((builder) => builder === chosen);
};

/** The whole machine is no place of its own: mounted over the rest it would bring back every process of the machine. */
function existing({ rest, places, network }: View) {
  const there = hiddenEverywhere(places);
  const isWritable = there.some(({ path, as }) => path === "/" && as === "writable");
  return { rest: isWritable ? "writable" : rest, places: there.filter(({ path }) => path !== "/"), network } as const;
}

type Build = (view: View, program: Program, find: Find) => Enclosed | undefined | Promise<Enclosed | undefined>;

/** What is there of a view, and the program as it is to start in it; undefined where it must not. */
function prepared(view: View, program: Program, find: Find) {
  const there = existing(view);
  if (view.isPinned !== true) return { there, program };
  const bash = find("bash");
  const checked = bash === undefined ? undefined : pinnedProgram(view, { places: there.places, program, bash });
  return checked === undefined ? undefined : { there, program: checked };
}

/** The same with a filter. Where none of a service's sockets can be connected to, they need no covering, and may go meanwhile. */
function filtered(view: View, program: Program, find: Find) {
  const ready = prepared(view, program, find);
  if (ready === undefined) return undefined;
  const filter = filterFor(view);
  if (filter === undefined || view.rest === "writable") return { ...ready, filter };
  const places = ready.there.places.filter(({ as, isSocket }) => as !== "hidden" || !isSocket);
  return { ...ready, there: { ...ready.there, places }, filter };
}

const BUILD: Readonly<Record<Builder, Build>> = {
  bubblewrap(view, asked, find) {
    const [file, ready] = [find("bwrap"), filtered(view, asked, find)];
    if (file === undefined || ready === undefined) return undefined;
    const perl = ready.program.isNear === true ? find("perl") : undefined;
    const program = { ...ready.program, isNear: perl !== undefined };
    const { filter, there } = ready;
    const seccomp = filter === undefined ? [] : ["--seccomp", String(FILTER_DESCRIPTOR)];
    const isAnswered = program.isLeader === true && perl === undefined;
    const status = isAnswered ? ["--json-status-fd", String(STATUS_DESCRIPTOR)] : [];
    const args = [...seccomp, ...status, ...bubblewrapArguments(there, program)];
    const started = perl === undefined ? { file, args } : { file: perl, args: nearArguments(file, args) };
    const made = standIns(there);
    return {
      ...started,
      ...(filter === undefined ? {} : { filter }),
      ...(made.length === 0 ? {} : { standIns: standInsFor(made) }),
      ...(isAnswered ? { again: () => BUILD.bubblewrap(view, asked, find) } : {}),
    };
  },
  perl(view, asked, find) {
    const [perl, setpriv, unshare] = ["perl", "setpriv", "unshare"].map(find);
    const ready = filtered(view, asked, find);
    if (perl === undefined || setpriv === undefined || unshare === undefined || ready === undefined) return undefined;
    const { there, program, filter } = ready;
    return enclosedByPerl(there, { program, programs: { perl, setpriv, unshare }, filter });
  },
  "util-linux"(view, asked, find) {
    const [file, unshare] = ["setpriv", "unshare"].map(find);
    const ready = prepared(view, asked, find);
    const args = ready === undefined ? undefined : utilLinuxArguments(ready.there, ready.program);
    if (file === undefined || unshare === undefined || args === undefined) return undefined;
    return { file, args: ["--pdeathsig", "KILL", "--", unshare, ...args] }; // it ends with the gateway, however that ends
  },
  /** Loaded where it is needed: other systems do without. */
  async seatbelt(view, program, find) {
    const { seatbeltEnclosed } = await import("./seatbelt/seatbelt.ts");
    return seatbeltEnclosed(existing(view), { program, find });
  },
};

/** What was approved may listen and connect. */
const filterFor = ({ rest }: View): Uint8Array | undefined => (rest === "read-only" ? socketFilter() : workFilter());

/** On Linux that a program starts in it, since what its views hold is tested; what nobody ran yet must show that it holds. */
async function probesFor(builder: Builder, find: Find): Promise<Trials> {
  if (builder === "seatbelt") return (await import("./seatbelt/trial.ts")).prepareTrials();
  const program = { cwd: "/", argv: [find("true") ?? "/bin/true"] };
  return { trials: VIEWS.map((view) => ({ view, program })), remove: async () => undefined };
}

async function attemptHere(enclosed: Enclosed): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const child = spawnEnclosed(enclosed, { env: {}, stdio: ["ignore", "ignore", "ignore"] });
  const late = setTimeout(() => {
    child.kill("SIGKILL");
    resolve("late");
  }, PROBE_MS_MAX);
  child.once("error", () => resolve("fails"));
  child.once("exit", (code) => resolve(code === 0 ? "works" : "fails"));
  return promise.finally(() => clearTimeout(late));
}
