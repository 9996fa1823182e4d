/** The gate as a trusted policy: asked for each call, with the session as it is stored at that moment. */
import { z } from "zod";
import type { GateRefusal } from "../../protocol/gate.ts";
import { type PlanModeState, SessionMode } from "../protocol/state.ts";
import {
  canonicalJson,
  digestOf,
  type PolicyQuestion,
  type PolicyVerdict,
  type SliceOrder,
  type TrustedToolPolicy,
} from "../../plugins/sdk.ts";
import { aboutCall } from "../machine/grant/about-call.ts";
import { holdRefusal, PLAN_GATE_POLICY, PLAN_MODE_SLICE, type Planning, planRefusal } from "../machine/gate.ts";
import { ASKED, askOrder, grantFor, settingsOf } from "./asking.ts";
import { stateOf } from "./stored-state.ts";
import { COMMAND_TOOL, type HeldInPlan, judgeInPlan } from "./plan-call.ts";
import { folderOf, placeOf } from "./real-place.ts";

/** All that an open gate needs to know; the whole state is read only to explain a refusal. */
const Mode = z.object({ now: z.object({ mode: SessionMode }), held: z.unknown().optional() });

const ALLOW: PolicyVerdict = { verdict: "allow" };

export const planGatePolicy: TrustedToolPolicy = {
  id: PLAN_GATE_POLICY,
  description:
    "In plan mode and in a held session only reading tools run, until a person approves the plan or lifts the hold.",
  evaluate(question): PolicyVerdict {
    const { call, session } = question;
    const stored = session.slices[PLAN_MODE_SLICE];
    if (stored === undefined || call.effect === "read") return ALLOW;
    const { now, held } = Mode.parse(stored); // unreadable state throws, and that blocks
    if (now.mode !== "plan" && held === undefined) return ALLOW;
    const state = stateOf(stored);
    if (state.held !== undefined) return { verdict: "block", refusal: holdRefusal(state.now, call) };
    const grant = grantFor(question, state, "plan");
    if (grant !== undefined) return { verdict: "allow", grant: { slice: PLAN_MODE_SLICE, id: grant.id } };
    return state.now.mode === "plan" ? hold(question, state, state.now) : ALLOW;
  },
};

function hold(question: PolicyQuestion, state: PlanModeState, now: Planning): PolicyVerdict {
  const { call } = question;
  const plain = planRefusal(now, call);
  if (call.tool !== COMMAND_TOOL) return { verdict: "block", refusal: plain };
  const held = judgeInPlan(call, placeOf(folderOf(question.session.workspace, call.args)));
  // the tool counts it as writing although the text reads: whatever made it so, it is held
  if (held.allowed) return { verdict: "block", refusal: plain };
  const asked = ask(question, state, held);
  return {
    verdict: "block",
    refusal: explained({ plain, held, asked }, now),
    ...(asked === undefined ? {} : { also: asked.also }),
  };
}

type Asked = { also: SliceOrder; exactly: string };

/** The form that a person is shown is the form that may run: the call must then be made with these arguments. */
function ask(question: PolicyQuestion, state: PlanModeState, held: HeldInPlan): Asked | undefined {
  const { call, session } = question;
  const { canonical, verdict, code, matched } = held;
  if (verdict !== "unknown" || canonical === undefined) return undefined;
  if (settingsOf(question).unknownCommands !== "ask") return undefined;
  const args = { ...call.args, command: canonical };
  const { command: _command, ...others } = args;
  const shown = Object.keys(others).length === 0 ? canonical : `${canonical}\nwith ${canonicalJson(others)}`;
  const asking = askOrder(question, state, {
    shown,
    call: {
      gate: "plan",
      tool: call.tool,
      kind: call.kind,
      argsDigest: digestOf(args),
      folder: folderOf(session.workspace, call.args),
      rule: code,
      matched,
    },
  });
  return "also" in asking ? { also: asking.also, exactly: canonicalJson(args) } : undefined;
}

function explained(
  { plain, held, asked }: { plain: GateRefusal; held: HeldInPlan; asked: Asked | undefined },
  now: Planning,
): GateRefusal {
  const { tool_name: tool, tool_kind: kind } = plain;
  const next =
    asked === undefined
      ? `${held.hint} ${plain.hint}`
      : `${ASKED} ${tool} with exactly these arguments: ${asked.exactly}`;
  return {
    ...aboutCall(now, { tool, kind }),
    hint: next,
    rule: held.code,
    matched: held.matched,
    message: `${tool} was not run: in plan mode a command must be proven read-only, and this one is not (${held.code}: ${held.matched}). ${next}`,
  };
}
