/** How holds and signatures on what loosens the gate change the state. */
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { never } from "../../../plugins/sdk.ts";
import { samePerson } from "../signature/approvers.ts";

type HoldEvent = PlanEventOf<"hold.set" | "hold.lifted" | "loosening.signed">;

export function evolveHold(state: PlanModeState, event: HoldEvent): PlanModeState {
  switch (event.type) {
    case "hold.set":
      return { ...withoutLoosening(state), held: event.hold };
    case "hold.lifted":
      return withoutHold(state);
    case "loosening.signed":
      return { ...state, loosening: signed(state, event) };
    default:
      return never(event);
  }
}

/** Signing again replaces what the same person signed before; signatures on something else are void. */
function signed({ loosening }: PlanModeState, { what, signature, needs }: PlanEventOf<"loosening.signed">) {
  const others = (loosening?.signatures ?? []).filter(
    ({ by, digest }) => digest === signature.digest && !samePerson(by, signature.by),
  );
  return { what, signatures: [...others, signature], needs };
}

/** Plan mode takes the place of a hold, and a changed permission mode voids what was signed about it. */
export function withoutVoidHold(state: PlanModeState, { type }: PlanModeEvent): PlanModeState {
  if (type === "plan.entered") return withoutHold(state);
  return OUTLIVED_BY[state.loosening?.what.kind ?? "none"]?.has(type) === true ? withoutLoosening(state) : state;
}

/** What was signed about something is void when that is settled, or no longer asked. */
const OUTLIVED_BY: Readonly<Partial<Record<string, ReadonlySet<PlanModeEvent["type"]>>>> = {
  permission: new Set(["permission.set"] as const),
  stage: new Set(["plan.staged", "plan.left", "plan.completed"] as const),
  amend: new Set([
    "plan.amended",
    "plan.left",
    "plan.completed",
    "question.answered",
    "question.closed",
    "question.asked",
  ] as const),
};

function withoutHold({ held: _over, ...state }: PlanModeState): PlanModeState {
  return withoutLoosening(state);
}

function withoutLoosening({ loosening: _void, ...state }: PlanModeState): PlanModeState {
  return state;
}
