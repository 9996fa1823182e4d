/** Every method of the RPC, answered by engine, store, plugins and configuration. */
import { join } from "node:path";
import { stuckOrders } from "../../engine/stuck-orders.ts";
import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import type { Inbound } from "../../inbound/inbound.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { ResultOf } from "../../protocol/methods.ts";
import { PAGE_MAX, type Store } from "../../store/store.ts";
import type { BrowserLogins } from "../login/browser-logins.ts";
import type { OpenPresence } from "../presence/open-presence.ts";
import type { LivePlugins } from "../plugins/live-plugins.ts";
import type { PluginPackages } from "../plugins/packages/packages.ts";
import type { Tokens } from "../tokens.ts";
import { pairMethods } from "../channels/pair-methods.ts";
import type { Pairing } from "../channels/pairing.ts";
import type { RevocationList } from "../login/revocation-list.ts";
import type { Push } from "../push/open-push.ts";
import { chatMethods } from "./chat.ts";
import { controlMethods } from "./controls.ts";
import { pluginMethods } from "./plugins.ts";
import { type ConfigPort, recordMethods, type Loosening } from "./records.ts";
import { createSessionView } from "./session-view.ts";
import { defaultsMethod, type SessionDefaults } from "./session-defaults.ts";
import { sessionMethods } from "./sessions.ts";
import { statsOf } from "./records/stats.ts";

export type MethodParts = {
  engine: Engine;
  store: Store;
  host: PluginHost;
  config: ConfigPort;
  tokens: Tokens;
  logins: Pick<BrowserLogins, "link">;
  presence: Pick<OpenPresence, "methods" | "notes">;
  /** The page's address, where it is not the one that the gateway listens on. */
  page?(): string | undefined;
  clock: Clock;
  loosening?: Loosening;
  pairing: Pairing;
  revocations: RevocationList;
  /** The port for everything that a person sends. */
  inbound: Inbound;
  plugins: { packages: PluginPackages; live: Pick<LivePlugins, "beforePages" | "beforeAction"> };
  defaults: SessionDefaults;
  push: Push["methods"];
  /** Where backups may go besides their own folder. */
  backupFolders?(): readonly string[];
  ready(): Promise<ResultOf<"health">>;
  info(): Omit<ResultOf<"status">, "waiting" | "modes" | "stuckOrders">;
};

/** Pages of sessions that are counted for the status; beyond them the number says "at least". */
const WAITING_PAGES_MAX = 20;

export function createMethods(parts: MethodParts): MethodTable {
  const view = createSessionView(parts.engine, parts.host);
  const within = { ...parts, view };
  return {
    health: () => parts.ready(),
    async status() {
      const { store, clock } = parts;
      const [waiting, stuck, modes, added] = await Promise.all([
        waitingCount(store),
        stuckOrders(store, clock.now()),
        store.sessionModes(),
        parts.presence.notes(),
      ]);
      const info = parts.info();
      return { ...info, notes: [...info.notes, ...added], waiting, modes, stuckOrders: stuck };
    },
    stats: () => statsOf(parts.store),
    ...defaultsMethod(parts.defaults),
    ...sessionMethods(within),
    ...chatMethods(within),
    ...awake(controlMethods(within), parts.plugins.live),
    ...pluginMethods({ ...parts, packages: parts.plugins.packages, load: parts.plugins.live.beforeAction }),
    ...parts.presence.methods,
    ...pairMethods(parts),
    ...parts.push,
    ...recordMethods({
      ...parts,
      backupFolders: () => [join(parts.info().home, "backups"), ...(parts.backupFolders?.() ?? [])],
    }),
  };
}

type Controls = ReturnType<typeof controlMethods>;

/** Loads a plugin of which only the manifest was read, before something of it is shown. */
function awake(controls: Controls, live: MethodParts["plugins"]["live"]): Controls {
  return {
    ...controls,
    async "ui.descriptors"(params, caller) {
      await live.beforePages();
      return controls["ui.descriptors"](params, caller);
    },
    async "ui.texts"(params, caller) {
      await live.beforePages();
      return controls["ui.texts"](params, caller);
    },
  };
}

async function waitingCount(store: Store): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  for (let pages = 0; pages < WAITING_PAGES_MAX; pages += 1) {
    const page = await store.sessions({ waiting: true }, { cursor, limit: PAGE_MAX });
    count += page.items.length;
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return count;
}
