/** Open notes as a condition of an approval, where the settings make them one. */
import type { PlanModeState } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { Note } from "../../protocol/review.ts";
import type { PlanContext } from "../actors.ts";
import { isCritics } from "../critic/critic-notes.ts";
import { isAnswered, isOpen } from "./evolve.ts";
import { inPlanOrder } from "./notes-text.ts";

const NAMED_MAX = 5;

export const openNotes = ({ review }: PlanModeState): Note[] => inPlanOrder((review?.notes ?? []).filter(isOpen));

/** How many of the open ones the agent says to have answered: people look at those, the others wait for the agent. */
export const answeredNotes = (state: PlanModeState): number => openNotes(state).filter(isAnswered).length;

export function refuseOpenThreads(
  state: PlanModeState,
  { settings }: Pick<PlanContext, "settings">,
): Refused | undefined {
  const open = settings.requireResolvedThreads ? openNotes(state).filter((note) => !isCritics(note)) : [];
  if (open.length === 0) return undefined;
  const named = open.slice(0, NAMED_MAX).map(({ n }) => `n${n}`);
  const more = open.length > NAMED_MAX ? ` and ${open.length - NAMED_MAX} more` : "";
  return refuse(
    "PLAN_APPROVAL_BLOCKED_BY_THREADS",
    `Open notes must be resolved before this plan is approved: ${named.join(", ")}${more}. Resolve them, or send the plan back.`,
    { notes: open.map(({ id, n }) => ({ note_id: id, n })) },
  );
}
