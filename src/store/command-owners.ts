/** Which plugin a command belongs to: the first that had it, until an operator decides otherwise. */
import type { AuditFact } from "../protocol/audit.ts";
import type { CommitResult } from "./store.ts";

/** `root` is the name in the form in which look-alikes are the same. */
export type CommandOwner = { root: string; name: string; pluginId: string; sinceMs: number };
/** `was`: the recorded owner that the change was computed from, null for nobody. A `pluginId` of null frees the command. */
export type OwnerChange = Omit<CommandOwner, "pluginId"> & { pluginId: string | null; was: string | null };

export type CommandOwnerStore = {
  /** In the order of their roots; there are few. */
  commandOwners(): Promise<CommandOwner[]>;
  /** Conflict: the recorded owner is another by now, and nothing was written. */
  saveCommandOwner(
    change: OwnerChange,
    audit: { atMs: number; actor: string; facts: AuditFact[] },
  ): Promise<CommitResult>;
};
