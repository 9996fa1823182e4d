/** The calls of one cell: asked of the host, answered in batches, and what is known of each at the end. */
import type { CallAnswer, CallReceipt, CallRequest, CellHost } from "./sandbox.ts";
import type { KeptCalls, OutcomeMessage, RequestsMessage } from "./worker-messages.ts";

const RECEIPTS_MAX = 256;
/** Of one answer, on its way in. */
const ANSWER_CHARS_MAX = 4 * 1_024 * 1_024;
const BROKEN_CALL: CallAnswer = { ok: false, json: '"The call failed inside of the gateway."' };

export type Answer = [callId: string, ok: boolean, json: string];
type Batch = { answers: Answer[]; parked: string[] };

export type CallLedger = {
  take(requests: RequestsMessage): void;
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
  const answered = new Map<string, Answer>();
  let batch: Batch | undefined;
  let isClosed = false;

  /** Answers that come in one go are one message. */
  function batched(): Batch {
    if (batch !== undefined) return batch;
    batch = { answers: [], parked: [] };
    queueMicrotask(() => {
      const full = batch;
      batch = undefined;
      if (full !== undefined && !isClosed) send(full);
    });
    return batch;
  }
  function settle(callId: string, answer: CallAnswer): void {
    if (isClosed) return;
    if ("parked" in answer) return void batched().parked.push(callId);
    const receipt = receipts.get(callId);
    if (receipt !== undefined) receipt.state = answer.ok ? "ok" : "error";
    const made: Answer = [callId, answer.ok, cutAnswer(answer.json)];
    answered.set(callId, made);
    batched().answers.push(made);
  }
  const follow = (callId: string, answer: Promise<CallAnswer>): void =>
    void answer.then(
      (given) => settle(callId, given),
      () => settle(callId, BROKEN_CALL),
    );
  return {
    take(made) {
      for (const [callId, method, target, argsJson] of made) {
        const request: CallRequest = { callId, method, target, argsJson };
        requests.set(callId, request);
        receipts.set(callId, { callId, method, target, state: "started" });
        follow(callId, host.call(request));
      }
    },
    await(callIds) {
      for (const callId of callIds) follow(callId, host.answerOf(callId));
    },
    receipts: (queued) => [...receipts.values(), ...queued.map(notStarted)].slice(-RECEIPTS_MAX),
    kept(asked) {
      const waited = asked.flatMap((callId) => requests.get(callId) ?? []);
      return {
        receipts: [...receipts.values()].slice(-RECEIPTS_MAX),
        pending: waited.filter(({ callId }) => !answered.has(callId)),
        undelivered: waited.flatMap(({ callId }) => {
          const made = answered.get(callId);
          return made === undefined ? [] : [made];
        }),
      };
    },
    close() {
      isClosed = true;
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
