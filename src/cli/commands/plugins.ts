/** `holdpoint plugins …`: lists, installs, enables and trusts the plugins of the gateway. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { ensureHome, homePath } from "../../config/home.ts";
import type { PluginView } from "../../protocol/plugin/plugin-packages.ts";
import { CliError } from "../cli-error.ts";
import { type CommandContext, isTerminal } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { onPlugins } from "../plugins/plugin-road.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";

export type AgreeOptions = { yes?: boolean };

export async function listPlugins({ output, env }: CommandContext): Promise<void> {
  const found = await onPlugins(env, (road) => road.list(false));
  output.document(found);
  const rows = found.plugins.map((plugin) => [
    plugin.id,
    plugin.version,
    plugin.tier,
    plugin.standing,
    sanitiseLine(plugin.because ?? plugin.description),
  ]);
  output.lines(table(["plugin", "version", "tier", "state", ""], rows, output.look()));
  if (found.problems.length > 0 || found.plugins.some(({ standing }) => standing === "refused"))
    output.remark("Something is wrong with some of them: holdpoint plugins doctor");
}

export async function showPlugin(id: string, { output, env }: CommandContext): Promise<void> {
  const plugin = await onPlugins(env, (road) => road.info(id));
  output.document({ plugin });
  output.lines(describe(plugin));
}

/** A plugin is installed switched off; it is enabled after the person agreed to what it asks for. */
export async function installPlugin(from: string, options: AgreeOptions, context: CommandContext): Promise<number> {
  const { output, env, cwd } = context;
  const meant = isPath(from) ? resolve(cwd, from) : from;
  if (meant === from && !isPath(from) && existsSync(resolve(cwd, from))) throw ambiguous(from);
  if ((env["HOLDPOINT_URL"] ?? "") === "") await ensureHome(homePath(env));
  return onPlugins(env, async (road) => {
    const plugin = await road.install(meant);
    if (plugin.standing !== "disabled" && plugin.notAgreed.length === 0) {
      printResult(context, plugin, `Installed ${plugin.id} ${plugin.version}. ${standingLine(plugin)}`);
      return exitOf(plugin);
    }
    output.lines([`Installed ${plugin.id} ${plugin.version}.`, ...asks(plugin)]);
    if (!(await agrees(options, context))) {
      output.document({ plugin });
      output.lines([`It is not in use. Switch it on with: holdpoint plugins enable ${plugin.id}`]);
      return EXIT_CODES.ok.code;
    }
    const enabled = await road.enable(plugin.id, { agree: plugin.askDigest });
    printResult(context, enabled, standingLine(enabled));
    return exitOf(enabled);
  });
}

export async function enablePlugin(id: string, options: AgreeOptions, context: CommandContext): Promise<number> {
  return onPlugins(context.env, async (road) => {
    const plugin = await road.info(id);
    const isAgreed = plugin.notAgreed.length === 0;
    if (!isAgreed) context.output.lines(asks(plugin));
    if (!isAgreed && !(await agrees(options, context))) throw notAgreed(plugin.id);
    const enabled = await road.enable(id, isAgreed ? {} : { agree: plugin.askDigest });
    printResult(context, enabled, standingLine(enabled));
    return exitOf(enabled);
  });
}

export async function disablePlugin(id: string, context: CommandContext): Promise<void> {
  const plugin = await onPlugins(context.env, (road) => road.disable(id));
  printResult(context, plugin, `${id} is off. What it kept in sessions is removed while the gateway runs.`);
}

export async function removePlugin(id: string, context: CommandContext): Promise<void> {
  const plugin = await onPlugins(context.env, (road) => road.remove(id));
  const isElsewhere = plugin.source.kind === "path";
  const rest = isElsewhere
    ? " Its folder stays: take it out of plugins.paths."
    : " Its settings stay in the configuration.";
  printResult(context, plugin, `Removed ${id}.${rest}`);
}

export async function trustPlugin(id: string, options: AgreeOptions, context: CommandContext): Promise<void> {
  await onPlugins(context.env, async (road) => {
    const plugin = await road.info(id);
    context.output.lines([
      `Trusted, "${id}" runs inside the gateway: it can read its tokens, and it may decide which calls pass.`,
      `Trust holds for the files that are now in ${sanitiseLine(plugin.folder ?? "")}, and ends when one of them changes.`,
      ...asks(plugin),
    ]);
    if (!(await agrees(options, context))) throw notAgreed(id);
    const trusted = await road.trust(id, { agree: plugin.askDigest });
    const next = trusted.standing === "disabled" ? ` It is off: holdpoint plugins enable ${id}` : "";
    printResult(context, trusted, `${id} is trusted.${next}`);
  });
}

