/** How far a plan is, in the one sentence that every view says: "52 of 60 done, 8 cancelled". */
import { progressOf } from "../../src/protocol/card/card.ts";
import { t } from "../i18n/t.ts";

export function sayProgress(steps: Parameters<typeof progressOf>[0]): string {
  const { done, cancelled, all } = progressOf(steps);
  const said = t("chat.progress", { done, all });
  return cancelled === 0 ? said : `${said}, ${t("chat.cancelledCount", { count: cancelled })}`;
}
