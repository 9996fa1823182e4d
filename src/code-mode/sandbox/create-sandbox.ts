/**
 * The sandbox of this gateway: a process with workers, started at the first cell and ended when it was idle.
 *
 *   absent ──first cell · warm()──▶ up ──idle · stop() · died──▶ absent
 */
import type { GuestProcesses } from "../../plugins/sdk.ts";
import { connectHost, type HostConnection } from "./host-connection.ts";
import { openCell } from "./open-cell.ts";
import {
  type Cell,
  CELL_LANGUAGES,
  type CellHost,
  type CellOutcome,
  type ErrorCode,
  type ResumedCellOrder,
  type Sandbox,
} from "./sandbox.ts";
import { type Build, unseal } from "./seal.ts";
import { KINDS, messageBytes } from "./message-bytes.ts";
import { KeptCalls } from "./worker-messages.ts";

const IDLE_MS = 60_000;
/** Until then another cell may come, and whoever had the last one has more urgent things to do. */
const REST_MS = 20;
/** Numbers of cells fit their field. */
const NUMBER_MAX = 0xffff_ffff;

export type SandboxOptions = {
  /** Starts the process that the workers live in. */
  processes: GuestProcesses;
  /** 32 bytes that seal snapshots: whoever has another key cannot resume them. */
  key: Uint8Array;
  /** How long the process is kept without a cell. */
  idleMs?: number;
  /** How many workers have a connection of their own to the gateway. */
  lanes?: number;
};

export function createSandbox({ processes, key, idleMs = IDLE_MS, lanes }: SandboxOptions): Sandbox {
  let up: Promise<HostConnection> | undefined;
  let open = 0;
  let count = 0;
  let idle: NodeJS.Timeout | undefined;
  let resting: NodeJS.Timeout | undefined;

  function connect(): Promise<HostConnection> {
    if (up !== undefined) return up;
    const forget = (): void => {
      if (up === starting) up = undefined;
    };
    const starting = connectHost({ processes, lanes, onOver: forget });
    starting.catch(forget); // whoever asked is told; the next cell tries anew
    up = starting;
    return starting;
  }
  async function stop(): Promise<void> {
    clearTimeout(idle);
    clearTimeout(resting);
    const ending = up;
    up = undefined;
    await (await ending?.catch(() => undefined))?.end();
  }
  function rest(connection: HostConnection): void {
    clearTimeout(resting);
    resting = setTimeout(() => {
      connection.hold(false);
      clearTimeout(idle);
      idle = setTimeout(() => void (open === 0 && stop()), idleMs);
      idle.unref();
    }, REST_MS);
  }
  async function during(work: (connection: HostConnection, number: number) => Promise<CellOutcome>) {
    open += 1;
    clearTimeout(idle);
    clearTimeout(resting);
    count = count === NUMBER_MAX ? 1 : count + 1;
    const number = count;
    const connection = await connect().catch((error: unknown) => {
      open -= 1;
      return error instanceof Error ? error : new Error(String(error));
    });
    if (connection instanceof Error) return failed("runtime_unavailable", connection.message);
    try {
      const outcome = work(connection, number);
      connection.hold(true);
      return await outcome;
    } finally {
      open -= 1;
      if (open === 0) rest(connection);
    }
  }
  return {
    async run(cell, host) {
      if (!CELL_LANGUAGES.some((language) => language === cell.language))
        return failed("unsupported_language", `Cells are written in ${CELL_LANGUAGES.join(" or ")}.`);
      return during((connection, number) =>
        openCell({ ...cell, number, key, connection, host, first: runMessage(cell, number) }),
      );
    },
    resume: (order, host) => during(async (connection, number) => resumeOn({ order, host, key, connection, number })),
    async warm() {
      const connection = await connect().catch(() => undefined);
      if (connection !== undefined && open === 0) rest(connection);
      return connection !== undefined;
    },
    stop,
  };
}

function failed(code: ErrorCode, error: string): CellOutcome {
  const stats = { ms: 0, timersCancelled: 0, outputCharsCut: 0 };
  return { status: "failed", code, error, output: [], calls: [], stats };
}

function runMessage({ code, language, bindings, limits }: Cell, cell: number): Uint8Array {
  const text = JSON.stringify({ code, language, bindings, limits });
  return messageBytes({ cell, kind: KINDS.run, number: limits.timeoutMs, text });
}

type Resuming = {
  order: ResumedCellOrder;
  host: CellHost;
  key: Uint8Array;
  connection: HostConnection;
  number: number;
};

async function resumeOn({ order, host, key, connection, number }: Resuming): Promise<CellOutcome> {
  const { limits, answers } = order;
  const opened = unsealed(order, key, connection.build);
  if (opened === undefined)
    return failed("snapshot_restore_failed", "The suspended program cannot be restored: it is not one of this run.");
  const { kept, machine } = opened;
  const given = new Set(kept.pending.map(({ callId }) => callId));
  const settled = [
    ...kept.undelivered,
    ...answers.filter(({ callId }) => given.delete(callId)).map(({ callId, ok, json }) => [callId, ok, json] as const),
  ];
  const receipts = kept.receipts.map((one) => {
    const answer = answers.find(({ callId }) => callId === one.callId);
    return answer === undefined || one.state !== "started"
      ? one
      : ({ ...one, state: answer.ok ? "ok" : "error" } as const);
  });
  const text = JSON.stringify({ answers: settled, pending: [...given], limits });
  const first = messageBytes({ cell: number, kind: KINDS.resume, number: limits.timeoutMs, text, bytes: machine });
  const before = { kept: { ...kept, receipts }, owed: [...given] };
  return openCell({ ...order, number, key, connection, host, first, before });
}

function unsealed(
  { runId, sessionId, snapshot }: ResumedCellOrder,
  key: Uint8Array,
  build: Build,
): { kept: KeptCalls; machine: Uint8Array } | undefined {
  const opened = unseal(key, { runId, sessionId, ...build }, snapshot);
  return opened === undefined ? undefined : { kept: KeptCalls.parse(JSON.parse(opened.text)), machine: opened.machine };
}
