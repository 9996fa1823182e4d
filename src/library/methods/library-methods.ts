/** `library.*`: searching plans, tagging and linking them, and taking them elsewhere. */
import { join } from "node:path";
import { exportPlan } from "../../plan-mode/methods/export-plan.ts";
import { planRevision } from "../../plan-mode/methods/plan-records.ts";
import { refuse } from "../../plan-mode/protocol/refuse.ts";
import { type Documents, methodsOf, type PluginMethod, type ReadSession } from "../../plugins/sdk.ts";
import { LINKS_MAX, TAGS_MAX } from "../protocol/library-entry.ts";
import { LIBRARY_METHODS } from "../protocol/library-methods.ts";
import type { SharedPlans } from "../plan-store/shared-plans.ts";
import { sharedMethods } from "./shared-methods.ts";
import type { LibraryIndex } from "../search/library-index.ts";
import { parseQuery } from "../search/parse-query.ts";
import { WORK_FOLDER } from "../protocol/work-unit.ts";
import { readUnits } from "../work-units/unit-folder.ts";
import { planTemplate } from "./plan-template.ts";
import { redactedPlan } from "./redacted-plan.ts";

export type MethodPorts = {
  documents: Documents;
  readSession: ReadSession;
  index(): LibraryIndex;
  shared(): SharedPlans;
  withoutSecrets(text: string): string;
};

export function libraryMethods(ports: MethodPorts): PluginMethod<unknown, object>[] {
  const { documents, readSession, index, shared, withoutSecrets } = ports;
  const clean = (document: Parameters<typeof redactedPlan>[0]) => redactedPlan(document, withoutSecrets);
  return methodsOf(LIBRARY_METHODS, {
    async "library.search"({ cursor, limit, ...searched }) {
      const indexing = await index().backfill();
      const { plans, nextCursor } = await index().find(parseQuery(searched), { cursor, limit });
      return { plans, nextCursor, indexing };
    },
    async "library.get"({ planId }) {
      const entry = await index().entry(planId);
      return entry === undefined ? NO_PLAN : { plan: entry };
    },
    async "plans.workUnits"({ sessionId }) {
      const session = await readSession(sessionId);
      if (session === undefined) return refuse("SESSION_NOT_FOUND", "There is no such session.");
      const { workspace } = session;
      return { folder: join(workspace, ...WORK_FOLDER), units: await readUnits(workspace) };
    },
    async "library.tag"({ planId, add, remove }) {
      const entry = await index().change(planId, ({ tags, links }) => ({
        tags: changed(tags, { add, remove }).slice(0, TAGS_MAX),
        links,
      }));
      return entry === undefined ? NO_PLAN : { plan: entry };
    },
    async "library.link"({ planId, link, remove }) {
      const change = remove ? { add: [], remove: [link] } : { add: [link], remove: [] };
      const entry = await index().change(planId, ({ tags, links }) => ({
        tags,
        links: changed(links, change).slice(0, LINKS_MAX),
      }));
      return entry === undefined ? NO_PLAN : { plan: entry };
    },
    async "library.export"({ planId, format }) {
      const plan = await planRevision(documents, planId);
      if (plan === undefined) return NO_PLAN;
      return exportPlan(plan, format, { documents, readSession, clean });
    },
    ...sharedMethods(shared),
    async "library.template"({ planId }) {
      const plan = await planRevision(documents, planId);
      return plan === undefined ? NO_PLAN : planTemplate(plan);
    },
  });
}

const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no such plan. Search with library.search.");

const changed = (before: readonly string[], { add, remove }: { add: readonly string[]; remove: readonly string[] }) =>
  [...new Set([...before, ...add])].filter((value) => !remove.includes(value));
