/** Engine, plan mode, methods and transport over a store in memory, on a real port. No agent: tests play its part. */
import { codeModePlugin } from "../../src/code-mode/plugin.ts";
import { pino } from "pino";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { createFeed, type GatewayFeed } from "../../src/gateway/feed.ts";
import { type BrowserLogins, createBrowserLogins } from "../../src/gateway/login/browser-logins.ts";
import { createMethods } from "../../src/gateway/methods/index.ts";
import { createInbound } from "../../src/inbound/inbound.ts";
import { createPluginMethods, createPluginRoute } from "../../src/gateway/methods/plugin-methods.ts";
import { createAskingEngine } from "../../src/gateway/presence/asking-engine.ts";
import { openPresence } from "../../src/gateway/presence/open-presence.ts";
import { createPackages } from "../../src/gateway/plugins/packages/packages.ts";
import type { ChannelsHouse } from "../../src/channels/bridge/house.ts";
import { startPlugin as startChanges } from "../../src/changes/plugin.ts";
import { startPlugin as startLibrary } from "../../src/library/plugin.ts";
import { startPlugin } from "../../src/channels/plugin.ts";
import { systemClock } from "../../src/engine/clock.ts";
import { openPush, type PushParts } from "../../src/gateway/push/open-push.ts";
import { memoryRevocations } from "../../src/gateway/login/revocation-list.ts";
import { createPairing } from "../../src/gateway/channels/pairing.ts";
import { createTokens, type Tokens } from "../../src/gateway/tokens.ts";
import type { HttpRoute } from "../../src/http/http-route.ts";
import type { MethodTable } from "../../src/http/method-table.ts";
import { createHttpServer, type HttpServer, type HttpSettings } from "../../src/http/server.ts";
import { planModePlugin } from "../../src/plan-mode/plugin.ts";
import { loadPlugins, type PluginHost, type PluginLoad } from "../../src/plugins/host.ts";
import type { Plugin } from "../../src/plugins/sdk.ts";
import type { Scope } from "../../src/protocol/actor.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { PluginSettings } from "../../src/protocol/plugin/plugin-packages.ts";
import { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import { digestOf } from "../../src/plugins/digest-of.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { acceptCommand } from "./accept-command.ts";
import { lateScheduler } from "./engine-scheduler.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { type FaultyStore, faultyStore } from "./faulty-store.ts";
import { connected, memoryMarks } from "./turn-world.ts";
import { type WireClient, wireClient } from "./wire-client.ts";

const EVERYTHING: Scope[] = ["operator.read", "operator.write", "operator.approvals", "operator.admin"];

export type ServedOptions = {
  /** The state of an earlier one, as after a restart. */
  store?: Store;
  port?: number;
  settings?: Partial<HttpSettings>;
  planMode?: Partial<PlanModeSettings>;
  plugins?: (Plugin | PluginLoad)[];
  /** Methods that a test answers itself. */
  methods?: Partial<MethodTable>;
  /** Plain addresses besides the gateway's own. */
  routes?: HttpRoute[];
  /** The page has no name, so passkeys cannot work. */
  pageByAddress?: boolean;
  /** Time as the limits of the transport see it. */
  now?: () => number;
};

export type ServedGateway = {
  url: string;
  port: number;
  http: HttpServer;
  engine: Engine;
  host: PluginHost;
  store: FaultyStore;
  inner: Store;
  feed: GatewayFeed;
  tokens: Tokens;
  logins: BrowserLogins;
  clock: FakeClock;
  /** What was logged, one JSON text a line. */
  logged: string[];
  /** A new operator's secret. */
  token(scopes?: Scope[], name?: string): Promise<string>;
  client(scopes?: Scope[], name?: string): Promise<WireClient>;
  close(): Promise<void>;
};

export async function serveGateway(options: ServedOptions = {}): Promise<ServedGateway> {
  const inner = options.store ?? openMemoryStore();
  const store = faultyStore(inner);
  const clock = fakeClock();
  const logged: string[] = [];
  const log = pino({ level: "trace" }, { write: (line) => void logged.push(line) });
  const jobs = lateScheduler();
  const host = loadPlugins(options.plugins ?? bundled(jobs.plugin));
  const engine = createEngine({ store, slices: host.slices, clock, settingsFor: settingsWith(options), shared: false });
  jobs.open(engine, clock);
  connected(host, { engine, store, registry: createRegistry(host.tools), marks: memoryMarks() });
  const feed = createFeed({ engine, store });
  const tokens = createTokens({ store, clock });
  const logins = createBrowserLogins({ tokens, clock });
  const ready = () => readyOf(store);
  const { presence, asking, open } = presenceOf({ store, clock, tokens, logins }, engine, options);
  const inbound = createInbound({ engine: asking, store, host, clock, presence: presence.port, ...PLACES });
  const methods = createMethods({
    engine,
    store,
    host,
    config: plainConfig(),
    tokens,
    logins,
    presence,
    clock,
    plugins: noPlugins(clock),
    ready,
    ...others({ store, clock, engine, tokens, log }),
    pairing: createPairing({ store, clock }),
    revocations: memoryRevocations(),
    inbound,
  });
  const late = withLate({ host, engine: asking, clock, inbound, tokens }, options.routes);
  const http = await createHttpServer({
    settings: withGetters({ ...SETTINGS, port: options.port ?? 0 }, options.settings ?? {}),
    methods: { ...methods, ...options.methods },
    ...late,
    authenticate: (secret) => tokens.authenticate(secret),
    logins,
    enrolments: presence.enrolments,
    wallClock: () => clock.now(),
    feed,
    ready,
    metrics: async () => "holdpoint_up 1\n",
    version: "1",
    log,
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  open.port = http.port;
  tokens.onRevoked((id) => http.closeOperator(id));
  const { token, client, url, port } = { ...http, ...peopleOf(tokens, http) };
  return {
    url,
    port,
    http,
    engine,
    host,
    store,
    inner,
    feed,
    tokens,
    logins,
    clock,
    logged,
    token,
    client,
    close: () => http.close(),
  };
}

async function readyOf(store: Store) {
  const health = await store.health();
  return { ready: health.writable, store: health };
}

/** As at `http://localhost`, on the port that is known when the server listens. */
function presenceOf(
  parts: Omit<Parameters<typeof openPresence>[0], "address">,
  engine: Engine,
  options: ServedOptions,
) {
  const open: { port?: number } = {};
  const address = () => {
    const origin = `http://localhost:${open.port ?? 0}`;
    return options.pageByAddress === true ? { origin } : { origin, rpId: "localhost" };
  };
  const presence = openPresence({ ...parts, address });
  return { presence, asking: createAskingEngine(engine, presence.port), open };
}

function peopleOf(tokens: Tokens, { url }: HttpServer): Pick<ServedGateway, "token" | "client"> {
  const token = async (scopes = EVERYTHING, name = "alice"): Promise<string> =>
    (await tokens.create({ name, scopes, by: "test" })).secret;
  return {
    token,
    client: async (scopes = EVERYTHING, name = "alice") => wireClient({ url, token: await token(scopes, name), name }),
  };
}

const withLate = (parts: Parameters<typeof createPluginMethods>[0], routes: HttpRoute[] = []) => ({
  lookUpMethod: createPluginMethods(parts),
  routes: [createPluginRoute(parts), ...routes],
});

export const PLACES = {
  workspaceFor: () => "/workspace",
  chooseWorkspace: async (workspace: string) => ({ workspace }),
  roleFor: () => undefined,
  agentFor: () => "main",
  hasAgent: () => true,
  refuseLoosening: () => undefined,
  beforeAction: async () => undefined,
};
function settingsWith(options: ServedOptions) {
  const planMode = PlanModeSettings.parse({ enabled: true, defaultActive: true, ...options.planMode });
  return () => ({ planMode, library: { workUnits: false } });
}

const HOME = "/nowhere";
/** Nothing is ever changed here, so nothing is kept. */
const NO_HOME = "/nonexistent/holdpoint";

const bundled = (jobs: Plugin): Plugin[] => [
  planModePlugin,
  jobs,
  startPlugin({ channels: () => NO_CHANNELS }),
  startChanges({ home: NO_HOME }),
  startLibrary({ library: noLibrary }),
  codeModePlugin(),
];

const noLibrary = (): never => {
  throw new Error("This gateway keeps no library.");
};

const NO_CHANNELS: ChannelsHouse = {
  settings: () => ({}),
  onSettings: () => () => undefined,
  filled: async (settings) => settings,
  webhookUrl: () => undefined,
  plan: async () => undefined,
  trouble: () => undefined,
  sharesStore: () => false,
  clock: systemClock,
};

const INFO = {
  version: "1",
  node: "node",
  pid: 1,
  uptimeMs: 0,
  store: "memory",
  model: "none",
  connections: 0,
  runningTurns: 0,
  home: HOME,
  notes: [],
};

/** What most tests have no use for. */
const others = (parts: Pick<PushParts, "store" | "clock" | "engine" | "tokens" | "log">) => ({
  info: () => INFO,
  defaults: DEFAULTS,
  push: openPush({ ...parts, ...NO_PUSH }).methods,
});

const NO_PUSH = {
  settings: () => ({ webPush: false, pushServices: [] }),
  address: () => ({ origin: "http://127.0.0.1" }),
};

const DEFAULTS = {
  agentFor: () => "main",
  workspaceFor: () => HOME,
  modelsFor: () => ["none"],
  modelSetting: () => undefined,
  configured: () => [],
  registry: { providers: () => [], keyName: async () => undefined },
};

const noSettings = () => PluginSettings.parse({});

/** No packages are installed, and nothing has to be loaded before a page or an action. */
function noPlugins(clock: FakeClock) {
  const packages = createPackages({ home: HOME, settings: noSettings, bundled: [], now: () => clock.now() });
  return { packages, live: { beforePages: async () => undefined, beforeAction: async () => undefined } };
}

const SETTINGS: HttpSettings = {
  host: "127.0.0.1",
  port: 0,
  allowedOrigins: [],
  allowedHosts: [],
  requestsPerSecond: 1_000_000,
  connectionsMax: 1_000,
};

/** Getters stay getters, so that a test can change a setting while the gateway runs. */
const withGetters = (settings: HttpSettings, given: Partial<HttpSettings>): HttpSettings =>
  Object.defineProperties(settings, Object.getOwnPropertyDescriptors(given));

function plainConfig() {
  const values: JsonObject = { gateway: { port: 4747 } };
  return {
    get: (path?: string) => ({ value: path === undefined ? values : (values[path] ?? null), file: "config.yaml" }),
    set: async () => ({ applied: true, restartNeeded: false }),
    unset: async () => ({ applied: true, restartNeeded: false }),
    schema: () => ({ type: "object" }),
  };
}

const PLAN = {
  title: "Paint the shed",
  plan: [
    { step: "buy paint", status: "pending" },
    { step: "paint", status: "pending" },
  ],
};

/** What a test cannot go on without. */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === undefined || value === null) throw new Error("the test lacks what it needs");
  return value;
}

/** The agent submits a plan; answers with the approval that a person now has to give. */
export async function submitPlan(
  gateway: ServedGateway,
  sessionId: SessionId,
  body: JsonObject = PLAN,
): Promise<string> {
  const digest = digestOf(body);
  const command = { type: "submit", body, digest };
  const by = { actor: { kind: "agent" as const, sessionId } };
  const outcome = await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, by);
  if (!outcome.ok) throw new Error(`submit was refused: ${outcome.refusal.code} ${outcome.refusal.message}`);
  const { now } = PlanModeState.parse(outcome.session?.slices["planMode"]);
  if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
  return now.submission.approvalId;
}

/** What a person would type behind /plan accept: read off the waiting plan's card. */
export async function acceptCode(client: Pick<WireClient, "must">, sessionId: SessionId): Promise<string> {
  const { session } = await client.must("sessions.get", { sessionId });
  return acceptCommand(session).split(" ").at(-1) ?? "";
}
