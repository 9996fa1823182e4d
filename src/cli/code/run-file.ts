/**
 * `holdpoint code run`: a file as a cell of code mode, without a gateway and without tools. With a session it is the gateway that
 * runs it, and the session's tools are there.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { newCounts, telemetryOf } from "../../code-mode/cells/telemetry.ts";
import { type CellLimits, clampCellLimits } from "../../code-mode/sandbox/cell-limits.ts";
import { createSandbox } from "../../code-mode/sandbox/create-sandbox.ts";
import {
  type CallMethod,
  type CellHost,
  type CellOutcome,
  type ErrorCode,
  NO_BINDINGS,
  type OutputItem,
} from "../../code-mode/sandbox/sandbox.ts";
import { launchProgram } from "../../plugins/isolated/launch-program.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import { sessionIdOf } from "../chat/choose-session.ts";
import { asCliError, CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { withGateway } from "../gateway-link.ts";

export type RunFileOptions = { language?: string; timeoutMs?: string; memoryMb?: string; session?: string };

const KEY_BYTES = 32;
const BYTES_PER_MB = 1_048_576;
const CODE_BYTES_MAX = 1_048_576;
const LANGUAGES = new Map([
  ["js", "javascript"],
  ["javascript", "javascript"],
  ["ts", "typescript"],
  ["typescript", "typescript"],
]);

export async function runFile(file: string, options: RunFileOptions, context: CommandContext): Promise<number> {
  const order = await ordered(file, options, context.cwd);
  if ("problem" in order) return refuse(order, context);
  if (options.session !== undefined) return lent(options.session, order, context);
  const runId = `cell_${randomUUID()}`;
  const sandbox = createSandbox({ processes: { launch: launchProgram }, key: randomBytes(KEY_BYTES) });
  try {
    const outcome = await sandbox.run({ ...order, runId, sessionId: "", bindings: NO_BINDINGS }, NO_TOOLS);
    context.output.document(resultOf(outcome, runId));
    if (!context.output.json) print(outcome, context);
    return EXITS[outcome.status];
  } finally {
    await sandbox.stop();
  }
}

/** Where it cannot even be asked for, a program still reads one object; a person reads the error. */
async function lent(session: string, order: Ordered, context: CommandContext): Promise<number> {
  try {
    return await runWithTools(session, order, context);
  } catch (error) {
    const problem = asCliError(error);
    const isInput = problem.exit === "usage" || problem.code === "SESSION_NOT_FOUND";
    context.output.document(failedWith(isInput ? "invalid_input" : "runtime_unavailable", problem.message));
    throw problem;
  }
}

async function runWithTools(session: string, order: Ordered, context: CommandContext): Promise<number> {
  const { code, language, given } = order;
  const sessionId = sessionIdOf(session);
  return withGateway(context.env, async (link) => {
    const answer = await link.call("code.run", { sessionId, code, language, ...given });
    const result = LentResult.parse(answer.result);
    context.output.document(answer.result);
    if (!context.output.json) print(outcomeOf(result), context);
    return EXITS[result.status === "waiting" ? "suspended" : result.status];
  });
}

/** What a person is shown of it; a program gets all of it. */
const LentResult = z.object({
  status: z.enum(["completed", "failed", "waiting"]),
  value: z.json().optional(),
  error: z.string().optional(),
  code: z.string().optional(),
  reason: z.string().optional(),
  output: z
    .array(
      z.union([
        z.object({ type: z.literal("text"), text: z.string() }),
        z.object({ type: z.literal("json"), value: z.json() }),
      ]),
    )
    .default([]),
});

function outcomeOf({ status, value, error = "", code, reason = "", output }: z.output<typeof LentResult>): Printed {
  if (status === "completed") return { status, output, valueJson: JSON.stringify(value) };
  return status === "waiting" ? { status: "suspended", output, reason } : { status, output, error, code };
}

const EXITS: Readonly<Record<CellOutcome["status"], number>> = {
  completed: EXIT_CODES.ok.code,
  failed: EXIT_CODES.failed.code,
  suspended: EXIT_CODES.waiting.code,
};

/** Nobody is there to answer; a search finds nothing. */
const NO_TOOLS: CellHost = {
  call: async ({ method }) =>
    method === "search" ? { ok: true, json: "[]" } : { ok: false, json: '"There is no such tool."' },
  answerOf: async () => ({ parked: true }),
  signal: new AbortController().signal,
};

/** `given`: what was asked for, where it differs from the settings. */
type Ordered = { code: string; language: string; limits: CellLimits; given: Partial<CellLimits> };
type Problem = { problem: string; code: ErrorCode };

