/** The heartbeat: an agent is asked from time to time, in a session of its own, whether something needs doing. */
import { EVERY_MS_MIN, type HeartbeatSettings, JobId, type JobSpec } from "./protocol/schedule.ts";
import type { Session } from "../protocol/session.ts";
import { defuseLine, firstChars } from "../plugins/sdk.ts";
import { machineTimezone } from "./job-spec.ts";
import type { SchedulerPorts } from "./ports.ts";

export const HEARTBEAT_JOB = JobId.parse("job_heartbeat");
const NOTHING = "HEARTBEAT_OK";
const TIMEOUT_MS = 600_000;
const FAILURES_MAX = 5;
const CHATS_MAX = 20;
const TITLE_CHARS_MAX = 100;
const CONTRIBUTION_CHARS_MAX = 1_000;
const CONTRIBUTIONS_MAX = 10;

const DEFAULT_PROMPT = "Look whether anything needs doing now.";
const RULE = `Nobody reads along, and nothing can be asked. If there is nothing to tell, answer with ${NOTHING} and nothing else; what you answer instead is kept for people to read.`;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

const durationMs = (text: string): number => Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0);

/** Undefined when it comes too often to be meant. */
export function heartbeatSpec(settings: HeartbeatSettings, nowMs: number): JobSpec | undefined {
  const everyMs = durationMs(settings.every);
  if (everyMs < EVERY_MS_MIN) return undefined;
  const { activeHours, prompt = DEFAULT_PROMPT } = settings;
  const timezone = settings.tz ?? machineTimezone();
  return {
    name: "Heartbeat",
    schedule: { kind: "every", everyMs, anchorMs: nowMs },
    work: {
      kind: "run",
      as: "heartbeat",
      message: prompt,
      timeoutMs: TIMEOUT_MS,
      deliver: "next-turn",
      ...(activeHours === undefined ? {} : { hours: { ...activeHours, timezone } }),
    },
    jitterMs: 0,
    catchUp: "skip",
    catchUpMax: 1,
    failuresMax: FAILURES_MAX,
  };
}

/** What makes two heartbeats the same, apart from when the counting began. */
export const sameHeartbeat = (a: JobSpec, b: JobSpec): boolean => JSON.stringify(core(a)) === JSON.stringify(core(b));

const core = ({ schedule, work }: JobSpec) => [schedule.kind === "every" ? schedule.everyMs : null, work];

/** The heartbeat's prompt, with plugins' reports on the most recently used conversations. */
export async function heartbeatText(prompt: string, agentId: string, ports: SchedulerPorts): Promise<string> {
  const chats = await ports.recentChats(agentId, CHATS_MAX);
  const reports: string[] = [];
  for (const id of chats) {
    const session = await ports.sessions.session(id);
    if (session === undefined || session.kind !== "chat") continue;
    const lines = linesOf(session, ports);
    if (lines.length > 0)
      reports.push([`In "${defuseLine(session.title, TITLE_CHARS_MAX)}" (${id}):`, ...lines].join("\n"));
  }
  return [prompt, ...reports, RULE].join("\n\n");
}

/** A failing plugin adds nothing; the others still do. */
function linesOf(session: Session, ports: SchedulerPorts): string[] {
  try {
    const texts = ports.contributions(session).slice(0, CONTRIBUTIONS_MAX);
    return texts.map((text) => firstChars(text, CONTRIBUTION_CHARS_MAX));
  } catch (error) {
    ports.report(error);
    return [];
  }
}

/** True for an empty answer, or the word that means "nothing to do". */
export const isNothing = (text: string): boolean => {
  const words = text.replace(/[*_`\s.]+$/g, "").replace(/^[*_`\s]+/g, "");
  return words === "" || words === NOTHING;
};

/** From `start` up to `end`, by the clock on the wall there; over midnight when the end comes first. */
export function isWithin(
  { start, end, timezone }: { start: string; end: string; timezone: string },
  nowMs: number,
): boolean {
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(nowMs);
  return start <= end ? start <= time && time < end : start <= time || time < end;
}
