/** One cell as the gateway holds it while it runs in the sandbox's process: its output, its calls, its end. */
import { type Batch, createCallLedger } from "./call-ledger.ts";
import { answersText, readRequests } from "./call-texts.ts";
import type { CellLimits } from "./cell-limits.ts";
import type { HostConnection } from "./host-connection.ts";
import { limitOutput } from "./limit-output.ts";
import type { CellHost, CellIdentity, CellOutcome, ErrorCode, OutputItem } from "./sandbox.ts";
import { seal } from "./seal.ts";
import { KINDS, type Message, messageBytes } from "./message-bytes.ts";
import { type KeptCalls, OutcomeMessage, readOutput } from "./worker-messages.ts";

/** Beyond its time limit and what packing may take, the process itself is taken to hang. */
const HANGS_MS = 6_000;

export type OpenCell = CellIdentity & {
  number: number;
  limits: CellLimits;
  key: Uint8Array;
  connection: HostConnection;
  host: CellHost;
  /** The message that begins it. */
  first: Uint8Array;
  /** Of a resumed run: its calls, and those of them that are owed an answer. */
  before?: { kept: KeptCalls; owed: readonly string[] };
};

/** Resolves when it is over for this time. */
export function openCell(order: OpenCell): Promise<CellOutcome> {
  const { number: cell, connection, host, limits } = order;
  const { promise, resolve } = Promise.withResolvers<CellOutcome>();
  const startedAtMs = performance.now();
  const output: OutputItem[] = [];
  const calls = createCallLedger({
    host,
    kept: order.before?.kept,
    send: (batch) => sendBatch(batch, order),
  });
  const fail = (code: ErrorCode, error: string): void =>
    end({ status: "failed", code, error, cutChars: 0, queued: [], asked: [] });
  const abort = (): void => {
    connection.send(messageBytes({ cell, kind: KINDS.abort }));
    fail("aborted", "The cell was aborted.");
  };
  let hangs: NodeJS.Timeout | undefined;
  function watch(): void {
    clearTimeout(hangs);
    hangs = setTimeout(() => {
      fail("timeout", "The program ran longer than its time limit.");
      void connection.end();
    }, limits.timeoutMs + HANGS_MS);
  }

  function end(outcome: OutcomeMessage, machine?: Uint8Array): void {
    clearTimeout(hangs);
    host.signal.removeEventListener("abort", abort);
    connection.close(cell);
    calls.close();
    resolve(cellOutcome({ order, outcome, output, calls, machine, ms: performance.now() - startedAtMs }));
  }
  function take({ kind, number, text, bytes }: Message): void {
    if (kind === KINDS.calls) calls.take(readRequests(text), number);
    else if (kind === KINDS.queued) clearTimeout(hangs); // others have the workers: its time has not begun
    else if (kind === KINDS.begun) watch();
    else if (kind === KINDS.outcome) end(OutcomeMessage.parse(JSON.parse(text)), bytes);
    else if (kind === KINDS.output) {
      const item = readOutput(text);
      output.push(item);
      host.output?.(item);
    }
  }
  connection.open(cell, { message: take, over: (why) => fail("internal_error", `The sandbox ended: ${why}.`) });
  host.signal.addEventListener("abort", abort, { once: true });
  watch();
  connection.begin(cell, order.first);
  if (host.signal.aborted) abort();
  calls.await(order.before?.owed ?? []);
  return promise;
}

function sendBatch({ answers, parked }: Batch, { number: cell, connection }: OpenCell): void {
  if (parked.length > 0)
    connection.answer(cell, messageBytes({ cell, kind: KINDS.parked, text: JSON.stringify(parked) }));
  if (answers.length > 0)
    connection.answer(cell, messageBytes({ cell, kind: KINDS.answers, bytes: answersText(answers) }));
}

type Ending = {
  order: OpenCell;
  outcome: OutcomeMessage;
  output: OutputItem[];
  calls: Pick<ReturnType<typeof createCallLedger>, "kept" | "receipts">;
  machine: Uint8Array | undefined;
  ms: number;
};

function cellOutcome({ order, outcome, output, calls, machine, ms }: Ending): CellOutcome {
  const { limits, key, connection } = order;
  const valueJson = outcome.status === "completed" ? outcome.valueJson : "";
  const limited = limitOutput(output, { cutChars: outcome.cutChars, bytesMax: limits.maxOutputBytes, valueJson });
  const timersCancelled = outcome.status === "completed" ? outcome.timersCancelled : 0;
  const rest = {
    output: limited.output,
    calls: calls.receipts(outcome.queued),
    stats: { ms, timersCancelled, outputCharsCut: limited.charsCut },
  };
  if (outcome.status === "completed") return { status: "completed", valueJson, ...rest };
  if (outcome.status === "failed") {
    const { error, code } = outcome;
    return { status: "failed", error, ...(code === undefined ? {} : { code }), ...rest };
  }
  const kept = calls.kept(outcome.asked);
  const place = { runId: order.runId, sessionId: order.sessionId, ...connection.build };
  const snapshot = seal(key, place, { text: JSON.stringify(kept), machine: machine ?? new Uint8Array(0) });
  if (snapshot.length > limits.maxSnapshotBytes) {
    const error = `The suspended program takes ${snapshot.length} bytes; ${limits.maxSnapshotBytes} may be kept.`;
    return { status: "failed", code: "snapshot_limit_exceeded", error, ...rest };
  }
  return { status: "suspended", reason: outcome.reason, snapshot, pending: kept.pending, ...rest };
}
