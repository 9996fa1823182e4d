/** `plans.*`: revisions as they are stored, and what people say about them. */
import { refuse } from "../protocol/refuse.ts";
import type { RunSelfTest } from "../protocol/self-test/self-test-report.ts";
import { PLAN_METHODS } from "../protocol/plan-methods.ts";
import { methodsOf, type PluginMethod } from "../../plugins/sdk.ts";
import { localized } from "../texts/localized.ts";
import type { FindTemplates } from "../seeding/find-templates.ts";
import { templateMethods } from "./template-methods.ts";
import { PLAN, planRevision, revisionsOf, toRevision } from "./plan-records.ts";
import type { PlanReading } from "./plan-progress.ts";
import { resolveMethods } from "./resolve-method.ts";
import { reviewMethods } from "./review-methods.ts";
import { sharingMethods } from "./sharing-methods.ts";

/** `selfTest`: absent where there is no installation to test; `templates`: where there are no skills. */
export type PlanMethodParts = { selfTest?: RunSelfTest | undefined; templates?: FindTemplates | undefined };

export function planMethods(
  reading: PlanReading,
  { selfTest, templates }: PlanMethodParts = {},
): PluginMethod<unknown, object>[] {
  const { documents } = reading;
  return methodsOf(PLAN_METHODS, {
    async "plans.list"({ sessionId, cursor, limit }) {
      const page = await documents.list({
        kind: PLAN,
        cursor,
        limit,
        ...(sessionId === undefined ? {} : { sessionId }),
      });
      return "refused" in page ? page : { plans: page.items.map(toRevision), nextCursor: page.nextCursor };
    },
    async "plans.get"({ planId }) {
      const plan = await planRevision(documents, planId);
      return plan === undefined ? NO_PLAN : { plan };
    },
    async "plans.revisions"({ planId }) {
      const plan = await planRevision(documents, planId);
      return plan === undefined ? NO_PLAN : { plans: await revisionsOf(documents, plan) };
    },
    "plans.selfTest": async () => (selfTest === undefined ? NO_SELF_TEST : { report: await selfTest() }),
    ...templateMethods(reading.readSession, templates),
    ...resolveMethods(documents),
    ...reviewMethods(reading),
    ...sharingMethods(documents),
  });
}

const NO_SELF_TEST = refuse("COMMAND_USAGE", localized("notYet", { command: "plans.selfTest" }));
const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no such plan. List them with plans.list.");
