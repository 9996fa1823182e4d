/**
 * The plan that Holdpoint writes for a program which hands none over: what it is, and what a hook of it asked for first. People
 * accept it, change its steps, or write their own. What the kernel refused stands beside it on the card, never in its
 * text: a program chooses the names of its files, and what a plan says is what it unlocks.
 */
import type { ExternalPlace, PlanRequest } from "../protocol/external/decisions.ts";

const SUMMARY =
  "This program knows nothing of plans, so Holdpoint wrote this one for it. The kernel keeps the folder read-only until somebody approves it; change the steps to say what it should do.";

/** `tried`: the first thing that was refused, as the program asked for it. */
export const proposedPlan = (
  { agent }: Pick<ExternalPlace, "agent">,
  { proposes, tried }: { proposes: string; tried?: string },
): PlanRequest["plan"] => ({
  title: `Let ${agent} work`,
  steps: [{ step: proposes }],
  summary: tried === undefined ? SUMMARY : `${SUMMARY}\n\nThe first thing that it tried and was refused:\n\n${tried}`,
});
