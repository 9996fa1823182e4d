/** What a command answers when it cannot do what was asked: what is wrong, what to do, and with which exit code. */
import { ConfigError, TYPED_PATH } from "../config/config-error.ts";
import type { Refusal, RefusalCode } from "../protocol/refusal.ts";
import { EXIT_CODES, type ExitName } from "./exit-codes.ts";

export class CliError extends Error {
  override readonly name = "CliError";
  readonly exit: ExitName;
  /** What to do about it; empty where the message says it all. */
  readonly advice: string;
  /** The gateway's own code, where it was the gateway that refused. */
  readonly code: string;

  constructor(problem: { exit: ExitName; message: string; advice?: string; code?: string; cause?: unknown }) {
    super(problem.message, { cause: problem.cause });
    this.exit = problem.exit;
    this.advice = problem.advice ?? "";
    this.code = problem.code ?? problem.exit;
  }
}

const EXITS: Partial<Record<RefusalCode, ExitName>> = {
  UNAUTHENTICATED: "notAuthorised",
  FORBIDDEN: "notAuthorised",
  PERMISSION_DENIED: "notAuthorised",
  CONFIG_INVALID: "configInvalid",
  STORE_UNAVAILABLE: "storeUnusable",
  STORE_FULL: "storeUnusable",
  APPROVAL_NOT_PENDING: "nothingToDecide",
  APPROVAL_STALE: "nothingToDecide",
  APPROVAL_ALREADY_DECIDED: "nothingToDecide",
  APPROVAL_EXPIRED: "nothingToDecide",
  QUESTION_NOT_PENDING: "nothingToDecide",
  QUESTION_STALE: "nothingToDecide",
  PLAN_NOT_ACTIVE: "nothingToDecide",
  INVALID_REQUEST: "usage",
  COMMAND_USAGE: "usage",
};

const ADVICE: Partial<Record<RefusalCode, string>> = {
  UNAUTHENTICATED: "Use the token of this gateway's home folder, or make a new one with: holdpoint tokens create",
  FORBIDDEN: "Use a token that has this scope: holdpoint tokens list",
  SESSION_NOT_FOUND: "See which there are with: holdpoint sessions list",
  PLAN_MODE_DISABLED: "Turn it on with: holdpoint config set agents.defaults.planMode.enabled true",
};

export function refusedError({ code, message }: Refusal): CliError {
  return new CliError({ exit: EXITS[code] ?? "failed", message, advice: ADVICE[code] ?? "", code });
}

/** Whatever a command threw, as something that can be told to a person. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof ConfigError) return configProblem(error);
  if (error instanceof Error && "syscall" in error && error.syscall === "listen") return listenProblem(error);
  const message = error instanceof Error ? error.message : String(error);
  const isStore = error instanceof Error && error.name === "StoreError";
  return new CliError({ exit: isStore ? "storeUnusable" : "failed", message, cause: error });
}

function listenProblem(error: Error): CliError {
  const place =
    "address" in error && "port" in error ? `${String(error.address)}:${String(error.port)}` : "the address";
  const code = "code" in error ? String(error.code) : "LISTEN_FAILED";
  const message =
    code === "EADDRINUSE"
      ? `Another program uses ${place} already.`
      : `The gateway cannot listen on ${place} (${code}).`;
  const advice =
    "Choose another port: holdpoint start --port 4748, or for good: holdpoint config set gateway.port 4748";
  return new CliError({ exit: "failed", message, advice, code, cause: error });
}

/** A setting that was typed wrongly is the command line's fault; everything else is the file's. */
function configProblem(error: ConfigError): CliError {
  const isTyped = error.problems.every(({ source }) => source === TYPED_PATH);
  if (isTyped) {
    const message = error.problems.map((problem) => problem.message).join("\n");
    return new CliError({
      exit: "usage",
      message,
      advice: "See the settings with: holdpoint config get",
      code: "USAGE",
    });
  }
  const advice = "Correct the configuration, then run it again. Its place: holdpoint config path";
  return new CliError({ exit: "configInvalid", message: error.message, advice, code: "CONFIG_INVALID", cause: error });
}

export const exitCodeOf = (error: CliError): number => EXIT_CODES[error.exit].code;
