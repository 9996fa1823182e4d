import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import { PLAN_MODE_SLICE } from "../../plan-mode/machine/slice.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { refuse } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import { newLink, sessionOfShare, SHARE_PATH, sharesOf } from "./plan-links.ts";
import { planRevision } from "./plan-records.ts";

type SharingMethods = Pick<MethodTable, "plans.share" | "plans.unshare" | "plans.shares">;

const order = (command: JsonObject) => ({ type: "slice.apply", slice: PLAN_MODE_SLICE, command }) as const;

export function sharingMethods(parts: { engine: Engine; store: Store; clock: Clock }): SharingMethods {
  const { engine, store, clock } = parts;
  return {
    async "plans.share"({ planId, expiresInSeconds }, { actor }) {
      const plan = await planRevision(store, planId);
      if (plan === undefined) return refuse("PLAN_NOT_FOUND", "There is no such plan. List them with plans.list.");
      const { secret, tokenHash, shareId } = newLink();
      const expiresAtMs = clock.now() + expiresInSeconds * 1_000;
      const command = order({ type: "share", planId, shareId, tokenHash, expiresAtMs });
      const outcome = await engine.dispatch(plan.sessionId, command, { actor });
      if (!outcome.ok) return { refused: outcome.refusal };
      return { shareId, path: `${SHARE_PATH}${secret}`, expiresAtMs };
    },
    async "plans.unshare"({ shareId }, { actor }) {
      const sessionId = await sessionOfShare(store, shareId);
      if (sessionId === undefined) {
        return refuse("SHARE_NOT_FOUND", "There is no such link. List a session's links with plans.shares.");
      }
      const outcome = await engine.dispatch(sessionId, order({ type: "unshare", shareId }), { actor });
      return outcome.ok ? { shareId } : { refused: outcome.refusal };
    },
    "plans.shares": async ({ sessionId }) => ({ shares: await sharesOf(store, sessionId) }),
  };
}
