/** A command in the view that it may have of the machine: read-only where it is proven to read, the workspace writable otherwise. */
import { homedir } from "node:os";
import { TooManySockets } from "../../../runner/hidden/bound-sockets.ts";
import {
  fixedAbove,
  hiddenFromReaders,
  hiddenFromWriters,
  keptInWorkspace,
  type Hiding,
} from "../../../runner/hidden/hidden-places.ts";
import type { Enclosed } from "../../../runner/sandbox.ts";
import { bothConfine, type Confinement } from "../../../protocol/calls/confinement.ts";
import type { Place, Program, View } from "../../../runner/view.ts";
import { confinedFiles } from "../confined-places.ts";
import type { Job } from "./exec-parts.ts";

/** `bare`: without a sandbox, as a person decided. `refused`: there is none here, and nobody decided to go without. */
export type Enclosure = { kind: "enclosed"; process: Enclosed } | { kind: "bare" } | { kind: "refused"; why: string };

const hidingOf = ({ hidden, parts }: Job): Hiding => {
  const { hide, show, hideStateFolder } = parts.settings();
  return { home: homedir(), own: hideStateFolder ? hidden : [], hide, show };
};

/** Where a person shows the gateway's folder to commands, it is not hidden as one of a gateway either. */
function writersHiding(job: Job): Hiding {
  const hiding = hidingOf(job);
  return job.parts.settings().hideStateFolder ? hiding : { ...hiding, show: [...hiding.show, ...job.hidden] };
}

export function readersView(job: Job): View {
  const workspace = { path: job.root, as: "readable" } as const; // not the folder that it starts in: that may be hidden
  const own = job.hidden.map((path) => ({ path, as: "hidden" as const })); // always: the setting is about other commands
  return { rest: "read-only", network: false, places: [...hiddenFromReaders(hidingOf(job)), workspace, ...own] };
}

function writersView(job: Job): View {
  const workspace = { path: job.root, as: "writable" } as const;
  const places = [
    ...fixedAbove(job.hidden),
    ...hiddenFromWriters(writersHiding(job)),
    workspace,
    ...keptInWorkspace(job.root),
  ];
  return { rest: "writable", network: true, places };
}

/**
 * Under an approval that is limited to a scope: nothing but what it declares is writable, and temporary files are the
 * command's own. Without the network, what proves who the person is has no use and is not there.
 */
function confinedView(job: Job, confine: readonly Confinement[]): View {
  const scope = bothConfine(confine);
  const { network } = scope;
  const hiding = hidingOf(job);
  const around = network ? hiddenFromWriters(hiding).map(onlyShown) : hiddenFromReaders(hiding);
  const places: Place[] = [
    { path: "/tmp", as: "scratch" },
    ...around,
    { path: job.root, as: "readable" },
    ...confinedFiles(job.root, scope),
    ...job.hidden.map((path) => ({ path, as: "hidden" as const })),
  ];
  return { rest: "read-only", network, places, isPinned: true };
}

const onlyShown = ({ path, as }: Place): Place => ({ path, as: as === "writable" ? "readable" : as });

/** The view that a command with a permit has. */
export const givenView = (job: Job): View =>
  job.context.confine === undefined ? writersView(job) : confinedView(job, job.context.confine);

export async function enclose(viewOf: (job: Job) => View, program: Program, job: Job): Promise<Enclosure> {
  const { sandbox, settings } = job.parts;
  if (settings().sandbox === "none")
    return job.context.confine === undefined ? { kind: "bare" } : { kind: "refused", why: UNCONFINED };
  const view = built(() => viewOf(job));
  if ("refused" in view) return { kind: "refused", why: view.refused };
  const process = await sandbox.enclose(view, { ...program, isLeader: true });
  if (process !== undefined) return { kind: "enclosed", process };
  if ((await sandbox.kind()) !== "none") return { kind: "refused", why: EXCHANGED };
  return { kind: "refused", why: sandbox.isUncertain() ? BUSY : NO_SANDBOX_HERE };
}

function built(view: () => View): View | { refused: string } {
  try {
    return view();
  } catch (error) {
    if (error instanceof TooManySockets) return { refused: `Not run: ${error.message}` };
    throw error;
  }
}

const UNCONFINED =
  "Not run: the approved plan is limited to what it declares, and without a sandbox no command can be kept to that. The file tools work.";
const EXCHANGED =
  "Not run: a place that the plan declares was exchanged for another while the sandbox was built, or cannot be shown here. Look at what is there, then try again.";
const BUSY = "Not run: this machine was too busy to start a sandbox. Try again in half a minute.";
const NO_SANDBOX_HERE =
  'Not run: this machine has no sandbox (on Linux bubblewrap or user namespaces, on macOS sandbox-exec), so a command could reach what is not its own. The file tools work. A person can install one, or set tools.exec.sandbox to "none" and so run commands without one.';
