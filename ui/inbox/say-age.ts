/** How long something has waited, in the largest unit that says enough: "5 minutes", "3 hours", "2 days". */
import { language } from "../i18n/t.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.NumberFormat>();

export function sayAge(ageMs: number): string {
  if (ageMs >= 2 * DAY_MS) return inUnit(ageMs / DAY_MS, "day");
  if (ageMs >= 2 * HOUR_MS) return inUnit(ageMs / HOUR_MS, "hour");
  return inUnit(Math.max(1, ageMs / MINUTE_MS), "minute");
}

function inUnit(value: number, unit: "day" | "hour" | "minute"): string {
  const { locale } = language.get();
  const key = `${locale} ${unit}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: "unit", unitDisplay: "long", unit });
  formats.set(key, format);
  return format.format(Math.floor(value));
}
