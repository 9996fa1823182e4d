/** `/share/<secret>`: one plan to read, for whoever holds the link. It grants nothing else, and leaves no trace in caches. */
import type { Documents, PluginAnswer, PluginRoute, ReadSession } from "../../plugins/sdk.ts";
import { exportPlan } from "./export-plan.ts";
import { SHARE_PATH, sharedPlan } from "./plan-links.ts";
import { planRevision } from "./plan-records.ts";

const SECRET = /^\/share\/([A-Za-z0-9_-]{43})$/;

/** The same as in the page itself, and nobody may frame it. */
const CSP =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const QUIET = { "x-robots-tag": "noindex, nofollow, noarchive", "cache-control": "no-store" };

export function createShareRoute(documents: Documents, readSession: ReadSession): PluginRoute {
  return {
    below: SHARE_PATH,
    async answer({ path, nowMs, vouches }) {
      const secret = SECRET.exec(path)?.[1];
      const planId =
        secret === undefined ? undefined : await sharedPlan(secret, { documents, readSession, vouches, nowMs });
      const plan = planId === undefined ? undefined : await planRevision(documents, planId);
      if (plan === undefined) return GONE;
      const { text, mediaType } = await exportPlan(plan, "html", { documents, readSession });
      return {
        status: 200,
        body: text,
        headers: { ...QUIET, "content-type": mediaType, "content-security-policy": CSP },
      };
    },
  };
}

/** Wrong, expired and ended links look alike. */
const GONE: PluginAnswer = {
  status: 404,
  body: JSON.stringify({ error: { message: "This link shows nothing, or no longer." } }),
  headers: QUIET,
};
