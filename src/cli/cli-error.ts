/** What a command answers when it cannot do what was asked: what is wrong, what to do, and with which exit code. */
import { ConfigError, TYPED_PATH } from "../config/config-error.ts";
import { StoreError } from "../gateway/open-store.ts";
import { BUNDLED_REFUSALS } from "../bundled-wording.ts";
import type { RefusalWordings } from "../protocol/localized/refusal-wording.ts";
import { REFUSAL_CODES, type Refusal, type RefusalCode } from "../protocol/refusal.ts";
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

/** Of the gateway's codes; a plugin's stand with its codes. */
const EXITS: Partial<Record<RefusalCode, ExitName>> = {
  UNAUTHENTICATED: "notAuthorised",
  FORBIDDEN: "notAuthorised",
  PERMISSION_DENIED: "notAuthorised",
  CONFIG_INVALID: "configInvalid",
  STORE_UNAVAILABLE: "storeUnusable",
  STORE_FULL: "storeUnusable",
  APPROVAL_STALE: "nothingToDecide",
  APPROVAL_EXPIRED: "nothingToDecide",
  INVALID_REQUEST: "usage",
  COMMAND_USAGE: "usage",
};

const ADVICE: Partial<Record<RefusalCode, string>> = {
  UNAUTHENTICATED:
    "On this machine, start the gateway again: it then writes a valid one. From elsewhere, set HOLDPOINT_TOKEN.",
  FORBIDDEN: "Use a token that has this scope: holdpoint tokens list",
  SESSION_NOT_FOUND: "See which there are with: holdpoint sessions list",
};

/** The gateway's advice is for programs; at the command line it is replaced by the command to type. */
const LISTED_BY_RPC = /^([\s\S]*) List them with (\w+)\.list\.$/;
const LIST_COMMANDS: Record<string, string> = { tokens: "See which there are with: holdpoint tokens list" };

export function refusedError({ code, message }: Refusal): CliError {
  const [, said = message, group = ""] = LISTED_BY_RPC.exec(message) ?? [];
  const command = LIST_COMMANDS[group] ?? "";
  const { exit, advice } = wordingOf(code);
  return new CliError({ exit: exit ?? "failed", message: said, advice: advice ?? command, code });
}

function wordingOf(code: string): { exit?: ExitName | undefined; advice?: string | undefined } {
  if (isOwn(code)) return { exit: EXITS[code], advice: ADVICE[code] };
  const wordings: RefusalWordings = BUNDLED_REFUSALS;
  return Object.hasOwn(wordings, code) ? (wordings[code] ?? {}) : {};
}

const OWN: ReadonlySet<string> = new Set(REFUSAL_CODES);
const isOwn = (code: string): code is RefusalCode => OWN.has(code);

const START_SERVER = "Start the server, or correct its address: holdpoint config get store.url";

/** Turns whatever a command threw into an error with a message for people. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof ConfigError) return configProblem(error);
  if (error instanceof StoreError && error.isUnreachable) {
    const { message } = error;
    return new CliError({
      exit: "storeUnusable",
      message,
      advice: START_SERVER,
      code: "STORE_UNREACHABLE",
      cause: error,
    });
  }
  if (error instanceof StoreError) {
    const advice = "See what is wrong with: holdpoint doctor";
    return new CliError({
      exit: "storeUnusable",
      message: error.message,
      advice,
      code: "STORE_UNUSABLE",
      cause: error,
    });
  }
  if (error instanceof Error && "syscall" in error) return systemProblem(error, String(error.syscall));
  const message = error instanceof Error ? error.message : String(error);
  return new CliError({ exit: "failed", message, cause: error });
}

function systemProblem(error: Error, syscall: string): CliError {
  const code = "code" in error ? String(error.code) : "SYSTEM";
  if (syscall === "listen") return listenProblem(error, code);
  if (syscall === "getaddrinfo" && "hostname" in error) return hostProblem(error, String(error.hostname));
  if ("path" in error && /^(?:EACCES|EPERM|EROFS)$/.test(code)) {
    const advice = "Correct its rights, or choose another folder with HOLDPOINT_HOME.";
    const message = `${String(error.path)} cannot be used (${code}).`;
    return new CliError({ exit: "failed", message, advice, code, cause: error });
  }
  return new CliError({ exit: "failed", message: error.message, code, cause: error });
}

function hostProblem(error: Error, host: string): CliError {
  const message = `The gateway cannot listen on ${host}: it is no address of this machine.`;
  const advice = "Choose 127.0.0.1, for this machine only: holdpoint config set gateway.host 127.0.0.1";
  return new CliError({ exit: "failed", message, advice, code: "HOST_UNKNOWN", cause: error });
}

function listenProblem(error: Error, code: string): CliError {
  const place =
    "address" in error && "port" in error ? `${String(error.address)}:${String(error.port)}` : "the address";
  if (code === "EADDRNOTAVAIL" && "address" in error) return hostProblem(error, String(error.address));
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
  const isFile = error.problems.some(({ line }) => line !== null);
  const advice = isFile ? "Correct the file, then run it again." : ""; // the other messages already say what to do
  return new CliError({ exit: "configInvalid", message: error.message, advice, code: "CONFIG_INVALID", cause: error });
}

export const exitCodeOf = (error: CliError): number => EXIT_CODES[error.exit].code;
