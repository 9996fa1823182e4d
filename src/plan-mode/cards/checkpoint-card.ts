/** A plan that has come to a checkpoint: what was accepted is done, and the rest waits for a person. */
import type { CardAction, NoticeCard } from "../../protocol/card/card.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { localized } from "../texts/localized.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { numberRanges } from "../machine/stage/number-ranges.ts";
import { isAtCheckpoint, nextStage } from "../machine/stage/stages.ts";
import { cardText } from "./card-text.ts";
import type { PlanCardContext } from "./plan-card-context.ts";

export const CHECKPOINT_NOTICE = "plan-mode.checkpoint:";

/** Named by the approval and by what is left, so that the next checkpoint is another card. */
export function checkpointCards({ now, loosening }: PlanModeState, { settings }: PlanCardContext): NoticeCard[] {
  if (now.phase !== "executing" || !isAtCheckpoint(now)) return [];
  const { held = [], submission, decidedAtMs } = now;
  const { approvalId, digest, title } = submission;
  const { approvers } = settings.approvals;
  const next = nextStage(now);
  const isAbout = loosening?.what.kind === "stage" && loosening.what.steps.join() === next.join();
  const signed = isAbout ? loosening.signatures.map(({ by }) => by) : [];
  const common = { scope: "operator.approvals", input: { kind: "none" } } as const;
  const decide = (action: string, steps: number[]): CardAction["patch"] => ({
    field: "planApproval",
    value: { action, approvalId, digest, steps },
  });
  const accept: CardAction = {
    id: "accept-next",
    label: cardText(localized("cardAcceptNext", { steps: numberRanges(next) })),
    tone: "yes",
    ...common,
    patch: decide("release", next),
    command: `/plan accept ${numberRanges(next).replaceAll(" ", "")}`,
    ...(approvers === undefined ? {} : { approvers: [...approvers] }),
    ...(signed.length === 0 ? {} : { signedBy: signed }),
  };
  const skip: CardAction = {
    id: "skip-rest",
    label: cardText(localized("cardSkipRest", { steps: numberRanges(held) })),
    tone: "no",
    ...common,
    patch: decide("skip", [...held]),
    command: `/plan skip ${numberRanges(held).replaceAll(" ", "")}`,
  };
  return [
    {
      kind: "notice",
      id: `${CHECKPOINT_NOTICE}${approvalId}:${held.length}`,
      slice: PLAN_MODE_SLICE,
      state: "shown",
      heading: cardText(localized("cardCheckpoint")),
      title,
      status: cardText(localized("cardCheckpointSteps", { steps: numberRanges(held) })),
      sinceMs: decidedAtMs,
      level: "info",
      actions: [accept, skip],
    },
  ];
}
