/**
 * The port between code mode and whatever runs its cells. A cell is a hostile program; only text crosses the border.
 *
 *   run ────▶ completed · failed
 *        └──▶ suspended ──resume──▶ completed · failed · suspended   (in another worker, another process, after a restart)
 */
import type { Json } from "../../protocol/json.ts";
import type { CellLimits } from "./cell-limits.ts";

export const CELL_LANGUAGES = ["javascript", "typescript"] as const;

/** Closed: a failure of the program itself has no code. */
export const ERROR_CODES = [
  "runtime_unavailable",
  "invalid_config",
  "invalid_input",
  "unsupported_language",
  "typescript_transform_failed",
  "module_access_denied",
  "timeout",
  "memory_limit_exceeded",
  "output_limit_exceeded",
  "snapshot_limit_exceeded",
  "snapshot_expired",
  "snapshot_restore_failed",
  "too_many_pending_tool_calls",
  "nested_tool_failed",
  "aborted",
  "internal_error",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Part of a namespace as the program sees it. Keys and paths were checked by whoever made it. */
export type ScopeNode =
  | { value: Json }
  /** A function; calling it makes a request of method `namespace` with this target. */
  | { call: string }
  | { members: readonly (readonly [key: string, node: ScopeNode])[] }
  | { items: readonly ScopeNode[] }
  /** The object or array that was the so-manieth in this namespace, from 0, depth first: the very same one. */
  | { same: number };

/** What the program finds besides the language. */
export type CellBindings = {
  /** The text of `ALL_TOOLS`, parsed by the program's own side when it is first read. */
  allToolsJson: string;
  /** `tools.<name>(input)`, each with the id that it calls. Names that cannot be installed safely are left out. */
  convenience: readonly (readonly [name: string, toolId: string])[];
  /** The virtual files of `API`: path and text. */
  apiFiles: readonly (readonly [path: string, text: string])[];
  /** `MCP.<server>`. */
  mcp: readonly (readonly [server: string, node: ScopeNode])[];
  /** `<globalName>` and `namespaces.<globalName>`. */
  namespaces: readonly (readonly [globalName: string, node: ScopeNode])[];
};

export const NO_BINDINGS: CellBindings = { allToolsJson: "[]", convenience: [], apiFiles: [], mcp: [], namespaces: [] };

export type CellIdentity = { runId: string; sessionId: string };

export type Cell = CellIdentity & {
  code: string;
  /** Another word than those of `CELL_LANGUAGES` is answered with `unsupported_language`. */
  language: string;
  bindings: CellBindings;
  limits: CellLimits;
};

export type CallMethod = "search" | "describe" | "call" | "namespace";

/** One request of the program. `callId` is unique in the run, also after a resume. */
export type CallRequest = {
  callId: string;
  method: CallMethod;
  /** `call`, `describe`: the id that the program gave. `namespace`: the path of the marker. `search`: the query. */
  target: string;
  /** A JSON array of what follows the target: `call` [input], `describe` [], `search` [options], `namespace` all arguments. */
  argsJson: string;
};

/**
 * `ok`: `json` is the result. Not ok: `json` is the text of the error, as a JSON string, and the program may catch it.
 * `parked`: it will not be settled soon, as a person is asked: the cell is suspended when nothing else can go on.
 */
export type CallAnswer = { ok: boolean; json: string } | { parked: true };

export type OutputItem = { type: "text"; text: string } | { type: "json"; value: Json };

/** The gateway's side of one `run` or `resume`. */
export type CellHost = {
  /** At most `maxPendingToolCalls` at a time; the others wait inside the cell. It does not reject. */
  call(request: CallRequest): Promise<CallAnswer>;
  /** After a resume: the answer of a call that was made before and is not among the answers given. It does not reject. */
  answerOf(callId: string): Promise<CallAnswer>;
  /** Each piece of output as it comes, for those who watch; the outcome holds all of them. */
  output?(item: OutputItem): void;
  /** Aborting ends the cell at once with `aborted`. */
  signal: AbortSignal;
};

/** What became of a call that the program made, in the order in which it made them. */
export type CallReceipt = {
  callId: string;
  method: CallMethod;
  target: string;
  /** `not_started`: the host was not asked. `started`: it was, and has not answered. */
  state: "not_started" | "started" | "ok" | "error";
};

type Ended = {
  output: OutputItem[];
  /** Of the whole run, the latest 256. */
  calls: CallReceipt[];
  stats: CellStats;
};

export type CellStats = { ms: number; timersCancelled: number; outputCharsCut: number };

export type CompletedCell = Ended & { status: "completed"; valueJson: string };
export type FailedCell = Ended & { status: "failed"; error: string; code?: ErrorCode };
export type SuspendedCell = Ended & {
  status: "suspended";
  reason: "pending_tools" | "yield";
  /** Sealed for this run and session; to be kept whole and given back to `resume`. */
  snapshot: Uint8Array;
  /** Requested of the host and not answered: each is owed an answer at `resume`. Calls that wait inside are not here. */
  pending: CallRequest[];
};
export type CellOutcome = CompletedCell | FailedCell | SuspendedCell;

export type SettledCall = { callId: string; ok: boolean; json: string };

export type ResumedCellOrder = CellIdentity & {
  snapshot: Uint8Array;
  /** Calls that were answered meanwhile. For the others `host.answerOf` is asked. */
  answers: readonly SettledCall[];
  limits: CellLimits;
};

export type Sandbox = {
  /** It does not reject: what goes wrong is a failed cell with its code. */
  run(cell: Cell, host: CellHost): Promise<CellOutcome>;
  resume(order: ResumedCellOrder, host: CellHost): Promise<CellOutcome>;
  /** Starts the process ahead of the first cell; false when it cannot be started (`runtime_unavailable`). */
  warm(): Promise<boolean>;
  /** Ends the process; cells that run are aborted. */
  stop(): Promise<void>;
};
