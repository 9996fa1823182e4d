/** `holdpoint channels list|kinds|check|remove`. */
import { type CheckedAccount, checkAccount } from "../../channels/check-account.ts";
import { KINDS } from "../../channels/kinds.ts";
import type { ChannelSettings } from "../../channels/protocol/settings.ts";
import type { Config } from "../../config/config.ts";
import { homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { readRunningFile } from "../../gateway/process/running-file.ts";
import type { ResultOf } from "../../all-methods.ts";
import { CliError } from "../cli-error.ts";
import { unsetConfig } from "../commands/config.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";
import { vendorHouse } from "./vendor-house.ts";

type Accounts = ResultOf<"channels.list">["accounts"];

export async function listChannels({ output, env }: CommandContext): Promise<void> {
  const home = homePath(env);
  const isRunning = (await readRunningFile(home)) !== undefined || (env["HOLDPOINT_URL"] ?? "") !== "";
  const accounts = isRunning
    ? await withGateway(env, async (link) => (await link.call("channels.list", {})).accounts)
    : configured((await loadConfig(home, env)).config);
  output.document({ accounts });
  if (accounts.length === 0) return output.lines(["No channels. Add one with: holdpoint channels add telegram"]);
  const rows = accounts.map(({ name, kind, enabled, state, problem, fix, holder }) => [
    name,
    kind,
    enabled ? state : "off",
    sanitiseLine(holder ?? ""),
    sanitiseLine([problem, fix].filter((text) => text !== null).join(" ")),
  ]);
  output.lines(table(["name", "kind", "state", "served by", "problem"], rows, output.look()));
}

const configured = ({ channels }: Config): Accounts =>
  Object.entries(channels).map(([name, { kind, enabled }]) => ({
    name,
    kind,
    enabled,
    state: "stopped",
    problem: null,
    fix: null,
    holder: null,
  }));

export async function listKinds({ output }: CommandContext): Promise<void> {
  const kinds = await Promise.all(Object.values(KINDS).map(({ about }) => about()));
  output.document({ kinds });
  const rows = kinds.map(({ kind, title, reach, identifiedBy }) => [kind, title, identifiedBy, reach]);
  output.lines(table(["kind", "channel", "a person is", "must be reachable"], rows, output.look()));
}

export async function checkChannels(name: string | undefined, context: CommandContext): Promise<number> {
  const { output, env } = context;
  const { config } = await loadConfig(homePath(env), env);
  const wanted = Object.entries(config.channels).filter(([one]) => name === undefined || one === name);
  if (wanted.length === 0) throw unknown(name);
  const house = vendorHouse(config, env);
  const checked: ({ name: string } & CheckedAccount)[] = [];
  for (const [one, settings] of wanted) {
    const result = await checkAccount({ name: one, settings, house });
    checked.push({ name: one, ...result });
    output.lines(resultLines(one, settings, result));
  }
  output.document({ accounts: checked });
  return checked.every(({ ok }) => ok) ? 0 : 1;
}

export function resultLines(name: string, { kind }: ChannelSettings, result: CheckedAccount): string[] {
  const { me, problem, fix, reach } = result;
  if (me !== null) return [`${name} (${kind}): works as ${sanitiseLine(me)}. Reachable: ${reach}`];
  return [`${name} (${kind}): ${sanitiseLine(problem ?? "")} ${sanitiseLine(fix ?? "")}`];
}

export async function removeChannel(name: string, context: CommandContext): Promise<void> {
  const { config } = await loadConfig(homePath(context.env), context.env);
  if (config.channels[name] === undefined) throw unknown(name);
  await unsetConfig(`channels.${name}`, context);
  context.output.remark("Its secret stays in secrets.yaml, and people stay paired: holdpoint pair list");
}

const unknown = (name: string | undefined): CliError =>
  new CliError({
    exit: "usage",
    message: name === undefined ? "No channel is configured." : `There is no channel "${sanitiseLine(name)}".`,
    advice: "See them with: holdpoint channels list",
    code: "USAGE",
  });
