/** `holdpoint mcp …`: the servers whose tools agents may use. */
import { ensureHome, homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { withoutSecrets } from "../../config/secrets.ts";
import { findSecret } from "../../config/secrets-file.ts";
import { valueAt } from "../../config/live-config.ts";
import { VERSION } from "../../gateway/version.ts";
import { McpServerSettings, McpSettings } from "../../protocol/settings/tool-settings.ts";
import { connect } from "../../tools/mcp/connect.ts";
import { isReadOnly } from "../../tools/mcp/server-tool.ts";
import { toolNames } from "../../tools/mcp/tool-names.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";
import { setConfig, unsetConfig } from "./config.ts";

export type AddOptions = {
  url?: string;
  header?: string[];
  env?: string[];
  passEnv?: string[];
  cwd?: string;
  trusted?: boolean;
};

export async function listMcpServers({ output, env }: CommandContext): Promise<void> {
  const { config } = await loadConfig(homePath(env), env);
  const shown = valueAt(withoutSecrets(config), "mcp"); // an address may carry a key
  const { servers } = McpSettings.parse(shown);
  output.document({ servers });
  const rows = Object.entries(servers).map(([name, server]) => [
    name,
    server.enabled ? "on" : "off",
    server.trusted ? "trusted" : "not trusted",
    sanitiseLine("url" in server ? server.url : [server.command, ...server.args].join(" ")),
  ]);
  if (rows.length === 0)
    output.lines(["No MCP servers. Add one with: holdpoint mcp add <name> -- <command> [arguments]"]);
  else output.lines(table(["name", "state", "word", "server"], rows, output.look()));
}

export async function addMcpServer(
  name: string,
  { command, options }: { command: readonly string[]; options: AddOptions },
  context: CommandContext,
): Promise<void> {
  const server = McpServerSettings.safeParse(given(command, options));
  const named = McpSettings.safeParse({ servers: { [name]: server.data ?? {} } });
  const isOne = command.length > 0 !== (options.url !== undefined);
  if (!isOne || !server.success || !named.success) throw usage(wrong(name, command, options));
  const home = homePath(context.env);
  const { config } = await loadConfig(home, context.env);
  if (config.mcp.servers[name] !== undefined)
    throw usage(`There is a server "${name}" already. Remove it first: holdpoint mcp remove ${name}`);
  await ensureHome(home);
  await setConfig(`mcp.servers.${name}`, JSON.stringify(given(command, options)), context);
  context.output.remark(
    options.trusted === true
      ? `Its word that a tool only reads is believed, so such tools run in plan mode. Try it: holdpoint mcp test ${name}`
      : `All of its tools count as changing things until you trust it: holdpoint config set mcp.servers.${name}.trusted true`,
  );
}

export async function removeMcpServer(name: string, context: CommandContext): Promise<void> {
  await known(name, context);
  await unsetConfig(`mcp.servers.${name}`, context);
}

/** Starts the server by itself, without a gateway, and prints what it offers. */
export async function testMcpServer(name: string, context: CommandContext): Promise<void> {
  const { output, env, cwd } = context;
  const settings = await known(name, context);
  const home = homePath(env);
  const begunAt = Date.now();
  const { client } = await connect({
    settings,
    version: VERSION,
    cwd,
    env,
    secret: (secret) => findSecret(secret, { home, env }),
    signal: AbortSignal.timeout(settings.startTimeoutSeconds * 1_000),
    onClose: () => undefined,
    onToolsChanged: () => undefined,
  }).catch((cause: unknown) => {
    const reason = sanitiseLine(cause instanceof Error ? cause.message : String(cause)).slice(0, 300);
    throw new CliError({
      exit: "failed",
      message: `The server "${name}" did not start: ${reason}`,
      advice: "Look at its command and its secrets: holdpoint mcp list",
      code: "MCP_FAILED",
      cause,
    });
  });
  try {
    const capabilities = client.getServerCapabilities() ?? {};
    const { tools } = capabilities.tools === undefined ? { tools: [] } : await client.listTools();
    const names = toolNames(
      name,
      tools.map((tool) => tool.name),
    );
    const rows = tools.map((tool) => ({
      name: names.get(tool.name) ?? "",
      effect: isReadOnly(tool, { ...settings, isAsTrusted: true }) ? "read" : "write",
      description: sanitiseLine(tool.description ?? "").slice(0, 200),
    }));
    const ms = Date.now() - begunAt;
    output.document({ name, ms, capabilities: Object.keys(capabilities).toSorted(), tools: rows });
    output.lines([
      `The server "${name}" answers after ${ms} ms: ${tools.length} tools${capabilities.resources === undefined ? "" : ", resources"}${capabilities.prompts === undefined ? "" : ", prompts"}.`,
      ...table(
        ["tool", "counts as", "in its own words"],
        rows.map((row) => [row.name, row.effect, row.description]),
        output.look(),
      ),
    ]);
  } finally {
    await client.close();
  }
}

async function known(name: string, { env }: CommandContext): Promise<McpServerSettings> {
  const { config } = await loadConfig(homePath(env), env);
  const server = Object.hasOwn(config.mcp.servers, name) ? config.mcp.servers[name] : undefined;
  if (server === undefined)
    throw usage(`There is no MCP server "${sanitiseLine(name)}". See which there are: holdpoint mcp list`);
  return server;
}

/** Only the options that were given: what is not written into the file keeps its default. */
function given(command: readonly string[], options: AddOptions): Record<string, unknown> {
  const { url, header = [], env = [], passEnv = [], cwd, trusted } = options;
  const said = trusted === true ? { trusted } : {};
  if (url !== undefined) return { url, ...(header.length > 0 ? { headers: pairs(header, ":") } : {}), ...said };
  const [program = "", ...args] = command;
  return {
    command: program,
    ...(args.length > 0 ? { args } : {}),
    ...(env.length > 0 ? { env: pairs(env, "=") } : {}),
    ...(passEnv.length > 0 ? { passEnv } : {}),
    ...(cwd === undefined ? {} : { cwd }),
    ...said,
  };
}

function pairs(texts: readonly string[], sign: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(sign);
      if (at < 1) throw usage(`"${sanitiseLine(text).slice(0, 40)}" has no ${sign} between name and value.`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

function wrong(name: string, command: readonly string[], { url }: AddOptions): string {
  if (!/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/.test(name) || name.length > 32)
    return `"${sanitiseLine(name).slice(0, 64)}" cannot name a server: small letters and digits, parts joined by - or _, at most 32.`;
  if ((command.length === 0) === (url === undefined))
    return "Give either --url or, after --, the command that starts the server.";
  return "An option has a value that it cannot take: see holdpoint mcp add --help";
}

const usage = (message: string): CliError => new CliError({ exit: "usage", message, code: "USAGE" });
