/**
 * Who touches files for an agent: two processes per workspace, one that sees it read-only and one that may write and
 * takes only calls with a permit; of the latter one more for each scope that a plan is limited to. Where the machine has no sandbox the gateway does it itself (GA-15), with each file
 * checked again after it was opened.
 */
import { lstatSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname } from "node:path";
import type { Clock } from "../../../plugins/sessions.ts";
import type { Permit, ToolContext, ToolOutput } from "../../../plugins/tool.ts";
import { bareMachine, personalPlaces, recognisedWithin } from "../../../runner/hidden/hidden-places.ts";
import { sharedCounterMs } from "./shared-counter.ts";
import { createRunner, type Runner, RunnerEnded } from "../../../runner/runner.ts";
import type { Enclosed, Sandbox } from "../../../runner/sandbox.ts";
import type { Place, View } from "../../../runner/view.ts";
import { bothConfine, type Confinement } from "../../../protocol/calls/confinement.ts";
import { confinedFolders } from "../confined-places.ts";
import { packageOf, workerEntry } from "../../../runner/worker-entry.ts";
import { mustStillHold } from "../../permit.ts";
import { CHANGES_FILES, FILE_OPERATIONS, type FileArgs, type FileToolName } from "./file-operations.ts";
import type { FileOperation } from "./file-place.ts";
import { ripgrepPath } from "./ripgrep-path.ts";
import type { FileQuestion, ShownPermit } from "./file-worker.ts";

const WORKER = new URL("./file-worker.ts", import.meta.url);
/** Pairs of processes at once; of those that have nothing to do the one that was used longest ago makes room. */
const WORKSPACES_MAX = 8;
const HEAP_MEGABYTES = 256;
/** Workspaces of which it is remembered what must be hidden in them. */
const KNOWN_MAX = 64;

export type FileRunnerParts = {
  sandbox: Sandbox;
  protectedFolders: readonly string[];
  clock: Clock;
};

export type FileRunners = {
  operation<Name extends FileToolName>(tool: Name): FileOperation<FileArgs[Name]>;
  endAll(): Promise<void>;
};

type Pair = Readonly<Record<"reader" | "writer", Runner>>;

export function createFileRunners(parts: FileRunnerParts): FileRunners {
  const { sandbox, protectedFolders, clock } = parts;
  const pairs = new Map<string, Pair>();
  const secretsIn = createSecretsIn();

  function pairFor(workspace: string, confine: FileQuestion["confine"]): Pair {
    const scope = confine === undefined ? undefined : bothConfine(confine);
    const identity =
      [workspace, ...secretsIn(workspace)].map(identityOf).join(" ") + JSON.stringify(scope?.paths ?? null);
    const found = pairs.get(identity);
    pairs.delete(identity);
    const make = (as: "readable" | "writable"): Runner =>
      createRunner({ clock, program: () => workerProgram({ workspace, as, scope, ...parts }) });
    const pair = found ?? { reader: make("readable"), writer: make("writable") };
    pairs.set(identity, pair); // last, as the one that was used last
    for (const [oldest, { reader, writer }] of pairs) {
      if (pairs.size <= WORKSPACES_MAX) break;
      if (oldest === identity || reader.isBusy() || writer.isBusy()) continue; // what it is doing must have a known outcome
      pairs.delete(oldest);
      void Promise.all([reader.end(), writer.end()]);
    }
    return pair;
  }
  async function elsewhere(question: FileQuestion, context: ToolContext): Promise<ToolOutput> {
    const pair = pairFor(question.workspace, question.confine);
    if (CHANGES_FILES[question.tool]) return toOutput(await pair.writer.call(question, context.signal));
    try {
      return toOutput(await pair.reader.call(question, context.signal));
    } catch (error) {
      if (!(error instanceof RunnerEnded) || context.signal.aborted) throw error;
      return toOutput(await pair.reader.call(question, context.signal)); // it changed nothing: asking again is safe
    }
  }
  return {
    operation: (tool) => async (args, context, permit) => {
      const { confine } = context;
      if ((await sandbox.kind()) === "none") {
        const { workspace, signal } = context;
        if (permit !== undefined) mustStillHold(context);
        return FILE_OPERATIONS[tool](args, { workspace, protectedFolders, confine, signal, clock });
      }
      const workspace = await realpath(context.workspace).catch(() => context.workspace); // a link to it is not in its view
      const { workspaceIdentity: identity } = context;
      const shown = shownPermit(permit, context);
      return elsewhere({ tool, args, workspace, protectedFolders, confine, identity, permit: shown }, context);
    },
    async endAll() {
      const ending = [...pairs.values()].flatMap(({ reader, writer }) => [reader.end(), writer.end()]);
      pairs.clear();
      await Promise.all(ending);
    },
  };
}

