/**
 * The short code of what waits: of the exact revision and of how it stood, so that whoever types it says what they saw.
 * After a rejection the same plan has another code.
 */
import type { HeldCall, PendingQuestion, PlanModeState } from "../../protocol/state.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import { shortDigest } from "../../../protocol/card/card.ts";

const CODE_CHARS = 6;
export const DECISION_CODE = /^[0-9a-f]{6}$/i;

/** How many rejections a card in this state shows; 0 while nobody has rejected this revision. */
export const rejectionsOf = (now: PlanModeState["now"]): number =>
  now.phase === "rejected" ? now.cycle.rejectionCount : 0;

type Waiting = { approvalId: string; digest: string };

export const decisionCode = ({ approvalId, digest }: Waiting, rejections: number): string =>
  shortDigest(digestOf({ approvalId, digest, rejections })).slice(0, CODE_CHARS);

/** Of a held call before a person. */
export const callCode = ({ approvalId, call }: PendingQuestion & { call: HeldCall }): string =>
  decisionCode({ approvalId, digest: call.argsDigest }, 0);