export async function ownCommand(command: string, id: string, context: CommandContext): Promise<number> {
  const plugin = await onPlugins(context.env, (road) => road.own(id, command));
  printResult(context, plugin, `/${command.replace(/^\//, "")} belongs to ${id}. ${standingLine(plugin)}`);
  return exitOf(plugin);
}

export async function untrustPlugin(id: string, context: CommandContext): Promise<void> {
  const plugin = await onPlugins(context.env, (road) => road.untrust(id));
  printResult(context, plugin, `${id} is not trusted any more.`);
}

export async function checkPlugins({ output, env }: CommandContext): Promise<number> {
  const { problems, plugins } = await onPlugins(env, (road) => road.list(true));
  output.document({ ok: problems.length === 0, problems });
  if (problems.length === 0) output.lines([`${plugins.length} plugins, and nothing is wrong with them.`]);
  output.lines(
    problems.flatMap(({ id, problem, advice }) => [
      `${sanitiseLine(id)}: ${sanitiseLine(problem)}`,
      ...(advice === "" ? [] : [`  → ${sanitiseLine(advice)}`]),
    ]),
  );
  return problems.length === 0 ? EXIT_CODES.ok.code : EXIT_CODES.failed.code;
}

export async function createPlugin(folder: string, { output, cwd }: CommandContext): Promise<void> {
  const { createPluginFolder } = await import("../plugins/create-plugin.ts");
  const made = await createPluginFolder(resolve(cwd, folder));
  output.document(made);
  output.lines([
    `Wrote the plugin "${made.id}" to ${made.folder}:`,
    ...made.files.map((file) => `  ${file}`),
    `Try it: holdpoint plugins install ${sanitiseLine(isPath(folder) ? folder : `./${folder}`)} --yes`,
  ]);
}

function printResult({ output }: CommandContext, plugin: PluginView, line: string): void {
  output.document({ plugin });
  output.lines([line]);
}

/** A plugin that is on and cannot be used is no success. */
const exitOf = ({ standing }: PluginView): number =>
  standing === "refused" ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;

function standingLine({ id, standing, because }: PluginView): string {
  if (standing === "refused") return `${id} is switched on and cannot be loaded: ${sanitiseLine(because ?? "")}`;
  return standing === "active" ? `${id} is on.` : `${id} is on; its code is loaded when something of it is needed.`;
}

const row = (name: string, value: string): string[] =>
  value === "" ? [] : [`${name.padEnd(12)}${sanitiseLine(value)}`];

function describe(plugin: PluginView): string[] {
  const { ask } = plugin;
  return [
    ...row("plugin", `${plugin.id} ${plugin.version}`),
    ...row("name", plugin.name),
    ...row("about", plugin.description),
    ...row("tier", plugin.tier),
    ...row("state", plugin.because === null ? plugin.standing : `${plugin.standing}: ${plugin.because}`),
    ...row("from", `${plugin.source.kind} ${plugin.source.from}`),
    ...row("folder", plugin.folder ?? ""),
    ...row("needs", ask.needs.join(", ")),
    ...row("commands", ask.commands.join(", ")),
    ...row("tools", ask.tools.join(", ")),
    ...row("policies", ask.policies.join(", ")),
    ...row("hooks", ask.hooks.join(", ")),
    ...row("not agreed", plugin.notAgreed.join(", ")),
  ];
}

function asks({ id, notAgreed: asked }: PluginView): string[] {
  return asked.length === 0 ? [] : [`"${id}" asks for:`, ...asked.map((line) => `  • ${sanitiseLine(line)}`)];
}

async function agrees({ yes }: AgreeOptions, context: CommandContext): Promise<boolean> {
  if (yes === true) return true;
  if (!isTerminal(context)) return false;
  const rl = createInterface({ input: context.stdin, output: context.terminal });
  const typed = await rl.question("Do you agree? [y/N] ");
  rl.close();
  return /^(?:y|yes)$/i.test(typed.trim());
}

/** A bare name is a package's, so that nothing in this folder can pass for one. */
const isPath = (from: string): boolean =>
  /^(?:\.{1,2}(?:[/\\]|$)|[/\\~]|[A-Za-z]:[/\\])|\.(?:tgz|tar|tar\.gz)$/.test(from);

const ambiguous = (from: string): CliError =>
  new CliError({
    exit: "usage",
    message: `"${sanitiseLine(from)}" is the name of a package, and there is a folder of that name here.`,
    advice: `Write ./${sanitiseLine(from)} for the folder, or ${sanitiseLine(from)}@latest for the package.`,
    code: "USAGE",
  });

const notAgreed = (id: string): CliError =>
  new CliError({
    exit: "failed",
    message: `Nothing was changed: nobody agreed to what "${id}" asks for.`,
    advice: "Agree with --yes.",
    code: "PLUGIN_NOT_AGREED",
  });
