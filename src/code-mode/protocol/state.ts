/**
 * What a session keeps of its code cells: those that wait, and what people answered to what they asked. The program itself
 * is a snapshot in the store (`api.blobs`), under the id of the run.
 *
 *   running ──exec · wait──▶ waiting ──wait──▶ running ──▶ completed · failed · aborted
 *                              └── kept long enough ──▶ expired
 */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { CallerId } from "../../protocol/ids.ts";

/** Cells of one session that wait at a time. */
export const WAITING_CELLS_MAX = 8;
/** Of one gateway. */
export const WAITING_CELLS_ALL_MAX = 64;
export const ENDED_CELLS_KEPT = 16;
export const ASKED_KEPT = 16;
const ANSWER_CHARS_MAX = 20_000;

export const RUN_ID = /^cell_[A-Za-z0-9_-]{22}$/;
const RunId = z.string().regex(RUN_ID);

export const WaitingCell = z.strictObject({
  runId: RunId,
  /** Whose calls are its; absent while it has made none. */
  callerId: CallerId.exactOptional(),
  /** The run of the session that it belongs to. */
  run: z.int().nonnegative(),
  status: z.enum(["waiting", "running"]),
  keptUntilMs: z.int(),
  bytes: z.int().nonnegative(),
});
export type WaitingCell = z.infer<typeof WaitingCell>;

export const CellEnd = z.enum(["completed", "failed", "expired", "aborted"]);
export type CellEnd = z.infer<typeof CellEnd>;

const Decided = z.strictObject({
  /** Whether what was asked for is allowed, or the plan approved; absent of a plain question. */
  allowed: z.boolean().exactOptional(),
  /** In words. */
  answer: z.string().max(ANSWER_CHARS_MAX).exactOptional(),
  optionId: z.string().max(64).nullable().exactOptional(),
  /** Why there is no answer. */
  closed: z.string().max(64).exactOptional(),
});
export type Decided = z.infer<typeof Decided>;

/** Something that a person was asked while code mode was on. */
export const AskedPerson = lazySchema(() =>
  z.strictObject({
    id: z.string().max(128),
    about: z.enum(["question", "call", "plan"]),
    /** Of a call: its tool. */
    tool: z.string().max(128).exactOptional(),
    /** Of a plan: what its decision names. */
    approvalId: z.string().max(128).exactOptional(),
    decided: Decided.exactOptional(),
  }),
);
export type AskedPerson = z.infer<typeof AskedPerson>;

/** What is absent is empty: a session without code mode stores nothing of it. */
export const CodeModeState = lazySchema(() =>
  z.strictObject({
    /** Counts what people began: a restart, an approval or an answer goes on with a run, a new message begins one. */
    run: z.int().nonnegative().exactOptional(),
    /** A message came while a turn ran: the next turn is another run. */
    another: z.literal(true).exactOptional(),
    cells: z.array(WaitingCell).max(WAITING_CELLS_MAX).exactOptional(),
    ended: z
      .array(z.strictObject({ runId: RunId, as: CellEnd }))
      .max(ENDED_CELLS_KEPT)
      .exactOptional(),
    asked: z.array(AskedPerson).max(ASKED_KEPT).exactOptional(),
  }),
);
export type CodeModeState = z.infer<typeof CodeModeState>;

export const CodeModeCommand = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("suspend"), cell: WaitingCell.omit({ status: true, run: true }), run: z.int() }),
    z.strictObject({ type: z.literal("resume"), runId: z.string() }),
    z.strictObject({ type: z.literal("end"), runId: RunId, as: CellEnd }),
  ]),
);
export type CodeModeCommand = z.infer<typeof CodeModeCommand>;

export type CodeModeEvent =
  | { type: "cell.suspended"; cell: WaitingCell }
  | { type: "cell.resumed"; runId: string }
  | { type: "cell.ended"; runId: string; as: CellEnd }
  | { type: "run.began" }
  | { type: "run.follows" }
  | { type: "person.asked"; asked: Omit<AskedPerson, "decided"> }
  | { type: "person.decided"; id: string; decided: Decided };
