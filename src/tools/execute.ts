/** Runs one prepared call to its end, whatever the tool does: every way out is a result, and none lasts for ever. */
import type { Clock } from "../plugins/sessions.ts";
import type { Permit, ToolContext, ToolOutput } from "../plugins/tool.ts";
import { RunnerEnded } from "../runner/runner.ts";
import { NotStarted, PermitRefused } from "./permit.ts";
import type { PreparedCall, RegisteredTool } from "./registry.ts";
import { type CallResult, failed, toResult } from "./tool-result.ts";

/** Longer than any tool's own limit; a tool that reaches it has hung. */
export const CALL_MS_MAX = 15 * 60_000;
/** How long a stopped tool may take to end before its call is given up. */
export const STOP_MS_MAX = 2_000;

export type Execution = {
  tool: RegisteredTool;
  prepared: PreparedCall;
  context: ToolContext;
  permit: Permit | undefined;
};

export async function execute(
  { tool, prepared, context, permit }: Execution,
  { clock, report }: { clock: Clock; report(error: unknown): void },
): Promise<CallResult> {
  const wanted = { charsMax: tool.resultCharsMax, asFields: isProgram(context) };
  const hung = new AbortController();
  const signal = AbortSignal.any([context.signal, hung.signal]);
  const callOff = clock.wakeAt(clock.now() + CALL_MS_MAX, () => hung.abort());
  const given = givenUp(signal, clock);
  try {
    if (permit !== undefined && signal.aborted) throw new NotStarted("it was stopped before it began");
    const output = await Promise.race([prepared.run({ ...context, signal }, permit), given.up]);
    return output === undefined ? abandoned(tool, prepared) : toResult(output, wanted);
  } catch (error) {
    if (error instanceof PermitRefused) throw error; // the gate was bypassed: a bug, not a result of the tool
    if (error instanceof NotStarted) return failed(`${tool.name} was not run: ${error.message}.`);
    if (error instanceof RunnerEnded && prepared.effect !== "read") return outcomeUnknown(tool, error);
    if (!signal.aborted) report(error);
    return failed(`${tool.name} ${signal.aborted ? "was stopped" : `failed: ${messageOf(error)}`}`);
  } finally {
    callOff();
    given.callOff();
  }
}

const isProgram = ({ caller }: ToolContext): boolean => caller?.kind === "cell";

function outcomeUnknown(tool: RegisteredTool, error: RunnerEnded): CallResult {
  const content = `The process that ran ${tool.name} is gone: ${error.message}. Whether it took effect is unknown: look before you repeat it.`;
  return { status: "unknown", content };
}

function abandoned(tool: RegisteredTool, { effect }: PreparedCall): CallResult {
  if (effect === "read") return failed(`${tool.name} was stopped.`);
  return {
    status: "unknown",
    content: `${tool.name} was stopped and did not answer. Whether it took effect is unknown: look before you repeat it.`,
  };
}

/** Settles some time after the signal: a tool that ignores it is not waited for. */
function givenUp(signal: AbortSignal, clock: Clock): { up: Promise<ToolOutput | undefined>; callOff(): void } {
  const { promise: up, resolve } = Promise.withResolvers<undefined>();
  let callOff: (() => void) | undefined;
  const arm = (): void => {
    callOff = clock.wakeAt(clock.now() + STOP_MS_MAX, () => resolve(undefined));
  };
  if (signal.aborted) arm();
  else signal.addEventListener("abort", arm, { once: true });
  return { up, callOff: () => callOff?.() };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
