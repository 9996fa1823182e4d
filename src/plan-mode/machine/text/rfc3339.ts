/** Formats a moment without asking a clock or a time zone. */
const DAY_MS = 86_400_000;

/** A moment as RFC 3339 in UTC, to the second. Computed, because a decision reads no clock and no time zone. */
export function rfc3339(atMs: number): string {
  const days = Math.floor(atMs / DAY_MS);
  const seconds = Math.floor((atMs - days * DAY_MS) / 1_000);
  const { year, month, day } = civil(days);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds % 60, 2)}Z`;
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

/** Days since 1970 as a date of the Gregorian calendar; years begin in March, so the leap day comes last. */
function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
