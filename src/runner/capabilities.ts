/** What root may still do in a view; nobody else has any of these. */
import type { View } from "./view.ts";

/** Each could undo a view from inside. */
export const DROPPED_CAPABILITIES: readonly string[] = [
  "SYS_ADMIN",
  "SYS_PTRACE",
  "SYS_MODULE",
  "SYS_RAWIO",
  "SYS_CHROOT",
  "MKNOD",
  "DAC_READ_SEARCH",
].map((name) => `CAP_${name}`);

/** A gateway that runs as root works on files of others, as it did before there was a view. */
export const ROOT_CAPABILITIES: readonly string[] = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN"];

/** In the order of their numbers in the kernel. */
const ALL = (
  "CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE " +
  "NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN " +
  "SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE " +
  "MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE"
)
  .split(" ")
  .map((name) => `CAP_${name}`);

/** The numbers of those that a program of root may keep; a kernel that knows others besides these drops them. */
export function keptCapabilities(rest: View["rest"], { isRoot }: { isRoot: boolean }): number[] {
  if (!isRoot) return [];
  const isKept = (name: string): boolean =>
    rest === "writable" ? !DROPPED_CAPABILITIES.includes(name) : ROOT_CAPABILITIES.includes(name);
  return ALL.flatMap((name, number) => (isKept(name) ? [number] : []));
}
