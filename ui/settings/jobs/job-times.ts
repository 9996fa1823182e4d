/** When a job runs, and when next, in the person's language. */
import type { ResultOf } from "../../../src/all-methods.ts";
import { sayDate } from "../../i18n/say.ts";
import { language, t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import { inUnits } from "./job-asked.ts";

export type Job = ResultOf<"cron.list">["jobs"][number];

export function sayEvery({ schedule }: Job): string {
  switch (schedule.kind) {
    case "at":
      return t("settings.jobWhen_at");
    case "every": {
      const { count, unit } = inUnits(schedule.everyMs);
      const time = new Intl.NumberFormat(language.get().locale, { style: "unit", unit, unitDisplay: "long" });
      return t("settings.jobEveryTime", { time: time.format(count) });
    }
    case "cron":
      return visibly(`${schedule.expression} (${schedule.timezone})`);
  }
}

export function sayNext({ now }: Job): string {
  if (now.status === "waiting") return t("settings.jobNext", { when: sayDate(now.nextAtMs) });
  if (now.status !== "off") return "";
  return now.why === "revoked" ? t("settings.jobRevoked") : t("settings.jobOff");
}
