/** The codes that requests about changes are refused with, and how they are worded. Codes are wire contract. */
import type { RefusalWordings } from "../../protocol/localized/refusal-wording.ts";

export const refusals = {
  CHANGES_NOT_FOUND: { text: "refused_noChanges", exit: "nothingToDecide" },
  CHANGES_UNREADABLE: { text: "refused_unreadable", tellsMore: true },
  CHANGES_BUSY: { text: "refused_busy" },
  CHANGES_NOT_PAUSED: { text: "refused_notPaused", exit: "nothingToDecide" },
  ROLLBACK_STALE: { text: "refused_stale", advice: "Look again with: holdpoint plan rollback" },
  ROLLBACK_CONFLICT: {
    text: "refused_conflict",
    tellsMore: true,
    advice: "Leave those files with --keep, or replace them with --overwrite.",
  },
  ROLLBACK_NOTHING: { text: "refused_nothing", exit: "nothingToDecide" },
} as const satisfies RefusalWordings;
