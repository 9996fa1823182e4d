/**
 * The library's machine: follows what plan mode does in the session, and orders each submission to be written and each
 * outcome to be indexed, in the same commit. It decides nothing about plans.
 */
import { type Effect, refuse, type Slice, z } from "../../plugins/sdk.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import { PlanId } from "../../protocol/ids.ts";
import { LibraryCommand, type LibraryEvent, type LibraryOrder, LibraryState } from "../protocol/library-state.ts";
import { localized } from "../texts/localized.ts";

export const LIBRARY_SLICE = "library";
const PLAN_MODE = "planMode";
const CHANGES = "changes";

/** After these something else stands in the library about the plan. */
const OUTCOMES: ReadonlySet<string> = new Set([
  "plan.approved",
  "plan.standing_signed",
  "plan.rejected",
  "plan.timed_out",
  "plan.completed",
  "plan.left",
]);

const Submitted = z.object({ type: z.literal("plan.submitted"), submission: z.object({ planId: PlanId }) });

/** After these the mirror of the plan that is carried out is old. */
const MIRRORED: ReadonlySet<string> = new Set([
  "plan.approved",
  "plan.standing_begun",
  "plan.updated",
  "plan.staged",
  "plan.amended",
  "evidence.captured",
  "evidence.given",
]);

const ENDED: Readonly<Record<string, "completed" | "left">> = { "plan.completed": "completed", "plan.left": "left" };

export const LibrarySettings = z.object({ workUnits: z.boolean() }).catch({ workUnits: false });
export type LibrarySettings = z.infer<typeof LibrarySettings>;

export const librarySlice: Slice<LibraryState, LibraryCommand, LibraryEvent, LibrarySettings> = {
  name: LIBRARY_SLICE,
  state: LibraryState,
  command: LibraryCommand,
  settings: LibrarySettings,
  initial: {},
  decide(state, command, { actor, nowMs: atMs }) {
    if (actor.kind !== "system") return refuse("FORBIDDEN", "Only the library reports about its files.");
    if (command.type === "unit-lost") {
      const events =
        state.unitLost === true ? [] : [{ type: "library.unit_lost" as const, because: command.because, atMs }];
      return { events, reply: null };
    }
    const { planId, because } = command;
    return { events: [{ type: "library.file_lost", planId, because, atMs }], reply: null };
  },
  evolve(state, event) {
    if (event.type === "library.unit_lost") return { unitLost: true };
    return event.type === "library.unit_begun" ? {} : state;
  },
  effects(_state, event) {
    if (event.type === "library.unit_begun") return [];
    if (event.type === "library.unit_lost") return [{ kind: "notify", ...lostWords(event.because) }];
    return [{ kind: "notify", ...localized(`planFileLost_${event.because}`) }];
  },
  on: {
    // what waited there waits no more
    delete: () => [{ kind: "perform", order: { do: "index-plans" } satisfies LibraryOrder }],
    peerEvent: ({ unitLost }, { slice, event }, { nowMs }) =>
      slice === PLAN_MODE && BEGINS.has(event.type) && unitLost === true
        ? [{ type: "library.unit_begun", atMs: nowMs }]
        : [],
    peerEffects(_state, { slice, event }, { session, settings }) {
      if (slice === CHANGES && event.type === "changes.listed") return [ordered({ do: "index-plans" })];
      if (slice !== PLAN_MODE) return [];
      return [...recorded(event, session.agentId), ...(settings.workUnits ? mirrored(event.type) : [])];
    },
  },
};

const lostWords = (because: string): LocalizedText =>
  because === "tracked" ? localized("unitLostTracked") : localized("unitLost", { because });

const BEGINS: ReadonlySet<string> = new Set(["plan.approved", "plan.standing_begun"]);

function recorded(event: { type: string }, agentId: string): Effect[] {
  if (OUTCOMES.has(event.type)) return [ordered({ do: "index-plans" })];
  const submitted = event.type === "plan.submitted" ? Submitted.safeParse(event).data : undefined;
  if (submitted === undefined) return [];
  return [ordered({ do: "file-plan", planId: submitted.submission.planId, agentId })];
}

function mirrored(type: string): Effect[] {
  const status = Object.hasOwn(ENDED, type) ? ENDED[type] : undefined;
  if (status !== undefined) return [ordered({ do: "mirror-unit", status })];
  return MIRRORED.has(type) ? [ordered({ do: "mirror-unit" })] : [];
}

const ordered = (order: LibraryOrder): Effect => ({ kind: "perform", order: { ...order } });
