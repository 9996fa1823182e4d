/** Where people and their programs come in: tokens, methods, the feed, and the one port that carries them. */
import type { MethodTable } from "../http/method-table.ts";
import { createHttpServer, type HttpServer, type HttpSettings } from "../http/server.ts";
import { resolveRole, resolveWorkspace } from "../config/resolve.ts";
import type { Config } from "../config/schema.ts";
import type { Agent } from "./agent.ts";
import { createFeed } from "./feed.ts";
import { every, type Machine } from "./machine.ts";
import { createMethods, type MethodParts } from "./methods/index.ts";
import { type BrowserLogins, createBrowserLogins } from "./login/browser-logins.ts";
import { createMetrics } from "./process/metrics.ts";
import { ensureOperatorToken } from "./operator-token.ts";
import { createPageRoute } from "./page/page-route.ts";
import type { OpenPlugins } from "./plugins/open-plugins.ts";
import { createShareRoute } from "./review/share-route.ts";
import type { State } from "./state.ts";
import { createTokens, KEPT_MS_MAX, type Tokens } from "./tokens.ts";
import { VERSION } from "./version.ts";

export type Door = {
  url: string;
  port: number;
  operatorToken: string;
  /** The page's address with a one-time code: whoever opens it first is the person at this machine. */
  link(): Promise<string>;
  close(): Promise<void>;
};

type Parts = { state: State; machine: Machine; agent: Agent; plugins: OpenPlugins };

/** For people who work on the page in a clone; see find-page.ts on why it is not so by itself. */
const watchesPage = (env: NodeJS.ProcessEnv = process.env): boolean => env["HOLDPOINT_WATCH_PAGE"] === "1";

export async function openDoor(parts: Parts): Promise<Door> {
  const { state, machine, agent } = parts;
  const { store, clock, log, options } = state;
  const { engine } = machine;
  const tokens = createTokens({ store, clock });
  const operatorToken = await ensureOperatorToken(options.home, tokens);
  const logins = createBrowserLogins({ tokens, clock });
  const feed = createFeed({ engine, store });
  agent.onStream((sessionId, payload) => feed.delta(sessionId, payload));
  parts.plugins.onChange((change) => feed.announce("plugins.changed", change));
  agent.onTold((sessionId, event, payload) => feed.tell(sessionId, event, payload));
  const open: { server?: HttpServer } = {}; // the methods tell how many connections there are before there can be any
  const connections = (): number => open.server?.connections() ?? 0;
  const metrics = createMetrics({ engine, connections, runningTurns: () => agent.runner.running() });
  const ready = async () => {
    const health = await store.health();
    return { ready: health.writable, store: health };
  };
  const server = await createHttpServer({
    settings: liveSettings(state),
    methods: methodsFor(parts, { tokens, logins, ready, connections }),
    authenticate: (secret) => tokens.authenticate(secret),
    logins,
    routes: [
      createShareRoute({ store, clock }),
      createPageRoute({ home: options.home, watch: watchesPage(options.env), log }),
    ],
    wallClock: () => clock.now(),
    feed,
    ready,
    metrics: () => metrics.text(),
    version: VERSION,
    log,
  });
  open.server = server;
  tokens.onRevoked((id) => {
    machine.revoked(id);
    server.closeOperator(id);
  });
  const report = (error: unknown): void => log.error({ err: error }, "revoked tokens could not be looked for");
  const look = (): void => void tokens.look().catch(report);
  const stopLooking = machine.shared ? every(state, KEPT_MS_MAX, look) : undefined;
  return {
    url: server.url,
    port: server.port,
    operatorToken,
    async link() {
      const operator = await tokens.authenticate(operatorToken);
      if (operator === undefined) throw new Error("the token of this machine was revoked; start the gateway again");
      return `${server.url}/${logins.link(operator).fragment}`;
    },
    async close() {
      stopLooking?.();
      metrics.stop();
      await server.close();
    },
  };
}

type Told = { tokens: Tokens; logins: BrowserLogins; ready: MethodParts["ready"]; connections(): number };

function methodsFor(
  { state, machine, agent, plugins }: Parts,
  { tokens, logins, ready, connections }: Told,
): MethodTable {
  const { config, store, clock, options } = state;
  const { engine, host } = machine;
  const startedAtMs = clock.now();
  return createMethods({
    engine,
    store,
    host,
    config,
    scheduler: machine.scheduler,
    tokens,
    logins,
    clock,
    plugins,
    ready,
    workspaceFor: (agentId) => resolveWorkspace(config.current(), agentId) ?? options.workspace,
    roleFor: (place) => resolveRole(config.current(), place),
    info: () => ({
      version: VERSION,
      node: agent.node,
      pid: process.pid,
      uptimeMs: clock.now() - startedAtMs,
      store: config.current().store.kind,
      model: agent.model.id,
      connections: connections(),
      runningTurns: agent.runner.running(),
      home: options.home,
      notes: [...state.attention.lines(), ...automationNotes(config.current())],
    }),
  });
}

/** An open setting is named for as long as it holds. */
const automationNotes = ({ automation }: Config): string[] =>
  automation.unattended === "open"
    ? ["automation.unattended is open: scheduled jobs and heartbeats may change things with nobody there."]
    : [];

/** Read at each use, so that a changed limit or origin counts at once; host and port are those of the start. */
function liveSettings({ config }: State): HttpSettings {
  return {
    get host() {
      return config.current().gateway.host;
    },
    get port() {
      return config.current().gateway.port;
    },
    get allowedOrigins() {
      return config.current().gateway.allowedOrigins;
    },
    get allowedHosts() {
      return config.current().gateway.allowedHosts;
    },
    get requestsPerSecond() {
      return config.current().gateway.requestsPerSecond;
    },
    get connectionsMax() {
      return config.current().gateway.connectionsMax;
    },
  };
}
