/** Composes the server: tokens, methods, the feed, and the port that people and their programs connect to. */
import type { MethodTable } from "../http/method-table.ts";
import { createHttpServer, type HttpServer, type HttpSettings } from "../http/server.ts";
import { levelsFor, resolveAgent, resolveRole, resolveWorkspace } from "../config/resolve.ts";
import { type Operator, SURFACES } from "../http/operator.ts";
import { refuseAlone } from "../plan-mode/machine/signature/loosening.ts";
import { resolvePlanMode } from "../plan-mode/settings.ts";
import { openSettingNotes } from "./open-settings.ts";
import type { Agent } from "./agent.ts";
import { createInbound, type Inbound } from "../inbound/inbound.ts";
import { type Channels, openChannels } from "./channels.ts";
import { createPageOf } from "../gateway/channels/page-of.ts";
import { endUnpaired } from "../gateway/channels/pair-methods.ts";
import { createPairing, type Pairing } from "../gateway/channels/pairing.ts";
import { type ChatApiParts, createChatApiRoutes } from "../gateway/chat-api/chat-api-route.ts";
import { createWebhookRoute } from "../gateway/channels/webhook-route.ts";
import { openExternal } from "./external.ts";
import type { GatewayFeed } from "../gateway/feed.ts";
import type { ComposedEngine } from "./engine.ts";
import { followRevocations } from "./follow-revocations.ts";
import type { OperatorId } from "../protocol/ids.ts";
import { createMethods, type MethodParts } from "../gateway/methods/index.ts";
import type { SessionDefaults } from "../gateway/methods/session-defaults.ts";
import { createPluginMethods, createPluginRoute } from "../gateway/methods/plugin-methods.ts";
import { type BrowserLogins, createBrowserLogins } from "../gateway/login/browser-logins.ts";
import type { RestingModel } from "../agent/model-health.ts";
import { hashOf, isEqual } from "../gateway/login/secret-hash.ts";
import { createMetrics } from "../gateway/process/metrics.ts";
import { storedCodes, storedTabs } from "../gateway/login/stored-secrets.ts";
import { ensureOperatorToken } from "../gateway/operator-token.ts";
import { createPageRoute } from "../gateway/page/page-route.ts";
import { openPush, type Push } from "../gateway/push/open-push.ts";
import { createAskingEngine } from "../gateway/presence/asking-engine.ts";
import { type OpenPresence, openPresence } from "../gateway/presence/open-presence.ts";
import { createPagePlace, type PagePlace } from "./page-place.ts";
import type { OpenPlugins } from "./plugins/plugins.ts";
import type { State } from "./state.ts";
import { refuseSetting, refuseToken } from "./refuse-setting.ts";
import { workspacesOf } from "./workspaces.ts";
import { createTokens, type Tokens } from "../gateway/tokens.ts";
import { VERSION } from "../gateway/version.ts";

export type ComposedServer = {
  url: string;
  port: number;
  operatorToken: string;
  /** The page's address with a one-time code: whoever opens it first is the person at this machine. */
  link(): Promise<string>;
  close(): Promise<void>;
};

type Parts = { state: State; machine: ComposedEngine; feed: GatewayFeed; agent: Agent; plugins: OpenPlugins };

const MAIN_AGENT = "main";

/** For people who work on the page in a clone; find-page.ts says why this is off by default. */
const watchesPage = (env: NodeJS.ProcessEnv = process.env): boolean => env["HOLDPOINT_WATCH_PAGE"] === "1";

async function openTokens(state: State): Promise<{ tokens: Tokens; operatorToken: string }> {
  const { store, clock, options, config, revocations } = state;
  const shared = config.current().store.kind === "postgres";
  const tokens = createTokens({ store, clock, revocations, shared });
  sayRevived("tokens", await tokens.endRevoked(), state);
  sayRevived("accounts of channels", await endUnpaired(state), state);
  return { tokens, operatorToken: await ensureOperatorToken(options.home, tokens) };
}

function sayRevived(what: string, revived: number, { log }: State): void {
  if (revived > 0) log.warn({ what, revived }, "what was revoked came back with a restored store, and was ended again");
}

type AroundPresence = { tokens: Tokens; logins: BrowserLogins; place: PagePlace };

async function presenceOf(state: State, { tokens, logins, place }: AroundPresence): Promise<OpenPresence> {
  const { store, clock, revocations } = state;
  const presence = openPresence({ store, clock, tokens, logins, address: place.address, revocations });
  sayRevived("passkeys", await presence.passkeys.endRevoked(), state);
  return presence;
}

const sharedSecrets = (parts: State) => ({ codes: storedCodes(parts), tabs: storedTabs(parts) });

