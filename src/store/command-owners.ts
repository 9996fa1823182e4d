/** Which plugin a command belongs to: the first that had it, until an operator decides otherwise. */

/** `root` is the name in the form in which look-alikes are the same. */
export type CommandOwner = { root: string; name: string; pluginId: string; sinceMs: number };
/** `was`: the recorded owner that the change was computed from, null for nobody. A `pluginId` of null frees the command. */
export type OwnerChange = Omit<CommandOwner, "pluginId"> & { pluginId: string | null; was: string | null };
