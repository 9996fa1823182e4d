/** What the library uses of the gateway: its folder, the index in its store, and what sessions say about their plans. */
import { readPlan } from "../../plan-mode/read-plan.ts";
import type { LibraryHouse } from "../../library/perform.ts";
import type { State } from "../../compose/state.ts";
import { SessionId } from "../../protocol/ids.ts";
import { redactSecrets } from "../process/redact-secrets.ts";
import { trackedBelow } from "./tracked-below.ts";
import { touchedFiles } from "./touched-files.ts";

export const createLibraryHouse = ({ options, store }: Pick<State, "options" | "store">): LibraryHouse => ({
  home: options.home,
  search: store,
  withoutSecrets: redactSecrets,
  isTracked: trackedBelow,
  session: async (id) => (await store.session(SessionId.parse(id)))?.session,
  async placeOf(sessionId) {
    const session = (await store.session(sessionId))?.session;
    if (session === undefined) return undefined;
    const now = readPlan(session.slices)?.now;
    return {
      agentId: session.agentId,
      pending: now?.phase === "pending" ? now.submission.planId : undefined,
    };
  },
  touched: (sessionId, sinceMs) => touchedFiles(store, { sessionId, sinceMs }),
});
