/** When a held call may be put before a person, and how (GA-10, AE-05). The server writes the question, not the agent. */
import { type HeldCall, PlanModeSettings, type PlanModeState } from "../../protocol/plan-mode.ts";
import { type PolicyQuestion, revealHidden, type SliceOrder } from "../../plugins/sdk.ts";
import { callQuestion } from "../machine/calls/ask-call.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";

/** Absent settings are the defaults; settings that cannot be read throw, and that blocks. */
export const settingsOf = ({ settings }: PolicyQuestion): PlanModeSettings =>
  PlanModeSettings.parse(settings[PLAN_MODE_SLICE] ?? {});

export type Asked = { call: HeldCall; shown: string };

/** The order to ask; undefined when nobody can be asked now, so that the refusal says something else. */
export function askOrder(question: PolicyQuestion, state: PlanModeState, asked: Asked): SliceOrder | undefined {
  const { session, call } = question;
  const shown = revealHidden(asked.shown);
  const isOpen = session.kind === "chat" && state.question === null && state.now.phase !== "pending";
  if (!isOpen || !settingsOf(question).enabled) return undefined;
  if (callQuestion({ call: asked.call, shown }) === undefined) return undefined;
  const command = { type: "ask-call", callId: call.callId, call: { ...asked.call }, shown };
  return { slice: PLAN_MODE_SLICE, command };
}

export const ASKED =
  "A person has been asked whether this one call may run. Stop here and wait for the answer; if they allow it, call";
