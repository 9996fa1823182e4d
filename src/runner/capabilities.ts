/**
 * What root may still do in a view; nobody else has any of these. A list of what stays: what a newer kernel adds goes with
 * the rest. Out are those that could undo a view from inside (SYS_ADMIN, SYS_CHROOT, SYS_PTRACE, MKNOD …) and those that see
 * or steer what is not the program's own: NET_RAW reads the operator's token off the loopback.
 */
import type { View } from "./view.ts";

/** A gateway that runs as root works on files of others, as it did before there was a view. */
const ROOT_CAPABILITIES: readonly string[] = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER"];

/** Besides, installing packages and ordinary work as root take these. */
const WORK_CAPABILITIES: readonly string[] = [
  ...ROOT_CAPABILITIES,
  ...["FSETID", "KILL", "SETGID", "SETUID", "NET_BIND_SERVICE", "SETFCAP"].map((name) => `CAP_${name}`),
];

/** Where the kernel counts them from 0. */
const NUMBERS: Readonly<Record<string, number>> = {
  CAP_CHOWN: 0,
  CAP_DAC_OVERRIDE: 1,
  CAP_FOWNER: 3,
  CAP_FSETID: 4,
  CAP_KILL: 5,
  CAP_SETGID: 6,
  CAP_SETUID: 7,
  CAP_NET_BIND_SERVICE: 10,
  CAP_SETFCAP: 31,
};

/** By their names. */
export const namedCapabilities = (rest: View["rest"], { isRoot }: { isRoot: boolean }): readonly string[] => {
  if (!isRoot) return [];
  return rest === "writable" ? WORK_CAPABILITIES : ROOT_CAPABILITIES;
};

/** By their numbers. */
export const keptCapabilities = (rest: View["rest"], who: { isRoot: boolean }): number[] =>
  namedCapabilities(rest, who).flatMap((name) => NUMBERS[name] ?? []);
