/** The tools that reach beyond the workspace: the web, memory, the session itself, and MCP servers. */
import { homedir } from "node:os";
import { hiddenFromWriters } from "../runner/hidden/hidden-places.ts";
import { type Enclosed, machineSandbox } from "../runner/sandbox.ts";
import { inWords } from "../runner/spawn-enclosed.ts";
import { systemPrograms } from "../runner/system-programs.ts";
import type { Program } from "../runner/view.ts";
import { join } from "node:path";
import { findSecret } from "../config/secrets-file.ts";
import type { Sessions } from "../plugins/sessions.ts";
import type { Tool } from "../plugins/tool.ts";
import type { WebSearchSettings } from "../protocol/settings/tool-settings.ts";
import { connect } from "../tools/mcp/connect.ts";
import { createConfigTool } from "../tools/config/config-tool.ts";
import { createMcpSource, type McpSource, type ToolSet } from "../tools/mcp/mcp-source.ts";
import { createMemoryTools } from "../tools/memory/memory-tools.ts";
import { createMessageTool } from "../tools/session/message.ts";
import { createSessionLogsTool, type ReadTurn } from "../tools/session/session-logs.ts";
import { createSessionStatusTool } from "../tools/session/session-status.ts";
import { createBraveSearch } from "../tools/web/brave/brave-search.ts";
import type { SearchProvider } from "../tools/web/search-provider.ts";
import { createSearxngSearch } from "../tools/web/searxng/searxng-search.ts";
import { createToolPins } from "../tools/mcp/tool-pins.ts";
import { filePins } from "../gateway/tools/file-pins.ts";
import { createWebFetchTool } from "../tools/web/web-fetch.ts";
import { createWebSearchTool } from "../tools/web/web-search.ts";
import { type ConfigAccessParts, createConfigAccess } from "./config-access.ts";
import type { State } from "./state.ts";
import { storeRefusal } from "../gateway/methods/store-refusal.ts";
import { VERSION } from "../gateway/version.ts";
import { actorKey } from "../protocol/actor.ts";

type Secret = (name: string) => Promise<string | undefined>;

const secretOf = ({ options }: Pick<ReachingParts, "options">): Secret => {
  const { home, env = process.env } = options;
  return (name) => findSecret(name, { home, env });
};

/** What these tools need; less than a whole gateway, so that tests and tools can list them without one. */
export type ReachingParts = Pick<State, "clock"> & {
  config: Pick<State["config"], "current" | "get" | "propose" | "set">;
  store: Pick<State["store"], "audit">;
  options: Pick<State["options"], "home" | "workspace" | "env">;
  readTurn: ReadTurn;
};

/** Settings are read at each call, so that a change of the configuration counts at once. */
export function createReachingTools(state: ReachingParts, sessions: Sessions): Tool[] {
  const { clock, config, options } = state;
  const web = () => config.current().tools.web;
  const secret = secretOf(state);
  return [
    createWebFetchTool({ rules: () => web().fetch, enabled: () => web().fetch.enabled, clock }),
    createWebSearchTool({ provider: () => searchProvider(web().search, secret), clock }),
    ...createMemoryTools({
      sessions,
      folderOf: (agentId) => join(options.home, "agents", agentId, "memory"),
      settings: () => config.current().memory,
    }),
    createSessionStatusTool({ sessions, clock }),
    createSessionLogsTool(state),
    createMessageTool({ sessions }),
    createConfigTool(createConfigAccess({ config, record: recorder(state) })),
  ];
}

/** In the audit under the agent's own name, as what people set stands under theirs. */
const recorder =
  ({ store, clock }: Pick<ReachingParts, "store" | "clock">): ConfigAccessParts["record"] =>
  async ({ path, sessionId }) => {
    const actor = actorKey({ kind: "agent", sessionId });
    const facts = [{ type: "config.set", detail: { path } } as const];
    return storeRefusal(await store.audit({ atMs: clock.now(), actor, facts }))?.refused;
  };

function searchProvider(settings: WebSearchSettings | undefined, secret: Secret): SearchProvider | undefined {
  if (settings === undefined) return undefined;
  return settings.provider === "brave"
    ? createBraveSearch({ ...settings, secret })
    : createSearxngSearch({ url: settings.url });
}

/** Loading the SDK takes processor time, so it waits until the gateway itself has started. */
const AFTER_START_MS = 250;

/** Their servers start in the background: a gateway is ready whether or not they are. */
export function startMcp(state: State, tools: ToolSet): McpSource {
  const { clock, config, log, options } = state;
  const { env = process.env, workspace } = options;
  const secret = secretOf(state);
  /** A person configured it, so it runs where there is no sandbox, too; doctor and status say that there is none. */
  const enclose = async (program: Program): Promise<Enclosed | undefined> => {
    const { sandbox, hide, show } = config.current().tools.exec;
    if (sandbox === "none") return undefined;
    const places = hiddenFromWriters({ home: homedir(), own: [options.home], hide, show });
    const enclosed = await machineSandbox().enclose({ rest: "writable", network: true, places }, program);
    if (enclosed !== undefined) return inWords(enclosed, systemPrograms().find("bash") ?? "/bin/bash");
    if (machineSandbox().isUncertain())
      throw new Error("this machine was too busy to start a sandbox; the server is started later");
    return undefined;
  };
  const source = createMcpSource({
    tools,
    clock,
    pins: createToolPins(filePins(join(options.home, "mcp-tools.json"))),
    connect: (order) => connect({ ...order, version: VERSION, cwd: workspace, env, secret, enclose }),
    report: (error) => log.warn({ err: error }, "an MCP server met a failure"),
  });
  let isStopped = false;
  const callOff = clock.wakeAt(clock.now() + AFTER_START_MS, () => source.apply(config.current().mcp));
  const forget = config.onChange((change) => {
    if (change.kind === "applied") source.apply(change.config.mcp);
  });
  return {
    ...source,
    /** Whoever needs them does not wait for their time. */
    async started() {
      if (!isStopped) source.apply(config.current().mcp);
      await source.started();
    },
    async stop() {
      isStopped = true;
      callOff();
      forget();
      await source.stop();
    },
  };
}
