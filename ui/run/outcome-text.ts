/** How a job's run, a sub-agent's work or a call ended, in words. */
import { t } from "../i18n/t.ts";
import { visibly } from "../text/visibly.ts";

export function outcomeText(outcome: string): string {
  switch (outcome) {
    case "ok":
    case "done":
      return t("run.outcome_ok");
    case "error":
    case "failed":
    case "empty":
      return t("run.outcome_failed");
    case "timed_out":
      return t("run.outcome_timedOut");
    case "aborted":
    case "stopped":
    case "gone":
      return t("run.outcome_stopped");
    case "skipped":
      return t("chat.call_skipped");
    case "unknown":
      return t("chat.call_unknown");
    default:
      return visibly(outcome);
  }
}
