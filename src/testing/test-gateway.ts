/**
 * A whole gateway for tests of plugins: its own folder, a store in memory, a port of its own, a clock that stands still,
 * and a model that says what the test wrote down. What it keeps outlives `kill` and `restart`, and is gone after `stop`.
 *
 *   start ──▶ running ──kill · restart──▶ running again on the same memory ──stop──▶ nothing is left
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { HoldpointClient } from "../client/client.ts";
import { configFile } from "../config/home.ts";
import type { Clock } from "../engine/clock.ts";
import { type RunningGateway, startGateway } from "../gateway.ts";
import type { PluginLoad } from "../plugins/host.ts";
import type { Plugin } from "../plugins/sdk.ts";
import { Scope } from "../protocol/actor.ts";
import type { JsonObject } from "../protocol/json.ts";
import { emptyMemory, type Memory, openMemoryStore } from "../store/memory/memory-store.ts";
import type { Store } from "../store/store.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { type ScriptedModel, scriptedModel, type ScriptStep } from "./scripted-model.ts";
import { inOwnFolders } from "./own-folders.ts";
import { type Connection, connectPerson, type PersonOptions, type TestPerson } from "./test-person.ts";
import type { TestSession } from "./test-session.ts";

const FIRST_MS = Date.UTC(2026, 0, 5, 9); // a Monday morning, the same in every run

export type TestGatewayOptions = {
  /** Inside the gateway's process, as a bundled or trusted plugin runs. */
  plugins?: readonly (Plugin | PluginLoad)[];
  /**
   * Folders with a manifest: installed, agreed to and switched on as an operator would do it, and run as users run them.
   * One whose manifest asks for trust is trusted.
   */
  folder?: string | URL | readonly (string | URL)[];
  /** What the model answers, one step for each request; left out, it says "ok" to everything. */
  script?: Parameters<typeof scriptedModel>[0] | undefined;
  /** A clock of your own, or `systemClock` for real time. */
  clock?: Clock;
  /**
   * As in `config.yaml`: `{ plugins: { entries: { deploy: { config: … } } } }`. Plan mode is off unless switched on here.
   * Workspaces that they name are left out: agents work in the test's own folder, whatever the settings say.
   */
  settings?: JsonObject;
};

export type TestGateway = {
  readonly url: string;
  /** The gateway's own folder, and the one in which its agents work. */
  readonly home: string;
  readonly workspace: string;
  readonly model: ScriptedModel;
  readonly clock: FakeClock;
  /** What an operator should know about this start. */
  readonly notes: readonly string[];
  /** The connection of the operator who may do everything. */
  readonly client: HoldpointClient;
  /** A new session of that operator. */
  session(): Promise<TestSession>;
  /** Somebody else, with a token that has exactly these scopes. */
  person(options: PersonOptions): Promise<TestPerson>;
  /** Ends as if the process had been killed: nothing that is under way is stored any more. */
  kill(): Promise<void>;
  /** Starts again on what was stored; after `kill`, or by itself after an orderly stop. Sessions and people stay usable. */
  restart(script?: TestGatewayOptions["script"]): Promise<void>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Running = { gateway: RunningGateway; store: Store; model: ScriptedModel };
type House = {
  folder: string;
  options: TestGatewayOptions;
  clock: Clock;
  memory: Memory;
  people: Connection[];
  model?: ScriptedModel;
};

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-test-"));
  const house: House = {
    folder,
    options,
    clock: options.clock ?? fakeClock(FIRST_MS),
    memory: emptyMemory(),
    people: [],
  };
  try {
    await mkdir(homeOf(house), { mode: 0o700 });
    await mkdir(workspaceOf(house));
    await writeFile(configFile(homeOf(house)), `${JSON.stringify(inOwnFolders(options.settings ?? {}))}\n`, {
      mode: 0o600,
    });
    const running = await open(house, options.script);
    const operator = await connectPerson(addressOf(running), { name: "local", scopes: Scope.options }, insideOf(house));
    house.people.push(operator);
    try {
      for (const one of [options.folder ?? []].flat()) await install(operator.client(), pathOf(one));
    } catch (error) {
      await close(house, running);
      throw error;
    }
    return gatewayOf(house, running, operator);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const homeOf = ({ folder }: House): string => join(folder, "home");
const workspaceOf = ({ folder }: House): string => join(folder, "workspace");
const pathOf = (given: string | URL): string => (given instanceof URL ? fileURLToPath(given) : resolve(given));
const insideOf = (house: House) => ({ memory: house.memory, model: () => house.model });
const addressOf = ({ gateway }: Running) => ({ url: gateway.url, token: gateway.operatorToken });

async function open(house: House, script: TestGatewayOptions["script"]): Promise<Running> {
  const { options, clock, memory } = house;
  const model = scriptedModel(script ?? OBEDIENT);
  const store = openMemoryStore(memory);
  const gateway = await startGateway({
    home: homeOf(house),
    workspace: workspaceOf(house),
    port: 0,
    log: "silent",
    env: { PATH: process.env["PATH"] },
    model,
    clock,
    store,
    plugins: options.plugins ?? [],
  });
  if ("alreadyRunning" in gateway) throw new Error("This test gateway runs already: kill or stop it first.");
  house.model = model;
  return { gateway, store, model };
}

const OBEDIENT = (): ScriptStep => ({ say: "ok" });

async function close({ people }: House, { gateway }: Running): Promise<void> {
  for (const person of people) person.leave();
  await gateway.stop();
}

/** As an operator does it, one command after the other; the test agrees to what the plugin asks for. */
async function install(client: HoldpointClient, from: string): Promise<void> {
  const { plugin } = await client.call("plugins.install", { from });
  const { id, ask, askDigest: agree } = plugin;
  if (ask.trust === "trusted") await client.call("plugins.trust", { id, agree });
  await client.call("plugins.enable", { id, agree });
}

function gatewayOf(house: House, first: Running, operator: Connection): TestGateway {
  let current: Running | undefined = first;
  const running = (): Running => {
    if (current === undefined) throw new Error("The test gateway does not run: call restart().");
    return current;
  };
  async function end(): Promise<void> {
    if (current !== undefined) await close(house, current);
    current = undefined;
  }
  async function stop(): Promise<void> {
    await end();
    await rm(house.folder, { recursive: true, force: true });
  }
  return {
    home: homeOf(house),
    workspace: workspaceOf(house),
    get url() {
      return running().gateway.url;
    },
    get notes() {
      return running().gateway.notes;
    },
    get model() {
      return running().model;
    },
    get clock() {
      return movable(house.clock);
    },
    get client() {
      return operator.client();
    },
    session: () => operator.person.session(),
    async person(options) {
      const { secret } = await operator.client().call("tokens.create", { ...options, scopes: [...options.scopes] });
      const connection = await connectPerson({ ...addressOf(running()), token: secret }, options, insideOf(house));
      house.people.push(connection);
      return connection.person;
    },
    async kill() {
      await running().store.close();
      await end();
    },
    async restart(script) {
      await end();
      current = await open(house, script ?? house.options.script);
      for (const person of house.people) await person.come(running().gateway.url);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function movable(clock: Clock): FakeClock {
  if (!isFake(clock)) throw new Error("This test gateway runs on a clock of its own: it cannot be moved from here.");
  return clock;
}
const isFake = (clock: Clock): clock is FakeClock => "advance" in clock && "alarms" in clock;
