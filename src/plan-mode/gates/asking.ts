/** When a held call may be put before a person, and how (GA-02, GA-10, AE-05). The server writes the question, not the agent. */
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { StepScope } from "../protocol/step/scope.ts";
import { SCOPE_PARTS } from "../protocol/step/step-lines.ts";
import { PlanModeSettings } from "../protocol/settings.ts";
import type { CallGrant, HeldCall, HoldingGate, PlanModeState } from "../protocol/state.ts";
import { hasPerson } from "../../protocol/session.ts";
import { canonicalJson, type PolicyQuestion, revealHidden, type SliceOrder } from "../../plugins/sdk.ts";
import { callQuestion } from "../machine/grant/ask-call.ts";
import { grantOf } from "../machine/grant/grant.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";

/** Absent settings are the defaults; settings that cannot be read throw, and that blocks. */
export const settingsOf = ({ settings }: Pick<PolicyQuestion, "settings">): PlanModeSettings =>
  PlanModeSettings.parse(settings[PLAN_MODE_SLICE] ?? {});

/** `amend`: what the scope of the plan lacks for it. */
export type Asked = { call: HeldCall; shown: string; amend?: StepScope };

/** The order to ask, or why nobody can be asked now and what the agent can do instead. */
type Asking = { also: SliceOrder } | { unasked: string };

export function askOrder(question: PolicyQuestion, state: PlanModeState, asked: Asked): Asking {
  const shown = shownFor(question, asked);
  const unasked = whyUnasked(question, state, { call: asked.call, shown });
  if (unasked !== undefined) return { unasked };
  const command = {
    type: "ask-call",
    callId: question.call.callId,
    call: { ...asked.call, ...withinOf(question) },
    shown,
    ...(asked.amend === undefined ? {} : { amend: plainScope(asked.amend) }),
  };
  return { also: { slice: PLAN_MODE_SLICE, command } };
}

/** The order is JSON, which knows no part that is there and undefined. */
function plainScope(scope: StepScope): JsonObject {
  const plain: JsonObject = {};
  for (const part of SCOPE_PARTS) {
    const entries = scope[part];
    if (entries !== undefined) plain[part] = entries;
  }
  return plain;
}

const withinOf = ({ within }: PolicyQuestion): { within?: string } =>
  within === undefined ? {} : { within: within() };

/**
 * The yes that lets this very call pass: to this tool with these arguments, and in the same folder, environment and agent as
 * when it was asked for (I17). Its claim still has to find it.
 */
export function grantFor(question: PolicyQuestion, state: PlanModeState, gate: HoldingGate): CallGrant | undefined {
  const grant = grantOf(state, question.call, gate);
  return grant !== undefined && grant.call.within === withinOf(question).within ? grant : undefined;
}

/** `shown` is what the person would read. */
function whyUnasked(
  question: PolicyQuestion,
  state: PlanModeState,
  asked: Pick<Asked, "call" | "shown">,
): string | undefined {
  const { kind } = question.session;
  if (!hasPerson(kind)) return `Nobody could answer in a ${kind} session: leave it, and say so in your answer.`;
  if (state.question !== null) return "A question waits for a person already: stop here and wait for its answer.";
  if (state.now.phase === "pending") return "Your plan waits for a person: stop here and wait for the decision.";
  // the permission mode stands beside plan mode, whether or not that is switched on
  const isOff = asked.call.gate !== "permission" && state.now.phase === "off" && !settingsOf(question).enabled;
  if (isOff) return "Plan mode is switched off here, so nobody is asked: leave it, and say so in your answer.";
  const isLong = callQuestion(asked) === undefined;
  return isLong ? "The call is too long to be shown to a person whole: do it in smaller parts." : undefined;
}

/** Whoever decides sees that a program makes the call, and which. */
function shownFor({ call: { caller } }: PolicyQuestion, { shown }: Asked): string {
  const text = revealHidden(shown);
  return caller?.kind === "cell" ? `${text}\n(made by a program of the agent, cell ${caller.id})` : text;
}

export const ASKED =
  "A person has been asked whether this one call may run. Stop here and wait for the answer; if they allow it, call";

/** Everything that the call says, as a person reads it; a command's text comes first, because it is what matters. */
export function shownCall({ args }: Pick<PolicyQuestion["call"], "args">): string {
  const { command, ...others } = args;
  if (typeof command === "string") {
    return Object.keys(others).length === 0 ? command : `${command}\nwith ${canonicalJson(others)}`;
  }
  const names = Object.keys(args).toSorted((a, b) => shownLast(args[a], args[b]) || (a < b ? -1 : 1));
  return names.length === 0 ? "(no arguments)" : names.map((name) => `${name}:${shownValue(args[name])}`).join("\n");
}

/** Long texts stand below the short ones, so that a path is not lost behind a file. */
const shownLast = (a: Json | undefined, b: Json | undefined): number => Number(isLong(a)) - Number(isLong(b));
const isLong = (value: Json | undefined): boolean => typeof value === "string" && value.includes("\n");

/** Lines of a text are set apart by their indent: none of them can be taken for another argument. */
function shownValue(value: Json | undefined): string {
  if (typeof value !== "string") return ` ${canonicalJson(value ?? null)}`;
  if (!value.includes("\n")) return ` ${value}`;
  return `\n    ${value.replaceAll("\n", "\n    ")}`;
}
