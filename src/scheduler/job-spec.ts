/** Turns a request into a job that can be stored; every mistake is refused here, before anything is stored. */
import { EVERY_MS_MIN, type JobInput, type JobSchedule, type JobSpec, type JobWhen } from "./protocol/schedule.ts";
import { firstChars, oneLine } from "../plugins/sdk.ts";
import { type Occurrences, occurrencesOf } from "./occurrences.ts";

const NAME_CHARS_MAX = 60;
const GAPS_LOOKED_AT_MAX = 100;

/** `inTalk`: the job lives in a conversation, so it may ask for a turn in it. */
export type Place = { nowMs: number; inTalk: boolean };
export type Prepared = { spec: JobSpec; nextAtMs: number } | { error: string };

export async function prepareJob(input: JobInput, place: Place): Promise<Prepared> {
  const schedule = scheduleOf(input.when, place.nowMs);
  const next = await nextOf(schedule, place.nowMs);
  return "error" in next ? next : { spec: specOf(input, schedule, place), ...next };
}

/** Its first time to come, if it has one and does not come more often than a job may. */
export async function nextOf(schedule: JobSchedule, nowMs: number): Promise<{ nextAtMs: number } | { error: string }> {
  const times = await occurrencesOf(schedule);
  if ("error" in times) return times;
  // "in no time" is a time to come; a time of the calendar that is just now has begun before the job was there
  const nextAtMs = times.after(schedule.kind === "at" ? nowMs - 1 : nowMs);
  if (nextAtMs === null) return { error: never(schedule) };
  if (isTooOften(schedule, times, nextAtMs)) {
    return { error: `It would run more often than every ${EVERY_MS_MIN / 1_000} seconds. Choose a longer interval.` };
  }
  return { nextAtMs };
}

export function scheduleOf(when: JobWhen, nowMs: number): JobSchedule {
  if ("at" in when) return { kind: "at", atMs: typeof when.at === "number" ? when.at : Date.parse(when.at) };
  if ("delayMs" in when) return { kind: "at", atMs: nowMs + when.delayMs };
  if ("everyMs" in when) return { kind: "every", everyMs: when.everyMs, anchorMs: nowMs };
  return { kind: "cron", expression: when.cron, timezone: when.tz ?? machineTimezone() };
}

export const machineTimezone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function never(schedule: JobSchedule): string {
  if (schedule.kind === "at") return `${new Date(schedule.atMs).toISOString()} has passed. Name a time to come.`;
  return "This schedule has no time to come. Is there such a day?";
}

/** Not the first two alone: `0,1 0 9 * * *` looks seldom to whoever asks between the two. */
function isTooOften(schedule: JobSchedule, times: Occurrences, nextAtMs: number): boolean {
  if (schedule.kind !== "cron") return false;
  let before = nextAtMs;
  for (let looks = 0; looks < GAPS_LOOKED_AT_MAX; looks++) {
    const next = times.after(before);
    if (next === null) return false;
    if (next - before < EVERY_MS_MIN) return true;
    before = next;
  }
  return false;
}

function specOf(input: JobInput, schedule: JobSchedule, { inTalk }: Place): JobSpec {
  const { message, timeoutMs, deliver, deliverTo, jitterMs, catchUp, catchUpMax, failuresMax, tag, cycleId } = input;
  const isolated = input.isolated || !inTalk;
  return {
    name: input.name ?? firstChars(oneLine(message), NAME_CHARS_MAX),
    schedule,
    work: isolated
      ? {
          kind: "run",
          as: "cron",
          message,
          timeoutMs,
          deliver,
          ...(deliverTo === undefined ? {} : { deliverTo }),
        }
      : { kind: "turn", message },
    jitterMs,
    catchUp,
    catchUpMax,
    failuresMax,
    ...(tag === undefined ? {} : { tag }),
    ...(cycleId === undefined ? {} : { cycleId }),
  };
}
