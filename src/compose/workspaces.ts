/** Which folders sessions may work in, by the configuration of the moment. */
import { workspaceRoots } from "../config/resolve.ts";
import { createWorkspaces, type Workspaces } from "../gateway/workspace/allowed-workspace.ts";
import type { State } from "./state.ts";

export const workspacesOf = ({ config, options }: Pick<State, "config" | "options">): Workspaces =>
  createWorkspaces({
    roots: () => [...workspaceRoots(config.current()), options.workspace],
    protectedFolders: [options.home],
  });
