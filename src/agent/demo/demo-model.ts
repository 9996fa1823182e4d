/**
 * The demo agent (RT-02): no model, a script that decides from the transcript alone. It really reads, asks, plans, waits,
 * edits and verifies, and it says in its first words what it is.
 */
import type { Model, ModelPart, ModelRequest } from "../model.ts";
import { planMove } from "./plan-moves.ts";
import { currentStatus, type Made, type Move, reasonOf, say, type View, viewOf } from "./view.ts";
import { workMove } from "./work-moves.ts";

/** More than the longest way through a plan; a script that needs more goes in circles. */
const CALLS_PER_TURN_MAX = 60;
const LABEL = "[scripted demo] ";
const WHO =
  "I am Holdpoint's demo agent: a script, no language model. I can play one small cycle for real, from looking around to a file that changes only after you approve. ";

/** `pause` spaces the words out for people who watch; without it they come at once. */
export function createDemoModel({ pause }: { pause?: (signal: AbortSignal) => Promise<void> } = {}): Model {
  return {
    id: "demo",
    scripted: true,
    async *stream(request): AsyncGenerator<ModelPart> {
      const view = viewOf(request);
      const move = nextMove(view);
      for (const delta of words(spoken(move, view))) {
        if (request.signal.aborted) return;
        yield { type: "text", delta };
        await pause?.(request.signal);
      }
      for (const [index, { tool, args }] of move.calls.entries()) {
        yield { type: "call", call: { callId: callIdFor(request, view, index), tool, args } };
      }
      yield { type: "end", reason: move.calls.length > 0 ? "calls" : "stop" };
    },
  };
}

const words = (text: string): string[] => text.match(/\S+\s*/g) ?? [];

function spoken({ text }: Move, { first, fresh }: View): string {
  if (first) return `${LABEL}${WHO}${text}`;
  return fresh ? `${LABEL}${text}` : text;
}

/** The same request always gets the same ids. */
const callIdFor = ({ turnId }: ModelRequest, { mine }: View, index: number): string =>
  `${turnId}.${mine.length + index + 1}`;

function nextMove(view: View): Move {
  const last = view.mine.at(-1);
  if (!view.tools.has("plan_mode_status")) return say(NO_PLAN_MODE);
  if (view.mine.length >= CALLS_PER_TURN_MAX) return say("I am going in circles, so I stop here.");
  if (last?.call.tool === "plan_mode_status" && last.status !== "ok") {
    return say(`I cannot see which mode we are in: ${reasonOf(last)}`);
  }
  const status = currentStatus(view);
  if (status === undefined) return lookUp(last);
  const refused = view.mine.find((item) => item.status === "refused");
  if (refused !== undefined && status.mode !== "executing") {
    return say(status.mode === "plan" ? `So I change nothing. ${PLAN_FIRST}` : "So I leave everything as it is.");
  }
  switch (status.mode) {
    case "plan":
      return planMove(view, status);
    case "executing":
      return workMove(view, status);
    case "normal":
      return say(PLAN_MODE_OFF);
  }
}

function lookUp(last: Made | undefined): Move {
  const why = last?.status === "refused" ? `Refused: ${reasonOf(last)} ` : "";
  return { text: `${why}I look up where we stand.`, calls: [{ tool: "plan_mode_status", args: {} }] };
}

const PLAN_FIRST = "Tell me what you would like noted down, and I look around and show you a plan first.";
const NO_PLAN_MODE =
  "Plan mode is switched off in the configuration, and without it I only talk. Set agents.defaults.planMode.enabled to true (holdpoint config set agents.defaults.planMode.enabled true), then type /plan on and tell me what you would like noted down.";
const PLAN_MODE_OFF =
  "Plan mode is off in this session, and then I only talk. Type /plan on, then tell me what you would like noted down: I will look around, ask you one question and show you a plan before I touch anything.";