const countsOf = ({ runner, health }: Agent) => ({
  runningTurns: () => runner.running(),
  restingModels: () => health.resting().length,
});

export async function composeServer(parts: Parts): Promise<ComposedServer> {
  const { state, machine, feed, agent } = parts;
  const { clock, log, options } = state;
  const { tokens, operatorToken } = await openTokens(state);
  const logins = createBrowserLogins({ tokens, clock, shared: machine.shared ? sharedSecrets(state) : undefined });
  const place = createPagePlace(state);
  const presence = await presenceOf(state, { tokens, logins, place });
  const people = { ...machine, engine: createAskingEngine(machine.engine, presence.port) };
  const push = pushOf(parts, { tokens, place });
  const known = { tokens, logins, presence, place, pairing: createPairing(state), push: push.methods };
  const stopFollowing = followSettings(parts, feed);
  const inbound = inboundOf({ ...parts, machine: people }, presence);
  const channels = channelsOf(parts, { ...known, inbound });
  const external = openExternal({ state, machine, callers: agent.outsideCallers });
  parts.plugins.onChange((change) => feed.announce("plugins.changed", change));
  const open: { server?: HttpServer } = {}; // made after the methods, which report its connections
  const connections = (): number => open.server?.connections() ?? 0;
  const { skewMs: clockSkewMs } = state.time;
  const metrics = createMetrics({ engine: machine.engine, connections, ...countsOf(agent), clockSkewMs });
  const ready = readiness(state);
  const notes = (): string[] => [...channels.notes(), ...external.notes()];
  const { passkeys } = presence;
  const closeOperator = (id: OperatorId): void => open.server?.closeOperator(id);
  const stopLooking = await followRevocations({ state, machine, tokens, passkeys, closeOperator });
  const pageUrl = (): string =>
    place.address().rpId === undefined ? (open.server?.url ?? "") : place.address().origin;
  const chatApi = chatApiOf(parts, { inbound, pageUrl });
  const page = createPageRoute({ home: options.home, watch: watchesPage(options.env), log });
  const server = await createHttpServer({
    settings: liveSettings(state, place),
    methods: methodsFor(parts, { ...known, ready, connections, inbound, notes }),
    lookUpMethod: createPluginMethods({ host: machine.host, engine: people.engine, clock, inbound, tokens }),
    authenticate: (secret) => authenticated(secret, tokens, operatorToken),
    logins,
    enrolments: presence.enrolments,
    routes: [createPluginRoute({ host: machine.host, clock, tokens }), createWebhookRoute(machine.host), page],
    bearerRoutes: (identify) => [...external.routes(identify), ...createChatApiRoutes(chatApi, identify)],
    wallClock: () => clock.now(),
    feed,
    ready,
    metrics: () => metrics.text(),
    version: VERSION,
    log,
  });
  open.server = server;
  const stopPlace = await place.follow(server);
  await channels.start();
  await external.start(pageUrl);
  return {
    url: server.url,
    port: server.port,
    operatorToken,
    async link() {
      const operator = await tokens.authenticate(operatorToken);
      if (operator === undefined) throw new Error("the token of this machine was revoked; start the gateway again");
      return `${pageUrl()}/${(await logins.link(operator)).fragment}`;
    },
    async close() {
      page.close();
      stopLooking();
      stopPlace();
      stopFollowing();
      metrics.stop();
      await push.stop();
      await external.stop();
      await channels.stop();
      await server.close();
    },
  };
}

const chatApiOf = (
  { state: { clock, config }, machine: { engine }, feed }: Parts,
  { inbound, pageUrl }: { inbound: Inbound; pageUrl(): string },
): ChatApiParts => ({
  engine,
  feed,
  inbound,
  config: () => config.current(),
  now: () => clock.now(),
  review: (sessionId) => `${pageUrl()}/sessions/${sessionId}`,
});

const pushOf = (
  { state, machine: { engine } }: Parts,
  { tokens, place }: { tokens: Tokens; place: PagePlace },
): Push => {
  const { store, clock, log, config } = state;
  return openPush({
    store,
    clock,
    engine,
    tokens,
    settings: () => config.current().gateway,
    address: place.address,
    log,
  });
};

type AroundChannels = { tokens: Tokens; place: PagePlace; pairing: Pairing; inbound: Inbound };

const channelsOf = ({ state, machine, agent: { node } }: Parts, { place, ...around }: AroundChannels): Channels =>
  openChannels({ state, machine, node, pageOf: createPageOf(place), ...around });
const readiness =
  ({ store, time }: Pick<State, "store" | "time">) =>
  async () => {
    const health = await store.health();
    return { ready: health.writable, store: health, clockSkewMs: time.skewMs() };
  };

