/** Cells of code mode in a real sandbox, with a host whose answers a test gives. */
import { createSandbox } from "../../src/code-mode/sandbox/create-sandbox.ts";
import { type CellLimits, clampCellLimits } from "../../src/code-mode/sandbox/cell-limits.ts";
import {
  type CallAnswer,
  type CallRequest,
  type CellBindings,
  type CellHost,
  type CellOutcome,
  NO_BINDINGS,
  type ResumedCellOrder,
  type Sandbox,
} from "../../src/code-mode/sandbox/sandbox.ts";
import { launchProgram } from "../../src/plugins/isolated/launch-program.ts";
import type { Json } from "../../src/protocol/json.ts";

const CELL_KEY = new Uint8Array(32).fill(9);

export const ok = (value: Json): CallAnswer => ({ ok: true, json: JSON.stringify(value) });
export const refused = (text: string): CallAnswer => ({ ok: false, json: JSON.stringify(text) });

export type Given = Partial<CellLimits> & {
  language?: string;
  bindings?: Partial<CellBindings>;
  host?: Partial<CellHost>;
  call?(request: CallRequest): CallAnswer | Promise<CallAnswer>;
};

/** A host that has no tools, unless the test answers. */
export function cellHost({ host = {}, call = () => refused("There is no such tool.") }: Given = {}): CellHost {
  return {
    call: async (request) => call(request),
    answerOf: async () => ({ parked: true }),
    signal: new AbortController().signal,
    ...host,
  };
}

export type CellWorld = {
  sandbox: Sandbox;
  run(code: string, given?: Given): Promise<CellOutcome>;
  /** The value of a cell that must complete. */
  value(code: string, given?: Given): Promise<Json>;
  /** Error and code of a cell that must fail. */
  failure(code: string, given?: Given): Promise<{ error: string; code: string | undefined }>;
  resume(order: Partial<ResumedCellOrder> & Pick<ResumedCellOrder, "snapshot">, given?: Given): Promise<CellOutcome>;
};

export function cellWorld(options: { idleMs?: number; lanes?: number } = {}): CellWorld {
  const sandbox = createSandbox({ processes: { launch: launchProgram }, key: CELL_KEY, ...options });
  const ids = { runId: "run_1", sessionId: "ses_1" };
  const run = (code: string, given: Given = {}): Promise<CellOutcome> =>
    sandbox.run(
      {
        ...ids,
        code,
        language: given.language ?? "javascript",
        bindings: { ...NO_BINDINGS, ...given.bindings },
        limits: clampCellLimits(given),
      },
      cellHost(given),
    );
  return {
    sandbox,
    run,
    async value(code, given) {
      const outcome = await run(code, given);
      if (outcome.status !== "completed") throw new Error(`it did not complete: ${JSON.stringify(outcome)}`);
      const value: Json = JSON.parse(outcome.valueJson);
      return value;
    },
    async failure(code, given) {
      const outcome = await run(code, given);
      if (outcome.status !== "failed") throw new Error(`it did not fail: ${JSON.stringify(outcome)}`);
      return { error: outcome.error, code: outcome.code };
    },
    resume: (order, given = {}) =>
      sandbox.resume({ ...ids, answers: [], limits: clampCellLimits(given), ...order }, cellHost(given)),
  };
}
