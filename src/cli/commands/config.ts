/** `holdpoint config …`: through the gateway that runs, so that it applies at once and is audited, or on the file itself. */
import { configFile, ensureHome, homePath } from "../../config/home.ts";
import { setSetting, settingPath, settingToSet, unsetSetting } from "../../config/edit-setting.ts";
import { configSchema } from "../../config/expectation.ts";
import { loadConfig } from "../../config/load.ts";
import { type SettingChange, valueAt } from "../../config/live-config.ts";
import { withoutSecrets } from "../../config/secrets.ts";
import { readRunningFile } from "../../gateway/process/running-file.ts";
import { Json } from "../../protocol/json.ts";
import type { Link } from "../chat/link.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { sanitise } from "../text/sanitise.ts";
import { stringify } from "yaml";

export async function getConfig(path: string | undefined, { output, env }: CommandContext): Promise<void> {
  const home = homePath(env);
  const { config, file, overriddenBy } = await loadConfig(home, env);
  const value = valueAt(withoutSecrets(config), path);
  output.document({ value, file, overriddenBy });
  const text =
    typeof value === "object" && value !== null ? stringify(value, { lineWidth: 0 }).trimEnd() : String(value ?? "");
  output.lines(sanitise(text).split("\n"));
  const variable = path === undefined ? undefined : overriddenBy[path];
  if (variable !== undefined) output.remark(`(set by the environment variable ${variable})`);
}

export async function setConfig(path: string, text: string, context: CommandContext): Promise<void> {
  const value = valueOf(text);
  await change(context, settingToSet(path), {
    online: (link) => link.call("config.set", { path, value }),
    offline: (file) => setSetting(file, path, value),
  });
}

export async function unsetConfig(path: string, context: CommandContext): Promise<void> {
  await change(context, path, {
    online: (link) => link.call("config.unset", { path }),
    offline: (file) => unsetSetting(file, path),
  });
}

export async function printConfigSchema({ output }: CommandContext): Promise<void> {
  output.document(configSchema());
  output.lines([JSON.stringify(configSchema(), null, 2)]);
}

export async function printConfigPath({ output, env }: CommandContext): Promise<void> {
  const file = configFile(homePath(env));
  output.document({ file });
  output.lines([file]);
}

/** JSON where it is JSON; otherwise the text as it stands, so that `set logging.level warn` needs no quotes. */
function valueOf(text: string): Json {
  try {
    return Json.parse(JSON.parse(text));
  } catch {
    return text;
  }
}

type Roads = { online(link: Link): Promise<SettingChange>; offline(file: string): Promise<unknown> };

async function change({ output, env }: CommandContext, path: string, roads: Roads): Promise<void> {
  settingPath(path); // a mistyped path is reported here, whether a gateway runs or not
  const home = homePath(env);
  const done = (await onGateway(env, home, roads.online)) ?? (await onFile(home, roads.offline));
  const { overriddenBy } = await loadConfig(home, env);
  const variable = overriddenBy[path];
  output.document({ path, ...done, overriddenBy: variable ?? null });
  output.lines([said(path, done, variable)]);
}

type Done = SettingChange & { running: boolean };

/** Undefined when none runs: then the file is all there is. */
async function onGateway(env: CommandContext["env"], home: string, work: Roads["online"]): Promise<Done | undefined> {
  if ((await readRunningFile(home)) === undefined && (env["HOLDPOINT_URL"] ?? "") === "") return undefined;
  try {
    return { running: true, ...(await withGateway(env, work)) };
  } catch (error) {
    if (error instanceof CliError && error.exit === "noGateway") return undefined; // killed: its running file is stale
    throw error;
  }
}

async function onFile(home: string, work: Roads["offline"]): Promise<Done> {
  await ensureHome(home);
  await work(configFile(home));
  return { running: false, applied: false, restartNeeded: false };
}

function said(path: string, { running, applied, restartNeeded }: Done, variable: string | undefined): string {
  if (variable !== undefined) return `Written. For now ${variable} in the environment decides ${path}.`;
  if (!running) return `Written. It holds from the next start.`;
  if (restartNeeded) return `Written. ${path} needs a restart of the gateway to take effect.`;
  return applied ? `Written and applied.` : `Written.`;
}
