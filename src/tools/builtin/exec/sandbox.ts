/**
 * Bubblewrap, where the system has it and lets it work. Found out once, by trying, when a command is first run: a
 * program that is installed may still be forbidden (no user namespaces, a container that masks /proc).
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const PROBE_MS_MAX = 5_000;

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
};

/** `hidden` are absolute, exist, and are free of symlinks. */
export const hidingArguments = (hidden: readonly string[], command: readonly string[]): string[] => [
  "bwrap",
  ...HIDING.split(" "),
  ...hidden.flatMap((folder) => ["--tmpfs", folder]),
  ...UNDOING,
  "--",
  ...command,
];

/** Both at once: a command that has run could use up what the system grants, and so switch the other one off. */
export function probedSandbox(): Sandbox {
  const probes = once(async () => {
    const readOnly = ["bwrap", ...READ_ONLY.split(" "), "--", "true"];
    const [reads, hides] = await Promise.all([works(readOnly), works(hidingArguments([], ["true"]))]);
    return { reads, hides };
  });
  return { readOnly: async () => (await probes()).reads, hiding: async () => (await probes()).hides };
}

export const NO_SANDBOX: Sandbox = { readOnly: async () => false, hiding: async () => false };

function once<Found>(find: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined;
  return () => (found ??= find());
}

async function works([program = "", ...args]: readonly string[]): Promise<boolean> {
  if (process.platform !== "linux") return false;
  return promisify(execFile)(program, args, { timeout: PROBE_MS_MAX }).then(
    () => true,
    () => false,
  );
}
