/** Where people and their programs come in: tokens, methods, the feed, and the one port that carries them. */
import { createHttpServer, type HttpSettings } from "../http/server.ts";
import { resolveRole } from "../config/resolve.ts";
import type { Agent } from "./agent.ts";
import { createFeed } from "./feed.ts";
import type { Machine } from "./machine.ts";
import { createMethods } from "./methods/index.ts";
import { createMetrics } from "./metrics.ts";
import { ensureOperatorToken } from "./operator-token.ts";
import type { State } from "./state.ts";
import { createTokens } from "./tokens.ts";
import { VERSION } from "./version.ts";

export type Door = { url: string; port: number; operatorToken: string; close(): Promise<void> };

export async function openDoor({
  state,
  machine,
  agent,
}: {
  state: State;
  machine: Machine;
  agent: Agent;
}): Promise<Door> {
  const { config, store, clock, log, options } = state;
  const { engine, host } = machine;
  const startedAtMs = clock.now();
  const tokens = createTokens({ store, clock });
  const operatorToken = await ensureOperatorToken(options.home, tokens);
  const feed = createFeed({ engine, store });
  agent.onStream((sessionId, payload) => feed.delta(sessionId, payload));
  let connections = (): number => 0;
  const metrics = createMetrics({
    engine,
    connections: () => connections(),
    runningTurns: () => agent.runner.running(),
  });
  const ready = async () => {
    const health = await store.health();
    return { ready: health.writable, store: health };
  };
  const methods = createMethods({
    engine,
    store,
    host,
    config,
    tokens,
    clock,
    ready,
    workspaceFor: () => config.current().agents.defaults.workspace ?? options.workspace,
    roleFor: (place: { agentId: string; surface: string }) => resolveRole(config.current(), place),
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
    }),
  });
  const http = await createHttpServer({
    settings: liveSettings(state),
    methods,
    authenticate: (secret) => tokens.authenticate(secret),
    feed,
    ready,
    metrics: () => metrics.text(),
    version: VERSION,
    log,
  });
  connections = () => http.connections();
  tokens.onRevoked((id) => http.closeOperator(id));
  return {
    url: http.url,
    port: http.port,
    operatorToken,
    async close() {
      metrics.stop();
      await http.close();
    },
  };
}

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
