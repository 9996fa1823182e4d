/** The methods of the library, as they stand in the table of all methods. */
import { z } from "zod";
import { PlanId, SessionId } from "../../protocol/ids.ts";
import { method } from "../../protocol/wire/method.ts";
import { STEPS_MAX } from "../../plan-mode/protocol/plan.ts";
import { Namespace, SHARED_LISTED_MAX, SharedPlan, SharedPlanEntry, SharedStepChange } from "./shared-plan.ts";
import { UNITS_MAX, WorkUnit } from "./work-unit.ts";
import { LibraryEntry, PlanLink, PlanOutcome, PlanTag, TAGS_MAX } from "./library-entry.ts";

const LIST_LIMIT_MAX = 200;
const QUERY_CHARS_MAX = 500;
const word = z.string().trim().min(1).max(200);

export const LIBRARY_METHODS = {
  "library.search": method(
    "operator.read",
    "Plan revisions that match all words and filters, newest first. Words may begin a longer one; tag:, person:, file:, link:, status: and agent: may stand among them.",
    () => ({
      params: z.strictObject({
        query: z.string().max(QUERY_CHARS_MAX).default(""),
        tag: word.optional(),
        person: word.optional(),
        file: word.optional(),
        link: word.optional(),
        outcome: PlanOutcome.optional(),
        cursor: z.string().max(256).nullable().default(null),
        limit: z.int().min(1).max(LIST_LIMIT_MAX).default(50),
      }),
      result: z.strictObject({
        plans: z.array(LibraryEntry),
        nextCursor: z.string().nullable(),
        /** Plans of an earlier version are still being read: more may be found soon. */
        indexing: z.boolean(),
      }),
    }),
  ),
  "library.get": method("operator.read", "What the library knows of one plan revision.", () => ({
    params: z.strictObject({ planId: PlanId }),
    result: z.strictObject({ plan: LibraryEntry }),
  })),
  "plans.workUnits": method(
    "operator.read",
    "The work units in the workspace of a session, newest first: plans that were approved, as far as they were carried out.",
    () => ({
      params: z.strictObject({ sessionId: SessionId }),
      result: z.strictObject({ folder: z.string(), units: z.array(WorkUnit).max(UNITS_MAX) }),
    }),
  ),
  "library.tag": method("operator.write", "Adds and removes tags of a plan; the plan itself stays as it is.", () => ({
    params: z.strictObject({
      planId: PlanId,
      add: z.array(PlanTag).max(TAGS_MAX).default([]),
      remove: z.array(PlanTag).max(TAGS_MAX).default([]),
    }),
    result: z.strictObject({ plan: LibraryEntry }),
  })),
  "library.link": method("operator.write", "Links a plan to an issue or a pull request, or takes a link away.", () => ({
    params: z.strictObject({ planId: PlanId, link: PlanLink, remove: z.boolean().default(false) }),
    result: z.strictObject({ plan: LibraryEntry }),
  })),
  "library.export": method(
    "operator.read",
    "One plan revision as a document without secrets, names of people, addresses and home folders.",
    () => ({
      params: z.strictObject({ planId: PlanId, format: z.enum(["markdown", "json", "html"]).default("markdown") }),
      result: z.strictObject({ filename: z.string(), mediaType: z.string(), text: z.string() }),
    }),
  ),
  "library.template": method(
    "operator.read",
    "A message that asks an agent to plan anew along an earlier plan. Nothing of it is approved.",
    () => ({
      params: z.strictObject({ planId: PlanId }),
      result: z.strictObject({ title: z.string(), text: z.string() }),
    }),
  ),
  "library.sharedPlans": method(
    "operator.read",
    "The plans that several sessions share, by their names: how far each is, and whether somebody is changing it.",
    () => ({
      params: z.strictObject({}),
      result: z.strictObject({ plans: z.array(SharedPlanEntry).max(SHARED_LISTED_MAX), more: z.boolean() }),
    }),
  ),
  "library.sharedPlan": method("operator.read", "A plan that several sessions share, by its name; null: none.", () => ({
    params: z.strictObject({ namespace: Namespace }),
    result: z.strictObject({ plan: SharedPlan.nullable() }),
  })),
  "library.changeSharedPlan": method(
    "operator.write",
    "Changes steps of a shared plan, known by their text, and adds new ones; with replace the others are dropped.",
    () => ({
      params: z.strictObject({
        namespace: Namespace,
        steps: z.array(SharedStepChange).max(STEPS_MAX),
        replace: z.boolean().default(false),
      }),
      result: z.strictObject({ plan: SharedPlan }),
    }),
  ),
} as const;

type LibraryMethod = keyof typeof LIBRARY_METHODS;
export type LibraryParamsOf<Name extends LibraryMethod> = z.output<(typeof LIBRARY_METHODS)[Name]["params"]>;

export type LibraryResultOf<Name extends keyof typeof LIBRARY_METHODS> = z.output<
  (typeof LIBRARY_METHODS)[Name]["result"]
>;
