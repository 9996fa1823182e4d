/** The plan-mode slice, assembled for the host. */
import type { JsonObject } from "../../protocol/json.ts";
import { PlanModeCommand } from "../protocol/command.ts";
import type { PlanModeEvent } from "../protocol/event.ts";
import { PlanModeSettings } from "../protocol/settings.ts";
import { PlanModeState } from "../protocol/state.ts";
import type { Slice, Waiting } from "../../plugins/sdk.ts";
import { closedCard } from "../cards/closed-card.ts";
import { planCards } from "../cards/plan-cards.ts";
import { criticEffects } from "./critic/critique.ts";
import { controls } from "./plan/controls.ts";
import { decide } from "./decide.ts";
import { onCreate, onMessage } from "./plan/enter.ts";
import { withJobRules } from "./standing/job-rules.ts";
import { mandate, onPeerEvent } from "./standing/mandate.ts";
import { withRiskRules } from "./signature/risk-rules.ts";
import { restsOn } from "./signature/rests-on.ts";
import { effects } from "./effects.ts";
import { evolve, INITIAL } from "./evolve.ts";
import { isByPlanMode, onClaim, PLAN_MODE_SLICE, planGate } from "./gate.ts";
import { captureEvidence, countEnd, countPeerChange } from "./evidence/capture.ts";
import { isAtCheckpoint } from "./stage/stages.ts";
import { lineEffect } from "./effect-parts.ts";
import { onTurnEnd, withNudges } from "./nudge/nudge.ts";
import { nudgeEffects } from "./nudge/effects.ts";
import { reachEffects } from "./reach/effects.ts";
import { heartbeatLines } from "./text/nudge-text.ts";
import { refusedLine } from "./text/notify-lines.ts";
import { callTitle, shortTitle } from "./text/short-title.ts";
import { continuation, preservedText, statusText } from "./text/status-text.ts";

export { PLAN_MODE_SLICE } from "./gate.ts";

export const planModeSlice: Slice<PlanModeState, PlanModeCommand, PlanModeEvent, PlanModeSettings> = {
  name: PLAN_MODE_SLICE,
  state: PlanModeState,
  command: PlanModeCommand,
  settings: PlanModeSettings,
  initial: INITIAL,
  decide: (state, command, context) => decide(state, command, withRiskRules(withJobRules(context), state, command)),
  evolve: (state, event) => withNudges(evolve(state, event), event),
  effects: (state, event, context) => [
    ...effects(state, event, context),
    ...nudgeEffects(state, event, context),
    ...reachEffects(state, event, context),
    ...criticEffects(event, context),
  ],
  guard: planGate,
  on: {
    create: (context, before) => onCreate(INITIAL, context, before),
    message: onMessage,
    claim: onClaim,
    result: (state, call, { nowMs }) => [...countEnd(state, call, nowMs), ...captureEvidence(state, call, nowMs)],
    refusal: (state, refusal) => (isByPlanMode(state, refusal) ? [lineEffect(refusedLine(refusal))] : []),
    turnEnd: onTurnEnd,
    peerEvent: (state, fact, context) => [
      ...onPeerEvent(state, fact, context),
      ...countPeerChange(state, fact, context.nowMs),
    ],
  },
  describe: {
    turnText: statusText,
    heartbeat: heartbeatLines,
    preserved: preservedText,
    continuation,
    mandate,
    vital,
    restsOn,
    waiting,
    mode: ({ now, held }) => (held !== undefined ? "held" : now.mode === "normal" ? undefined : now.mode),
    cards: (state, context) => planCards(state, withRiskRules(withJobRules(context), state)),
    closedCard,
    controls,
  },
};

/** Rejecting, leaving, expiry and ending auto: all of them make things safer or let a person out. */
function vital(command: JsonObject): boolean {
  const parsed = PlanModeCommand.safeParse(command);
  if (!parsed.success) return false;
  const { data } = parsed;
  switch (data.type) {
    case "leave":
    case "expire":
      return true;
    case "set-permission-mode":
      return data.mode === "ask"; // the strictest of them
    case "resolve":
      return data.decision === "reject";
    case "decide":
      return data.approval.action === "reject" || (data.approval.action === "auto" && !data.approval.enabled);
    default:
      return false;
  }
}

function waiting({ now, question }: PlanModeState): Waiting | undefined {
  if (now.phase === "executing" && question === null && isAtCheckpoint(now)) {
    const { approvalId, title } = now.submission;
    return {
      kind: "approval",
      id: approvalId,
      title: shortTitle(title),
      sinceMs: now.decidedAtMs,
      deadlineMs: null,
    };
  }
  if (now.phase === "pending") {
    const { approvalId, title, submittedAtMs, deadlineAtMs } = now.submission;
    return {
      kind: "approval",
      id: approvalId,
      title: shortTitle(title),
      sinceMs: submittedAtMs,
      deadlineMs: deadlineAtMs,
    };
  }
  if (question === null) return undefined;
  const { approvalId, askedAtMs, deadlineAtMs } = question;
  return {
    kind: "question",
    id: approvalId,
    title: shortTitle(question.call === undefined ? question.question : callTitle(question.question, question.call)),
    sinceMs: askedAtMs,
    deadlineMs: deadlineAtMs,
  };
}
