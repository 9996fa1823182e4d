/**
 * The sandbox of this machine: bubblewrap where the system has it and lets it work, else util-linux, with perl where that
 * is there, else none. Tried when the first process is to be started: a program that is installed may still be forbidden (no user namespaces, a container
 * that masks /proc).
 *
 *   unknown ──tried──┬─▶ bubblewrap · perl · util-linux · none   (for good: what a command does later cannot switch it off)
 *                    └─▶ too slow to decide ──after a while──▶ unknown
 */
import { bubblewrapArguments } from "./bubblewrap.ts";
import { type ExistingPlace, existingPlaces } from "./hidden/existing-places.ts";
import { otherNames } from "./hidden/other-mounts.ts";
import { perlArguments } from "./perl.ts";
import { socketFilter } from "./socket-filter.ts";
import { type Enclosed, FILTER_DESCRIPTOR, spawnEnclosed } from "./spawn-enclosed.ts";
import { systemPrograms } from "./system-programs.ts";
import { utilLinuxArguments } from "./util-linux.ts";
import type { Program, View } from "./view.ts";

const PROBE_MS_MAX = 5_000;
/** A machine too busy to answer is not asked again at every command: each of them would wait for it. */
const ASK_AGAIN_MS = 30_000;

export type SandboxKind = "bubblewrap" | "perl" | "util-linux" | "none";
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
};

const BUILDERS: readonly Builder[] = ["bubblewrap", "perl", "util-linux"];

/** What is tried beforehand: the strictest view and the widest. */
const PROBES: readonly View[] = [
  { rest: "read-only", places: [{ path: "/tmp", as: "scratch" }], network: false },
  { rest: "writable", places: [{ path: "/tmp", as: "hidden" }], network: true },
];

export function probedSandbox(probing: Probing = {}): Sandbox {
  const { clock = Date, attempt = attemptHere, builders = BUILDERS } = probing;
  let found: Promise<SandboxKind> | undefined;
  let lateAtMs: number | undefined;

  async function answerOf(builder: Builder): Promise<Answer> {
    const enclosed = PROBES.map((view) => build(builder, view, { cwd: "/", argv: [nothing()] }));
    const answers = await Promise.all(enclosed.map(async (one) => (one === undefined ? "fails" : await attempt(one))));
    return answers.find((answer) => answer !== "works") ?? "works";
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
      return builder === "none" ? undefined : build(builder, view, program);
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
export const chosenBuilders = (env: NodeJS.ProcessEnv): readonly Builder[] => {
  const chosen = env["HOLDPOINT_SANDBOX"];
  return chosen === undefined || chosen === "" ? BUILDERS : BUILDERS.filter((builder) => builder === chosen);
};

/** The whole machine is no place of its own: mounted over the rest it would bring back every process of the machine. */
function existing({ rest, places, network }: View) {
  const there = withOtherNames(existingPlaces(places));
  const isWritable = there.some(({ path, as }) => path === "/" && as === "writable");
  return { rest: isWritable ? "writable" : rest, places: there.filter(({ path }) => path !== "/"), network } as const;
}

/** What is hidden is hidden wherever else it is mounted. */
function withOtherNames(places: readonly ExistingPlace[]): readonly ExistingPlace[] {
  const names = otherNames(places.flatMap(({ path, as }) => (as === "hidden" ? [path] : [])));
  return names.length === 0
    ? places
    : existingPlaces([...places, ...names.map((path) => ({ path, as: "hidden" as const }))]);
}

const BUILD: Readonly<Record<Builder, (view: View, program: Program) => Enclosed | undefined>> = {
  bubblewrap(view, program) {
    const file = systemPrograms().find("bwrap");
    if (file === undefined) return undefined;
    const filter = isFiltered(view) ? socketFilter() : undefined;
    const filtered = filter === undefined ? [] : ["--seccomp", String(FILTER_DESCRIPTOR)];
    const args = [...filtered, ...bubblewrapArguments(existing(view), program)];
    return { file, args, ...(filter === undefined ? {} : { filter }) };
  },
  perl(view, program) {
    const [perl, setpriv, unshare] = ["perl", "setpriv", "unshare"].map((name) => systemPrograms().find(name));
    if (perl === undefined || setpriv === undefined || unshare === undefined) return undefined;
    const programs = { perl, setpriv, unshare };
    const args = perlArguments(existing(view), { program, programs, filtered: isFiltered(view) });
    if (args === undefined) return undefined;
    return { file: setpriv, args: ["--pdeathsig", "KILL", "--", unshare, ...args] };
  },
  "util-linux"(view, program) {
    const [file, unshare] = ["setpriv", "unshare"].map((name) => systemPrograms().find(name));
    const args = utilLinuxArguments(existing(view), program);
    if (file === undefined || unshare === undefined || args === undefined) return undefined;
    return { file, args: ["--pdeathsig", "KILL", "--", unshare, ...args] }; // it ends with the gateway, however that ends
  },
};

/** What was approved may listen and connect. */
const isFiltered = ({ rest }: View): boolean => rest === "read-only";

const build = (builder: Builder, view: View, program: Program): Enclosed | undefined =>
  process.platform === "linux" ? BUILD[builder](view, program) : undefined;

/** A program that does nothing and succeeds. */
const nothing = (): string => systemPrograms().find("true") ?? "/bin/true";

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
