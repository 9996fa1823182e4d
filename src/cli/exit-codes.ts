/** The one table of exit codes. Scripts rely on it: add, never renumber. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: "Done." },
  failed: { code: 1, meaning: "The gateway refused, or the command failed; the message says why." },
  usage: { code: 2, meaning: "The command line is wrong: an unknown command, option or value." },
  noGateway: { code: 3, meaning: "No gateway can be reached. Start one with: holdpoint start" },
  notAuthorised: { code: 4, meaning: "The token is missing, revoked, or lacks the scope that this needs." },
  configInvalid: { code: 5, meaning: "The configuration cannot be used; the message names file, line and setting." },
  stateHeld: { code: 6, meaning: "Another gateway holds this home folder's state; the message names its process." },
  storeUnusable: { code: 7, meaning: "The store cannot be opened or written, or its audit chain is broken." },
  nothingToDecide: { code: 8, meaning: "Nothing waits for this decision: it was decided, expired, or never asked." },
  waiting: { code: 9, meaning: "The agent waits for a person; the command ended without a decision." },
  outdated: { code: 10, meaning: "A newer version is there; only `holdpoint update --check` ends so." },
  interrupted: { code: 130, meaning: "Stopped by Ctrl+C." },
} as const;

export type ExitName = keyof typeof EXIT_CODES;

export function exitCodeLines(): string[] {
  return Object.values(EXIT_CODES).map(({ code, meaning }) => `${String(code).padStart(4)}  ${meaning}`);
}
