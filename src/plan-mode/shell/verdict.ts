/** The gate's verdicts. Codes are stable: logs, tests and people's notes refer to them. */
import type { GitFolders } from "./git-folders.ts";

export type ShellRefusalCode =
  | "empty"
  | "too-long"
  | "control-character"
  | "invisible-character"
  | "look-alike-character"
  | "syntax"
  | "unsupported-syntax"
  | "too-complex"
  | "dynamic-command"
  | "unknown-command"
  | "known-write"
  | "runs-programs"
  | "network"
  | "shell-state"
  | "unknown-option"
  | "harmful-option"
  | "missing-option"
  | "dynamic-word"
  | "operand"
  | "script"
  | "redirect-write"
  | "redirect-network"
  | "redirect-form"
  | "environment"
  | "background";

/** `writes`: known to change something or reach out. `unknown`: not proven either way (GA-10). */
export type RefusalKind = "writes" | "unknown";

export type ShellRefusal = {
  readonly code: ShellRefusalCode;
  readonly verdict: RefusalKind;
  readonly matched: string;
  readonly hint: string;
};

export type ShellVerdict =
  | {
      readonly allowed: true;
      readonly code: "read-only";
      /** The only text that may run. */
      readonly canonical: string;
      /** The names of the rules that allowed it. */
      readonly rules: readonly string[];
      /** Set when git runs: where to look for filters first. */
      readonly git: GitFolders | undefined;
      /** True when it reads only where nothing can be written and nobody reached. */
      readonly needsSandbox: boolean;
    }
  | {
      readonly allowed: false;
      readonly code: ShellRefusalCode;
      readonly verdict: RefusalKind;
      readonly matched: string;
      readonly hint: string;
      /** Present when the line parsed: the only form a person may be asked about and that may then run. */
      readonly canonical: string | undefined;
    };

const MATCHED_LENGTH_MAX = 120;

const WRITES: ReadonlySet<ShellRefusalCode> = new Set([
  "known-write",
  "runs-programs",
  "network",
  "harmful-option",
  "redirect-write",
  "redirect-network",
]);

const HINTS: Readonly<Record<ShellRefusalCode, string>> = {
  empty: "Give a command.",
  "too-long": "Shorten the command, or split it into several calls.",
  "control-character": "Remove control characters; only tab and newline are read.",
  "invisible-character": "Remove invisible characters, odd spaces and direction marks.",
  "look-alike-character": "Type plain ASCII for spaces, dashes, quotes and operators.",
  syntax: "The line does not parse as bash; check quotes and brackets.",
  "unsupported-syntax": "Use plain commands, pipes, lists, if, for, while and case.",
  "too-complex": "Split the command into smaller calls.",
  "dynamic-command": "Write the command name literally.",
  "unknown-command": "Not known to be read-only; use a read-only command, or put this step into the plan.",
  "known-write": "This changes something; put it into the plan and ask for approval.",
  "runs-programs": "This runs other programs; put it into the plan and ask for approval.",
  network: "This opens a network connection; put it into the plan and ask for approval.",
  "shell-state": "This changes the shell for later words; write the values out instead.",
  "unknown-option": "This option is not known to be read-only; use the full, documented option name or leave it out.",
  "harmful-option": "This option writes or runs something; leave it out, or put the step into the plan.",
  "missing-option": "Only read-only together with an option; see what was matched.",
  "dynamic-word": "A computed word could become an option here; quote it and put ./ or -- in front, or write it out.",
  operand: "This operand makes the command write or is not known to be read-only.",
  script: "The script may write, run or cannot be read; use a simpler one.",
  "redirect-write": "Redirect only to /dev/null or another descriptor; a file write belongs into the plan.",
  "redirect-network": "Reading from /dev/tcp or /dev/udp opens a connection.",
  "redirect-form": "Use `< file`, `2>&1` or `>/dev/null` with literal names.",
  environment: "Only locale, time zone and colour variables may be set for a read-only command.",
  background: "Run it in the foreground.",
};

/** Of programs that change something in general: what this use of them does, nobody has looked up. */
export const UNPROVEN_USE = "Not known to only read when used like this; put it into the plan and ask for approval.";

export const shellRefusal = (code: ShellRefusalCode, matched: string, hint: string = HINTS[code]): ShellRefusal => ({
  code,
  verdict: WRITES.has(code) ? "writes" : "unknown",
  matched: matched.length > MATCHED_LENGTH_MAX ? `${matched.slice(0, MATCHED_LENGTH_MAX)}…` : matched,
  hint,
});

/**
 * Thrown inside the gate to leave a deep walk, caught once in `shell-gate.ts`; nothing outside ever sees it. No Error: to
 * collect a stack that nobody reads would take longer than the verdict.
 */
export class ShellRefused {
  readonly refusal: ShellRefusal;

  constructor(refusal: ShellRefusal) {
    this.refusal = refusal;
  }
}

export const stop = (code: ShellRefusalCode, matched: string, hint?: string): never => {
  // oxlint-disable-next-line typescript/only-throw-error -- see above
  throw new ShellRefused(shellRefusal(code, matched, hint));
};
