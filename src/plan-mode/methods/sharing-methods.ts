/** Links to plans: made, ended and listed. */
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { refuse } from "../protocol/refuse.ts";
import type { PLAN_METHODS } from "../protocol/plan-methods.ts";
import type { Answers, Documents } from "../../plugins/sdk.ts";
import { newLink, sessionOfShare, SHARE_PATH, sharesOf } from "./plan-links.ts";
import { planRevision } from "./plan-records.ts";

type SharingMethods = Pick<Answers<typeof PLAN_METHODS>, "plans.share" | "plans.unshare" | "plans.shares">;

const order = (command: JsonObject) => ({ slice: PLAN_MODE_SLICE, command });

export function sharingMethods(documents: Documents): SharingMethods {
  return {
    async "plans.share"({ planId, expiresInSeconds }, call) {
      const plan = await planRevision(documents, planId);
      if (plan === undefined) return refuse("PLAN_NOT_FOUND", "There is no such plan. List them with plans.list.");
      const { secret, tokenHash, shareId } = newLink();
      const expiresAtMs = call.nowMs + expiresInSeconds * 1_000;
      const command = order({ type: "share", planId, shareId, tokenHash, expiresAtMs });
      const outcome = await call.apply(plan.sessionId, command);
      if (!outcome.ok) return { refused: outcome.refusal };
      return { shareId, path: `${SHARE_PATH}${secret}`, expiresAtMs };
    },
    async "plans.unshare"({ shareId }, call) {
      const sessionId = await sessionOfShare(documents, shareId);
      if (sessionId === undefined) {
        return refuse("SHARE_NOT_FOUND", "There is no such link. List a session's links with plans.shares.");
      }
      const outcome = await call.apply(sessionId, order({ type: "unshare", shareId }));
      return outcome.ok ? { shareId } : { refused: outcome.refusal };
    },
    "plans.shares": async ({ sessionId }, { vouches }) => ({
      shares: await sharesOf({ documents, vouches }, sessionId),
    }),
  };
}
