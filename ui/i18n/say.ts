/** Numbers, times and lists as the person's language writes them. */
import {
  dateFormat,
  daysFormat,
  hoursFormat,
  listFormat,
  numberFormat,
  relativeFormat,
  timeFormat,
} from "./formats.ts";
import { language } from "./t.ts";

const locale = (): string => language.get().locale;

export const sayNumber = (value: number): string => numberFormat(locale()).format(value);
export const sayDate = (atMs: number): string => dateFormat(locale()).format(atMs);
export const sayTime = (atMs: number): string => timeFormat(locale()).format(atMs);
export const sayList = (parts: readonly string[]): string => listFormat(locale()).format(parts);

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

/** "in 5 min.", "yesterday"; the last minute is "now", and beyond a month it is a date. */
export function sayWhen(atMs: number, nowMs: number): string {
  const distanceMs = atMs - nowMs;
  if (Math.abs(distanceMs) > 30 * 86_400_000) return sayDate(atMs);
  if (distanceMs <= 0 && distanceMs > -60_000) return relativeFormat(locale()).format(0, "second");
  const [unit, unitMs] = UNITS.find(([, size]) => Math.abs(distanceMs) >= size) ?? ["second", 1_000];
  return relativeFormat(locale()).format(Math.trunc(distanceMs / unitMs), unit);
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** "2 days", "23 hours"; below an hour the clock of it, "12:05". */
export function sayLeft(durationMs: number): string {
  if (durationMs >= 2 * DAY_MS) return daysFormat(locale()).format(Math.floor(durationMs / DAY_MS));
  if (durationMs >= HOUR_MS) return hoursFormat(locale()).format(Math.floor(durationMs / HOUR_MS));
  return sayClock(durationMs);
}

/** "1:05", "2:00:10": a duration for clocks and counters, the same in every language. */
export function sayClock(durationMs: number): string {
  const seconds = Math.max(0, Math.ceil(durationMs / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, ...rest] = parts;
  return hours > 0 ? `${hours}:${rest.map(pad).join(":")}` : `${rest[0]}:${pad(rest[1] ?? 0)}`;
}

const pad = (value: number): string => String(value).padStart(2, "0");
