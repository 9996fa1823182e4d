/** Every method of the RPC, answered by engine, store, plugins and configuration. */
import { join } from "node:path";
import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { ResultOf } from "../../protocol/methods.ts";
import { PAGE_MAX, type Store } from "../../store/store.ts";
import type { BrowserLogins } from "../login/browser-logins.ts";
import type { OpenPlugins } from "../plugins/open-plugins.ts";
import type { Tokens } from "../tokens.ts";
import { createAnswerOnce } from "./answer-once.ts";
import { chatMethods } from "./chat.ts";
import { controlMethods } from "./controls.ts";
import { pluginMethods } from "./plugins.ts";
import { type ConfigPort, recordMethods } from "./records.ts";
import { createSessionView } from "./session-view.ts";
import { sessionMethods } from "./sessions.ts";
import { statsOf } from "./records/stats.ts";

export type MethodParts = {
  engine: Engine;
  store: Store;
  host: PluginHost;
  config: ConfigPort;
  tokens: Tokens;
  logins: Pick<BrowserLogins, "link">;
  clock: Clock;
  plugins: { packages: OpenPlugins["packages"]; live: Pick<OpenPlugins["live"], "beforePages" | "beforeAction"> };
  ready(): Promise<ResultOf<"health">>;
  info(): Omit<ResultOf<"status">, "waiting">;
  /** The folder that a session works in when its creator names none. */
  workspaceFor(agentId: string): string;
  /** The role of sessions of this agent and surface, unless their creator names one. */
  roleFor(place: { agentId: string; surface: string }): string | undefined;
};

/** Pages of sessions that are counted for the status; beyond them the number says "at least". */
const WAITING_PAGES_MAX = 20;

export function createMethods(parts: MethodParts): MethodTable {
  const view = createSessionView(parts.engine, parts.host);
  const failed = (pluginId: string, error: unknown): void => parts.host.failed(pluginId, error);
  const invoking = { ...parts, answerOnce: createAnswerOnce(parts), failed };
  return {
    health: () => parts.ready(),
    status: async () => ({ ...parts.info(), waiting: await waitingCount(parts.store) }),
    stats: () => statsOf(parts.store),
    ...sessionMethods({ ...parts, view }),
    ...chatMethods(invoking),
    ...awake(controlMethods(invoking), parts.plugins.live),
    ...pluginMethods({ ...parts, packages: parts.plugins.packages }),
    ...recordMethods({ ...parts, backupFolder: () => join(parts.info().home, "backups") }),
  };
}

type Controls = ReturnType<typeof controlMethods>;

/** A plugin of which only the manifest was read is loaded before something of it is shown or pressed. */
function awake(controls: Controls, live: MethodParts["plugins"]["live"]): Controls {
  return {
    async "ui.descriptors"(params, caller) {
      await live.beforePages();
      return controls["ui.descriptors"](params, caller);
    },
    async "ui.texts"(params, caller) {
      await live.beforePages();
      return controls["ui.texts"](params, caller);
    },
    async "sessions.action"(params, caller) {
      await live.beforeAction(params.pluginId);
      return controls["sessions.action"](params, caller);
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
