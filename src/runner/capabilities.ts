/** What root may still do in a view; nobody else has any of these. */

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
