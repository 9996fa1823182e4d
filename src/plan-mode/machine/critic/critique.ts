/**
 * The critic's notes: comments under the name of a rule, on a plan that still waits. They are no thread that a person has to
 * close, and what cannot be noted is dropped: a critic holds nothing up.
 */
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { CritiqueCommand, CritiqueOrder } from "../../protocol/lint/critic.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import { Json } from "../../../protocol/json.ts";
import type { PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";
import { decideNote } from "../note/decide.ts";
import { CRITIC } from "./critic-notes.ts";

export function critique(state: PlanModeState, command: CritiqueCommand, context: PlanContext): PlanDecision {
  const { approvalId, step, text } = command;
  if (state.now.phase !== "pending" || state.now.submission.approvalId !== approvalId) return DROPPED;
  const anchor = step === undefined ? ({ on: "plan" } as const) : ({ on: "step", step } as const);
  const noted = decideNote(state, { action: "add", approvalId, kind: "comment", anchor, text }, context);
  if ("refused" in noted) return DROPPED;
  return { events: noted.events.map(inItsName), reply: { noted: true } };
}

const DROPPED: PlanDecision = { events: [], reply: { noted: false } };

const inItsName = (event: PlanModeEvent): PlanModeEvent =>
  event.type === "note.added" ? { ...event, note: { ...event.note, by: CRITIC } } : event;

/** Asked once for each revision that waits for a person. */
export function criticEffects(event: PlanModeEvent, { settings: { critic } }: PlanContext): Effect[] {
  if (event.type !== "plan.submitted" || event.unlocked === true || critic === undefined) return [];
  const { planId, approvalId, edited } = event.submission;
  if (edited !== undefined) return []; // a person wrote it and signed it
  const order: CritiqueOrder = { do: "critique", planId, approvalId, critic };
  return [{ kind: "perform", order: { ...order, critic: Json.parse(critic) } }];
}