async function ordered(file: string, options: RunFileOptions, cwd: string): Promise<Ordered | Problem> {
  const language = LANGUAGES.get(options.language ?? (/\.(?:[cm]?ts|tsx)$/.test(file) ? "ts" : "js"));
  if (language === undefined)
    return {
      problem: `There is no language ${options.language ?? ""}: choose js or ts.`,
      code: "unsupported_language",
    };
  const timeoutMs = numberIn(options.timeoutMs);
  const memoryMb = numberIn(options.memoryMb);
  if (timeoutMs === "none") return { problem: "--timeout-ms needs a whole number.", code: "invalid_input" };
  if (memoryMb === "none") return { problem: "--memory-mb needs a whole number.", code: "invalid_input" };
  const memoryLimitBytes = memoryMb === undefined ? undefined : memoryMb * BYTES_PER_MB;
  const limits = clampCellLimits({ timeoutMs, memoryLimitBytes });
  const given = {
    ...(timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
    ...(memoryMb === undefined ? {} : { memoryLimitBytes: limits.memoryLimitBytes }),
  };
  const code = await readText(resolve(cwd, file)).catch(() => undefined);
  if (code === undefined) return { problem: `${file} cannot be read.`, code: "invalid_input" };
  if (code === "too large")
    return {
      problem: `${file} is larger than the ${CODE_BYTES_MAX} bytes that a program may have.`,
      code: "invalid_input",
    };
  return { code: code.text, language, limits, given };
}

/** Never more than a program may have, and a byte: what it is told to read may have no end. */
async function readText(path: string): Promise<{ text: string } | "too large"> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(CODE_BYTES_MAX + 1);
    let count = 0;
    while (count < bytes.length) {
      const { bytesRead } = await file.read(bytes, count, bytes.length - count);
      if (bytesRead === 0) return { text: bytes.toString("utf8", 0, count) };
      count += bytesRead;
    }
    return "too large";
  } finally {
    await file.close();
  }
}

const numberIn = (text: string | undefined): number | "none" | undefined => {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : "none";
};

/** Wrong before anything ran: for people a usage error, for programs the document that they expect besides. */
function refuse({ problem, code }: Problem, { output }: CommandContext): never {
  output.document(failedWith(code, problem));
  throw new CliError({ exit: "usage", message: problem, advice: "See how with: holdpoint code run --help", code });
}

/** The result as the document of code mode has it. */
function resultOf(outcome: CellOutcome, runId: string): JsonObject {
  const output: JsonObject = outcome.output.length === 0 ? {} : { output: outcome.output };
  const rest: JsonObject = { ...output, telemetry: telemetryIn(outcome) };
  if (outcome.status === "completed") return { status: "completed", value: parsed(outcome.valueJson), ...rest };
  if (outcome.status === "suspended") return { status: "waiting", runId, reason: outcome.reason, ...rest };
  const code: JsonObject = outcome.code === undefined ? {} : { code: outcome.code };
  return { status: "failed", ...code, error: outcome.error, ...rest };
}

const parsed = (json: string): Json => {
  const value: Json = JSON.parse(json);
  return value;
};

const failedWith = (code: ErrorCode, error: string): JsonObject => ({
  status: "failed",
  code,
  error,
  telemetry: { ...telemetryOf({ counts: { ...newCounts(), exec: 1 }, code }), visibleTools: [] },
});

/** As a result in a session has it; no model is shown anything here. */
function telemetryIn(outcome: CellOutcome): JsonObject {
  const count = (method: CallMethod): number => outcome.calls.filter((call) => call.method === method).length;
  const counts = { exec: 1, wait: 0, search: count("search"), describe: count("describe"), call: count("call") };
  const code = outcome.status === "failed" ? outcome.code : undefined;
  return { ...telemetryOf({ counts: { ...counts, toolIds: [] }, outcome, code }), visibleTools: [] };
}

const lineOf = (item: OutputItem): string => (item.type === "text" ? item.text : JSON.stringify(item.value));

type Printed =
  | { status: "completed"; output: OutputItem[]; valueJson: string }
  | { status: "failed"; output: OutputItem[]; error: string; code?: string | undefined }
  | { status: "suspended"; output: OutputItem[]; reason: string };

function print(outcome: Printed, { output }: CommandContext): void {
  output.lines(outcome.output.map(lineOf));
  if (outcome.status === "completed") return output.lines([outcome.valueJson]);
  const isWaiting = outcome.status === "suspended";
  const message = isWaiting ? "The program waits, and here nobody resumes it." : outcome.error;
  const code = isWaiting ? outcome.reason : (outcome.code ?? "failed");
  output.error(new CliError({ exit: isWaiting ? "waiting" : "failed", message, code }));
}
