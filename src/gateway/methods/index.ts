/** Every method of the RPC, answered by engine, store, plugins and configuration. */
import { join } from "node:path";
import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { ResultOf } from "../../protocol/methods.ts";
import { PAGE_MAX, type Store } from "../../store/store.ts";
import type { Tokens } from "../tokens.ts";
import { createAnswerOnce } from "./answer-once.ts";
import { chatMethods } from "./chat.ts";
import { planMethods } from "./plans.ts";
import { type ConfigPort, recordMethods } from "./records.ts";
import { createSessionView } from "./session-view.ts";
import { sessionMethods } from "./sessions.ts";

export type MethodParts = {
  engine: Engine;
  store: Store;
  host: PluginHost;
  config: ConfigPort;
  tokens: Tokens;
  clock: Clock;
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
  const view = createSessionView(parts.engine);
  return {
    health: () => parts.ready(),
    status: async () => ({ ...parts.info(), waiting: await waitingCount(parts.store) }),
    ...sessionMethods({ ...parts, view }),
    ...chatMethods({ ...parts, answerOnce: createAnswerOnce(parts) }),
    ...planMethods(parts),
    ...recordMethods({ ...parts, backupFolder: () => join(parts.info().home, "backups") }),
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
