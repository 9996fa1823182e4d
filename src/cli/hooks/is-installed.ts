/** Whether an agent's settings name the hook program of a gateway's folder; whether it holds is another question. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { type Environment, homePath } from "../../config/home.ts";
import type { HookAgent } from "../../external/hooks/hook-line.ts";
import { agentSettings } from "./agent-settings.ts";
import { launcherFile } from "./hook-files.ts";

export function isHookInstalled(agent: HookAgent, env: Environment): boolean {
  const launcher = launcherFile(homePath(env));
  const { file } = agentSettings(agent, { home: env["HOME"] || homedir(), env, launcher });
  try {
    return readFileSync(file, "utf8").includes(launcher);
  } catch {
    return false; // there are no settings
  }
}