/** Which surface a program speaks for is settled by its token (GW-09). */
async function authenticated(
  secret: string,
  tokens: Pick<Tokens, "authenticate">,
  ofMachine: string,
): Promise<Operator | undefined> {
  const operator = await tokens.authenticate(secret);
  if (operator === undefined) return undefined;
  return { ...operator, surface: isEqual(hashOf(secret), hashOf(ofMachine)) ? SURFACES.machine : SURFACES.token };
}

/** Cards follow the settings of the moment, and come and go with their plugins. */
function followSettings({ state, plugins }: Parts, feed: GatewayFeed): () => void {
  const report = (error: unknown): void => state.log.error({ err: error }, "changed cards could not be sent");
  const changed = (): void => void feed.settingsChanged().catch(report);
  plugins.onChange(changed);
  return state.config.onChange(({ kind }) => kind === "applied" && changed());
}

function inboundOf({ state, machine, plugins }: Parts, presence: OpenPresence): Inbound {
  const { config, store, clock, options } = state;
  const { engine, host } = machine;
  return createInbound({
    engine,
    store,
    host,
    clock,
    presence: presence.port,
    workspaceFor: (agentId) => resolveWorkspace(config.current(), agentId) ?? options.workspace,
    chooseWorkspace: workspacesOf(state).choose,
    roleFor: (place) => resolveRole(config.current(), place),
    agentFor: (place) => resolveAgent(config.current(), place) ?? MAIN_AGENT,
    hasAgent: (agentId) => agentId === MAIN_AGENT || config.current().agents.list.some(({ id }) => id === agentId),
    refuseLoosening: (actor, place) =>
      refuseAlone({ actor, settings: resolvePlanMode(levelsFor(config.current(), place)) }),
    beforeAction: (pluginId) => plugins.live.beforeAction(pluginId),
  });
}

type ServerParts = Pick<MethodParts, "tokens" | "ready" | "inbound" | "presence" | "pairing" | "push"> & {
  place: PagePlace;
  logins: BrowserLogins;
  connections(): number;
  /** Deliveries that need an operator's attention. */
  notes(): string[];
};

function methodsFor(
  { state, machine, agent, plugins }: Parts,
  { tokens, logins, presence, place, pairing, push, ready, connections, inbound, notes }: ServerParts,
): MethodTable {
  const { config, store, clock, options, revocations } = state;
  const { engine, host } = machine;
  const startedAtMs = clock.now();
  return createMethods({
    engine,
    store,
    host,
    config,
    tokens,
    logins,
    presence,
    pairing,
    revocations,
    push,
    page: () => (place.address().rpId === undefined ? undefined : place.address().origin),
    clock,
    plugins,
    ready,
    inbound,
    defaults: defaultsOf(state, agent.models),
    backupFolders: () => config.current().backups.folders,
    loosening: {
      setting: (actor, change) => refuseSetting(config, actor, change),
      token: (actor, token) => refuseToken(config.current(), actor, token),
    },
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
      notes: [
        ...state.record.notes(),
        ...state.attention.lines(),
        ...openSettingNotes(config.current()),
        ...place.notes(),
        ...restingNotes(agent.health.resting(), clock.now()),
        ...plugins.notes(),
        ...agent.notes(),
        ...notes(),
      ],
    }),
  });
}

const defaultsOf = ({ config, options }: State, models: Agent["models"]): SessionDefaults => ({
  agentFor: (place) => resolveAgent(config.current(), place) ?? MAIN_AGENT,
  workspaceFor: (agentId) => resolveWorkspace(config.current(), agentId) ?? options.workspace,
  modelsFor: (agentId) => models.modelFor({ agentId }).map(({ id }) => id),
  modelSetting: (agentId) =>
    config.current().agents.list.some(({ id, model }) => id === agentId && model !== undefined)
      ? undefined
      : "agents.defaults.model",
  configured: () => config.current().models.map(({ name }) => name),
  registry: models.registry,
});

const restingNotes = (models: readonly RestingModel[], nowMs: number): string[] =>
  models.map(({ name, kind, failures, untilMs }) => {
    const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
    return `${name} failed ${failures} time${failures === 1 ? "" : "s"} (${kind}); it is left alone for another ${seconds} s where another model can answer.`;
  });

/** Read at each use, so that a changed limit or origin counts at once; host and port are those of the start. */
function liveSettings({ config }: State, place: PagePlace): HttpSettings {
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
      return place.allowedHosts();
    },
    get requestsPerSecond() {
      return config.current().gateway.requestsPerSecond;
    },
    get connectionsMax() {
      return config.current().gateway.connectionsMax;
    },
  };
}
