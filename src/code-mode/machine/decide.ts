/** What may become of a cell that waits: only the run that it belongs to resumes it, and only while it is kept. */
import { refuse, type SliceContext, type SliceDecision } from "../../plugins/sdk.ts";
import {
  type CodeModeCommand,
  type CodeModeEvent,
  type CodeModeState,
  WAITING_CELLS_MAX,
  type WaitingCell,
} from "../protocol/state.ts";
import type { CodeModeSettings } from "../settings.ts";

type Context = SliceContext<CodeModeSettings>;
type Decision = SliceDecision<CodeModeEvent>;
type CommandOf<Type extends CodeModeCommand["type"]> = Extract<CodeModeCommand, { type: Type }>;

export function decideCodeMode(state: CodeModeState, command: CodeModeCommand, context: Context): Decision {
  switch (command.type) {
    case "suspend":
      return suspend(state, command, context);
    case "resume":
      return resume(state, command, context);
    case "end":
      return { events: [{ type: "cell.ended", runId: command.runId, as: command.as }], reply: null };
  }
}

/** Those whose time is over make room. */
function suspend(state: CodeModeState, { cell, run }: CommandOf<"suspend">, { nowMs }: Context): Decision {
  const others = (state.cells ?? []).filter(({ runId }) => runId !== cell.runId);
  const over = others.filter(({ keptUntilMs }) => keptUntilMs <= nowMs);
  if (others.length - over.length >= WAITING_CELLS_MAX)
    return refuse("STORE_FULL", `A session has at most ${WAITING_CELLS_MAX} cells that wait.`);
  return {
    events: [
      ...over.map(({ runId }): CodeModeEvent => ({ type: "cell.ended", runId, as: "expired" })),
      { type: "cell.suspended", cell: { ...cell, run, status: "waiting" } },
    ],
    reply: null,
  };
}

/** The reply says what was found: an unknown cell, one of another run and one that is at work look the same. */
function resume(state: CodeModeState, { runId }: CommandOf<"resume">, { nowMs }: Context): Decision {
  const ended = state.ended?.find((one) => one.runId === runId);
  if (ended?.as === "expired" || ended?.as === "aborted") return { events: [], reply: { found: ended.as } };
  const cell = state.cells?.find((one) => one.runId === runId);
  if (cell === undefined || cell.run !== (state.run ?? 0)) return { events: [], reply: { found: "none" } };
  if (cell.keptUntilMs <= nowMs)
    return { events: [{ type: "cell.ended", runId, as: "expired" }], reply: { found: "expired" } };
  if (cell.status === "running") return { events: [], reply: { found: "running" } };
  return { events: [{ type: "cell.resumed", runId }], reply: { found: "waiting", ...callerOf(cell) } };
}

const callerOf = ({ callerId }: WaitingCell): { callerId?: string } => (callerId === undefined ? {} : { callerId });
