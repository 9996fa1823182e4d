/**
 * Bubblewrap, where the system has it and lets it work. Tested when the first command runs: a program that
 * is installed may still be forbidden (no user namespaces, a container that masks /proc).
 *
 *   unknown ──tried──┬─▶ works · does not work   (for good: what a command does later cannot switch it off)
 *                    └─▶ too slow to decide ──after a while──▶ unknown
 */
import { execFile } from "node:child_process";
import type { Clock } from "../../../plugins/sessions.ts";
import { systemPrograms } from "./system-programs.ts";

const PROBE_MS_MAX = 5_000;
/** A machine too busy to answer is not asked again at every command: each of them would wait for it. */
const ASK_AGAIN_MS = 30_000;

/** What proven reads need: a root that cannot be written to, nothing of the network, processes of their own. */
const READ_ONLY =
  "--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --unshare-all --die-with-parent --new-session --cap-drop ALL";

/**
 * What every other command gets: the machine as it is, without some folders. Processes of its own too, because the
 * gateway's files and environment can be read through /proc by whoever sees the gateway's process. The capabilities that
 * could undo it are taken from root; nobody else has them.
 */
const HIDING = "--dev-bind / / --unshare-pid --proc /proc --die-with-parent";
const UNDOING = ["SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "SYS_RAWIO", "MKNOD", "DAC_READ_SEARCH"].flatMap((name) => [
  "--cap-drop",
  `CAP_${name}`,
]);

export type Sandbox = {
  /** Whether proven reads run in a read-only copy of the machine. */
  readOnly(): Promise<boolean>;
  /** Whether folders can be hidden from other commands. */
  hiding(): Promise<boolean>;
  /** Whether the last attempt timed out; until the next one there is no sandbox. */
  isUncertain(): boolean;
};

/** `hidden` are absolute, exist, and are free of symlinks. */
export const hidingArguments = (hidden: readonly string[], command: readonly string[]): string[] => [
  ...HIDING.split(" "),
  ...hidden.flatMap((folder) => ["--tmpfs", folder]),
  ...UNDOING,
  "--",
  ...command,
];

/** How one attempt ended. */
type Answer = "works" | "fails" | "late";
/** Runs bubblewrap with these arguments. */
export type Attempt = (args: readonly string[]) => Promise<Answer>;

type Probed = { reads: Answer; hides: Answer };

export type Probing = { clock?: Pick<Clock, "now">; attempt?: Attempt };

/** Both at once: a command that has run could use up what the system grants, and so switch the other one off. */
export function probedSandbox({ clock = Date, attempt = attemptHere }: Probing = {}): Sandbox {
  let probing: Promise<Probed> | undefined;
  let found: Probed = { reads: "late", hides: "late" };
  let lateAtMs: number | undefined;

  /** What is sure stays as it is; the rest is tried. */
  async function probe(): Promise<Probed> {
    const { reads, hides } = found;
    const tried = await Promise.all([
      reads === "late" ? attempt([...READ_ONLY.split(" "), "--", nothing()]) : reads,
      hides === "late" ? attempt(hidingArguments([], [nothing()])) : hides,
    ]);
    found = { reads: tried[0], hides: tried[1] };
    lateAtMs = tried.includes("late") ? clock.now() : undefined;
    return found;
  }
  function probed(): Promise<Probed> {
    if (lateAtMs !== undefined && clock.now() - lateAtMs >= ASK_AGAIN_MS) {
      lateAtMs = undefined;
      probing = undefined;
    }
    return (probing ??= probe());
  }
  return {
    readOnly: async () => (await probed()).reads === "works",
    hiding: async () => (await probed()).hides === "works",
    isUncertain: () => lateAtMs !== undefined,
  };
}

/** A program that does nothing and succeeds. */
const nothing = (): string => systemPrograms().find("true") ?? "/bin/true";

export const NO_SANDBOX: Sandbox = {
  readOnly: async () => false,
  hiding: async () => false,
  isUncertain: () => false,
};

async function attemptHere(args: readonly string[]): Promise<Answer> {
  const bwrap = process.platform === "linux" ? systemPrograms().find("bwrap") : undefined;
  if (bwrap === undefined) return "fails";
  const { promise, resolve } = Promise.withResolvers<Answer>();
  execFile(bwrap, [...args], { timeout: PROBE_MS_MAX, killSignal: "SIGKILL", env: {} }, (error) => {
    if (error === null) resolve("works");
    else resolve(error.killed === true ? "late" : "fails");
  });
  return promise;
}
