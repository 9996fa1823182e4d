/** `holdpoint mcp proxy`: any MCP server behind the gate, over standard input and output (IG-02). */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { readSecrets } from "../../config/secrets-file.ts";
import { systemClock } from "../../engine/clock.ts";
import { clientPlace } from "../../external/mcp/client-place.ts";
import { createMcpProxy, type McpProxy } from "../../external/mcp/mcp-proxy.ts";
import { filePins } from "../../gateway/tools/file-pins.ts";
import { VERSION } from "../../gateway/version.ts";
import { type McpServerSettings, McpSettings } from "../../protocol/settings/tool-settings.ts";
import { connect } from "../../tools/mcp/connect.ts";
import { createServerLink } from "../../tools/mcp/server-link.ts";
import { createToolPins, type PinStore } from "../../tools/mcp/tool-pins.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { askGateway, gatewaySocket } from "./ask-gateway.ts";
import { serveLines } from "./serve-lines.ts";

export type ProxyOptions = { read?: string[]; off?: string[]; timeout?: string };

type Proxied = { name: string; command: readonly string[]; options: ProxyOptions };

export async function proxyMcp(given: Proxied, context: CommandContext): Promise<void> {
  const { env, cwd, output } = context;
  const settings = given.command.length > 0 ? ofCommand(given, context) : await configured(given.name, context);
  const home = homePath(env);
  const secrets = given.command.length > 0 ? {} : await readSecrets(home);
  const variables: Record<string, string | undefined> = { ...secrets, ...env };
  const around = { env, workspace: cwd, fallback: `mcp-${randomBytes(9).toString("base64url")}` };
  const socket = gatewaySocket(env);
  let proxy: McpProxy | undefined;
  const link = createServerLink({
    name: given.name,
    settings,
    clock: systemClock,
    connect: (order) => connect({ ...order, version: VERSION, cwd, env, secret: async (name) => variables[name] }),
    onTools: (tools) => proxy?.show(tools),
    report: (error) =>
      output.remark(`holdpoint: ${sanitiseLine(error instanceof Error ? error.message : String(error))}`),
  });
  try {
    await serveLines(context, (send) => {
      proxy = createMcpProxy({
        version: VERSION,
        link,
        pins: createToolPins(pinsOf(home, given.name)),
        ask: (line, signal) => askGateway(socket, line, signal),
        place: (client, meta) => clientPlace(client, meta, around),
        send,
      });
      return proxy.handle;
    });
  } finally {
    await link.stop();
  }
}

/** A file of its own for each name: several agents may each have started one. */
function pinsOf(home: string, name: string): PinStore {
  const folder = join(home, "mcp-proxy");
  const store = filePins(join(folder, `${name}.json`));
  return {
    load: store.load,
    save(table) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      store.save(table);
    },
  };
}

async function configured(name: string, { env }: CommandContext): Promise<McpServerSettings> {
  const { config } = await loadConfig(homePath(env), env);
  const server = Object.hasOwn(config.mcp.servers, name) ? config.mcp.servers[name] : undefined;
  if (server !== undefined) return server;
  const message = `There is no MCP server "${sanitiseLine(name)}" in the configuration.`;
  const advice = "Add it with holdpoint mcp add, or give its command after --.";
  throw new CliError({ exit: "usage", message, advice, code: "USAGE" });
}

const as =
  (what: "read" | "off") =>
  (tool: string): [string, string] => [tool, what];

/** What the agent's own settings start: it gets the variables that it would get without us, apart from ours. */
function ofCommand({ name, command, options }: Proxied, { env }: CommandContext): McpServerSettings {
  const [program = "", ...args] = command;
  const passEnv = Object.keys(env).filter((one) => /^[A-Za-z_]\w*$/.test(one) && !/^HOLDPOINT_/i.test(one));
  const server = {
    command: program,
    args,
    tools: Object.fromEntries([...(options.read ?? []).map(as("read")), ...(options.off ?? []).map(as("off"))]),
    ...(options.timeout === undefined ? {} : { callTimeoutSeconds: Number(options.timeout) }),
  };
  const parsed = McpSettings.safeParse({ servers: { [name]: server } });
  const settings = parsed.data?.servers[name];
  if (settings !== undefined && "command" in settings) return { ...settings, passEnv };
  const message = `"${sanitiseLine(name)}" cannot be put behind the gate like this.`;
  const advice = "A name is lower-case letters and digits; see: holdpoint mcp proxy --help";
  throw new CliError({ exit: "usage", message, advice, code: "USAGE" });
}