/**
 * Another folder in the same place is another workspace: a process sees the one that was there when it started. The same
 * for a secret in it: what covers a file is gone when the file is replaced, and one that was made since is not covered.
 */
function identityOf(path: string): string {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "-" : `${path} ${found.dev}:${found.ino}:${found.birthtimeNs}`; // a number is used again
}

/** What is hidden inside of a workspace: of a person's home folder much, of most others nothing. */
function createSecretsIn(): (workspace: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (workspace) => {
    const inside = workspace === "/" ? workspace : `${workspace}/`;
    const found =
      known.get(workspace) ?? personalPlaces(homedir()).flatMap(({ path }) => (path.startsWith(inside) ? [path] : []));
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(workspace, found);
    return [...found, ...recognisedWithin(homedir(), workspace).map(({ path }) => path)];
  };
}

function shownPermit(permit: Permit | undefined, { leaseLeftMs }: ToolContext): ShownPermit | undefined {
  if (permit === undefined) return undefined;
  const { sessionId, epoch } = permit;
  const caller = permit.caller === undefined ? "turn" : JSON.stringify(permit.caller);
  const leftMs = leaseLeftMs?.() ?? Infinity;
  return { sessionId, epoch, caller, ...(leftMs === Infinity ? {} : { untilMs: sharedCounterMs() + leftMs }) };
}

function toOutput(answer: unknown): ToolOutput {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own code on the other side of the pipe made it
  return answer as ToolOutput;
}

type Worker = FileRunnerParts & {
  workspace: string;
  as: "readable" | "writable";
  scope: Confinement | undefined;
};

/** A file is written beside its place and renamed over it, so of a file the folder is writable; which file, the worker checks. */
const openedBy = ({ workspace, as, scope }: Worker): Place[] =>
  scope === undefined || as === "readable"
    ? [{ path: workspace, as }]
    : [{ path: workspace, as: "readable" }, ...confinedFolders(workspace, scope)];

async function workerProgram(worker: Worker): Promise<Enclosed> {
  const { sandbox, protectedFolders, workspace } = worker;
  const entry = await workerEntry(WORKER);
  const ripgrep = await ripgrepPath();
  const needed = [process.execPath, packageOf(entry), ...(ripgrep === "" ? [] : [dirname(ripgrep)])];
  const view: View = {
    rest: "read-only",
    network: false,
    isPinned: worker.scope !== undefined,
    places: [
      ...(workspace === "/" ? [] : bareMachine()), // then there is nothing beside it
      ...needed.map((path) => ({ path, as: "readable" as const })),
      ...openedBy(worker),
      ...personalPlaces(homedir()),
      ...recognisedWithin(homedir(), workspace),
      ...protectedFolders.map((path) => ({ path, as: "hidden" as const })),
    ],
  };
  const argv = [process.execPath, ...FLAGS, entry, ripgrep];
  const enclosed = await sandbox.enclose(view, { cwd: "/", argv });
  if (enclosed === undefined) throw new Error("the sandbox is gone");
  return enclosed;
}

/** Small: it holds one file at a time, and there are two of it beside the gateway. */
const FLAGS = [
  `--max-old-space-size=${HEAP_MEGABYTES}`,
  "--max-semi-space-size=1",
  "--v8-pool-size=0",
  "--optimize-for-size",
  "--no-experimental-sqlite",
  "--disable-sigusr1",
  "--no-warnings",
];
