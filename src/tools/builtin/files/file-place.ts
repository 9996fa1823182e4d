/** Where a file operation works, and how a tool hands one on: to this process or to a runner in a sandbox. */
import type { Clock } from "../../../plugins/sessions.ts";
import type { Permit, ToolContext, ToolOutput } from "../../../plugins/tool.ts";
import type { Bounds } from "../workspace-path.ts";

export type FilePlace = Bounds & {
  signal: AbortSignal;
  clock: Clock;
  /** This process sees the workspace and nothing that must not be read. */
  isEnclosed?: boolean;
  /** Where ripgrep is, for a process that cannot look for it: in a view the packages beside ours are not there. */
  ripgrep?: string | undefined;
};

export type FileOperation<Args> = (args: Args, context: ToolContext, permit?: Permit) => Promise<ToolOutput>;

/** Left out unless the pattern itself names them, because `**` is not meant to include these. */
export const IGNORED_FOLDERS: readonly string[] = [".git", "node_modules"];
/** How many paths glob answers at most, and how many results grep does. */
export const PATHS_MAX = 1_000;
export const RESULTS_MAX = 200;
