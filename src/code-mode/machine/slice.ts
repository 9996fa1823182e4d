/** The machine of code mode in a session. Where code mode is off it says nothing, and no state is stored. */
import type { Slice } from "../../plugins/sdk.ts";
import { type CellEnd, CodeModeCommand, type CodeModeEvent, CodeModeState } from "../protocol/state.ts";
import { CODE_MODE_SLICE, CodeModeSettings } from "../settings.ts";
import { decideCodeMode } from "./decide.ts";
import { evolveCodeMode, NO_CELLS } from "./evolve.ts";
import { followPeople } from "./people.ts";

export const FORGET_SNAPSHOT = "forget-snapshot";

/** A session without settings of it is one without code mode. */
const isOn = (settings: Partial<CodeModeSettings> | undefined): boolean => settings?.enabled === true;

const allEnded = ({ cells = [] }: CodeModeState, as: CellEnd): CodeModeEvent[] =>
  cells.map(({ runId }) => ({ type: "cell.ended", runId, as }));

/** Nobody can resume a cell of the run before: it would keep its place, and its snapshot, for nothing. */
const anotherRun = (state: CodeModeState): CodeModeEvent[] => [...allEnded(state, "failed"), { type: "run.began" }];

export const codeModeSlice: Slice<CodeModeState, CodeModeCommand, CodeModeEvent, CodeModeSettings> = {
  name: CODE_MODE_SLICE,
  state: CodeModeState,
  command: CodeModeCommand,
  settings: CodeModeSettings,
  initial: NO_CELLS,
  decide: decideCodeMode,
  evolve: evolveCodeMode,
  /** The snapshot of a cell that is over is dropped, however it ended. */
  effects: (_state, event) =>
    event.type === "cell.ended"
      ? [
          {
            kind: "perform",
            order: { do: FORGET_SNAPSHOT, runId: event.runId },
            key: `${FORGET_SNAPSHOT}:${event.runId}`,
          },
        ]
      : [],
  on: {
    /** A message to an agent at rest begins a run; to one at work it begins one after this turn. */
    message(state, { settings, session }) {
      if (!isOn(settings)) return [];
      if (session.turn.status === "idle") return anotherRun(state);
      return session.turn.status === "running" ? [{ type: "run.follows" }] : [];
    },
    /** Who stops a turn stops its cells; and a turn that a message waits for is followed by another run. */
    turnEnd(state, outcome) {
      const stopped = outcome === "aborted" ? allEnded(state, "aborted") : [];
      if (state.another !== true) return stopped;
      return [...stopped, ...anotherRun(stopped.length > 0 ? {} : state)];
    },
    peerEvent: (state, fact, { settings }) => (isOn(settings) ? followPeople(state, fact) : []),
  },
};
