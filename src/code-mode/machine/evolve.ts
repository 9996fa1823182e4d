/** How the facts of code cells change what a session keeps of them. */
import {
  ASKED_KEPT,
  type AskedPerson,
  type CodeModeEvent,
  type CodeModeState,
  ENDED_CELLS_KEPT,
  type WaitingCell,
} from "../protocol/state.ts";

export const NO_CELLS: CodeModeState = {};

export function evolveCodeMode(state: CodeModeState, event: CodeModeEvent): CodeModeState {
  switch (event.type) {
    case "cell.suspended":
      return { ...state, cells: [...without(state, event.cell.runId), event.cell] };
    case "cell.resumed":
      return { ...state, cells: (state.cells ?? []).map((cell) => (cell.runId === event.runId ? atWork(cell) : cell)) };
    case "cell.ended": {
      const { runId, as } = event;
      const ended = [...(state.ended ?? []).filter((one) => one.runId !== runId), { runId, as }].slice(
        -ENDED_CELLS_KEPT,
      );
      return { ...state, cells: without(state, runId), ended };
    }
    case "run.began":
      return begun(state);
    case "run.follows":
      return { ...state, another: true };
    case "person.asked": {
      const { asked } = event;
      return {
        ...state,
        asked: [...(state.asked ?? []).filter(({ id }) => id !== asked.id), asked].slice(-ASKED_KEPT),
      };
    }
    case "person.decided": {
      const { id, decided } = event;
      return { ...state, asked: (state.asked ?? []).map((one) => (isAbout(one, id) ? { ...one, decided } : one)) };
    }
  }
}

/** The decision on a plan names its approval, the answer to a question the question. */
export const isAbout = (asked: AskedPerson, id: string): boolean => asked.id === id || asked.approvalId === id;

function begun({ another: _another, run = 0, ...rest }: CodeModeState): CodeModeState {
  return { ...rest, run: run + 1 };
}

const without = ({ cells = [] }: CodeModeState, runId: string): WaitingCell[] =>
  cells.filter((cell) => cell.runId !== runId);
const atWork = (cell: WaitingCell): WaitingCell => ({ ...cell, status: "running" });
