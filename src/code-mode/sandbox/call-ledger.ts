/** The calls of one cell: asked of the host, answered in batches, and what is known of each at the end. */
import type { CallAnswer, CallReceipt, CallRequest, CellHost } from "./sandbox.ts";
import type { Answer, RequestsMessage } from "./call-texts.ts";
import type { KeptCalls, OutcomeMessage } from "./worker-messages.ts";

const RECEIPTS_MAX = 256;
/** Of one answer, on its way in. */
const ANSWER_CHARS_MAX = 4 * 1_024 * 1_024;
/** Of one message; what comes behind it is another. */
const BATCH_CHARS_MAX = 2 * ANSWER_CHARS_MAX;
const BROKEN_CALL: CallAnswer = { ok: false, json: '"The call failed inside of the gateway."' };

export type Batch = { answers: Answer[]; parked: string[] };
type Answered = { answer: Answer; batch: number };

export type CallLedger = {
  /** `arrived`: how many batches of answers the program has by now. */
  take(requests: RequestsMessage, arrived: number): void;
  /** Calls made before a suspension that nobody has answered yet. */
  await(callIds: readonly string[]): void;
  receipts(queued: OutcomeMessage["queued"]): CallReceipt[];
  /** What is kept with a suspended machine that waits for these. */
  kept(asked: readonly string[]): KeptCalls;
  close(): void;
};

export type LedgerParts = { host: CellHost; kept: KeptCalls | undefined; send(batch: Batch): void };

export function createCallLedger({ host, kept, send }: LedgerParts): CallLedger {
  const receipts = new Map<string, CallReceipt>((kept?.receipts ?? []).map((one) => [one.callId, { ...one }]));
  const requests = new Map<string, CallRequest>((kept?.pending ?? []).map((one) => [one.callId, one]));
  /** Until the program has them: what arrives while its machine is packed is kept beside it. */
  const answered = new Map<string, Answered>();
  const batches = answerBatches(send, kept === undefined ? 0 : 1); // a resumed program begins with one
  let isClosed = false;

  function settle(callId: string, answer: CallAnswer): void {
    if (isClosed) return;
    if ("parked" in answer) return batches.park(callId);
    const receipt = receipts.get(callId);
    if (receipt !== undefined) receipt.state = answer.ok ? "ok" : "error";
    requests.delete(callId);
    const made: Answer = [callId, answer.ok, cutAnswer(answer.json)];
    answered.set(callId, { answer: made, batch: batches.add(made) });
  }
  const follow = (callId: string, answer: Promise<CallAnswer>): void =>
    void answer.then(
      (given) => settle(callId, given),
      () => settle(callId, BROKEN_CALL),
    );
  return {
    take(list, arrived) {
      for (const [callId, one] of answered) if (one.batch <= arrived) answered.delete(callId);
      for (const [callId, method, target, argsJson] of list) {
        const request: CallRequest = { callId, method, target, argsJson };
        requests.set(callId, request);
        noteLatest(receipts, { callId, method, target, state: "started" });
        follow(callId, host.call(request));
      }
    },
    await(callIds) {
      for (const callId of callIds) follow(callId, host.answerOf(callId));
    },
    receipts: (queued) => [...receipts.values(), ...queued.map(notStarted)].slice(-RECEIPTS_MAX),
    kept: (asked) => ({
      receipts: [...receipts.values()],
      pending: asked.flatMap((callId) => requests.get(callId) ?? []),
      undelivered: asked.flatMap((callId) => {
        const made = answered.get(callId);
        return made === undefined ? [] : [made.answer];
      }),
    }),
    close() {
      isClosed = true;
      batches.close();
    },
  };
}

function noteLatest(receipts: Map<string, CallReceipt>, receipt: CallReceipt): void {
  receipts.set(receipt.callId, receipt);
  if (receipts.size <= RECEIPTS_MAX) return;
  const [oldest] = receipts.keys();
  if (oldest !== undefined) receipts.delete(oldest);
}

/** Answers that come in one go are one message, unless they are large. */
function answerBatches(send: LedgerParts["send"], before: number) {
  let batch: Batch | undefined;
  let chars = 0;
  let sent = before;
  function current(): Batch {
    if (batch !== undefined) return batch;
    const begun: Batch = { answers: [], parked: [] };
    batch = begun;
    chars = 0;
    queueMicrotask(() => {
      if (batch === begun) flush();
    });
    return begun;
  }
  function flush(): void {
    const full = batch;
    batch = undefined;
    if (full === undefined) return;
    if (full.answers.length > 0) sent += 1;
    send(full);
  }
  return {
    /** The number of the batch that it is in. */
    add(answer: Answer): number {
      current().answers.push(answer);
      const number = sent + 1;
      chars += answer[2].length;
      if (chars > BATCH_CHARS_MAX) flush();
      return number;
    },
    park: (callId: string) => void current().parked.push(callId),
    close(): void {
      batch = undefined;
    },
  };
}

const notStarted = ([callId, method, target]: OutcomeMessage["queued"][number]): CallReceipt => ({
  callId,
  method,
  target,
  state: "not_started",
});

/** An answer that is too large arrives as the beginning of its text. */
const cutAnswer = (json: string): string =>
  json.length <= ANSWER_CHARS_MAX
    ? json
    : JSON.stringify(
        `${json.slice(0, ANSWER_CHARS_MAX)} [cut: ${json.length - ANSWER_CHARS_MAX} more characters]`.toWellFormed(),
      );
