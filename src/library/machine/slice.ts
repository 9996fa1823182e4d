/**
 * The library's machine: follows what plan mode does in the session, and orders each submission to be written and each
 * outcome to be indexed, in the same commit. It keeps nothing in sessions and decides nothing about plans.
 */
import { type Effect, refuse, type Slice, z } from "../../plugins/sdk.ts";
import { PlanId } from "../../protocol/ids.ts";
import { LibraryCommand, type LibraryEvent, type LibraryOrder, LibraryState } from "../protocol/library-state.ts";
import { localized } from "../texts/localized.ts";

export const LIBRARY_SLICE = "library";
const PLAN_MODE = "planMode";

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

export const librarySlice: Slice<LibraryState, LibraryCommand, LibraryEvent, unknown> = {
  name: LIBRARY_SLICE,
  state: LibraryState,
  command: LibraryCommand,
  settings: z.unknown(),
  initial: {},
  decide: (_state, { planId, because }, { actor, nowMs }) =>
    actor.kind === "system"
      ? { events: [{ type: "library.file_lost", planId, because, atMs: nowMs }], reply: null }
      : refuse("FORBIDDEN", "Only the library reports about its files."),
  evolve: (state) => state,
  effects: (_state, { because }) => [{ kind: "notify", ...localized(`planFileLost_${because}`) }],
  on: {
    peerEffects(_state, { slice, event }, { session }) {
      if (slice !== PLAN_MODE) return [];
      if (OUTCOMES.has(event.type)) return [ordered({ do: "index-plans" })];
      const submitted = event.type === "plan.submitted" ? Submitted.safeParse(event).data : undefined;
      if (submitted === undefined) return [];
      return [ordered({ do: "file-plan", planId: submitted.submission.planId, agentId: session.agentId })];
    },
  },
};

const ordered = (order: LibraryOrder): Effect => ({ kind: "perform", order: { ...order } });
