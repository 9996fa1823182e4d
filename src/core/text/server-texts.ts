/** The core's own texts to the agent. */

export const summaryText = (summary: string): string =>
  [
    "[CONVERSATION_SUMMARY]",
    "The older part of this conversation was summarised to make room. Nothing is lost: people can still read it.",
    summary.trim(),
    "[/CONVERSATION_SUMMARY]",
  ].join("\n");

const URGES: Readonly<Record<number, string>> = {
  1: "You said what you are going to do, but made no tool call. Do it now; or, if you are done, say what was done.",
  2: "Again nothing was done. Do not announce: make the tool call in this very answer, or say what keeps you from it.",
  3: "Last time: either your next answer makes the tool call, or it says in one sentence what blocks you. Nothing else.",
};

export const urgeText = (level: number): string => `[TURN_CONTINUE]\n${URGES[level] ?? URGES[3]}\n[/TURN_CONTINUE]`;

export const continueText = (count: number, max: number): string =>
  `[TURN_CONTINUE]\nApproved steps are left (unattended turn ${count} of ${max}). Go on with the next one; if it is blocked, say by what and stop.\n[/TURN_CONTINUE]`;
