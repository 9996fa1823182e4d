/** What one plugin may do, and while it may. */
import type { PluginNeed } from "../../protocol/plugin-manifest.ts";
import type { PluginError, PluginProblem } from "../plugin-error.ts";
import type { PluginRuntime } from "../ports.ts";
import type { Contributions } from "./contributions.ts";

/** What guards a plugin's calls: who may, and while it may. */
export type Rights = {
  fail(problem: PluginProblem, message: string): PluginError;
  stage<Kind extends keyof Contributions>(kind: Kind, item: Contributions[Kind][number]): void;
  trusted(what: string): void;
  demand(need: PluginNeed): void;
  running(): PluginRuntime;
};
