/** The scheduler's own texts. What people, agents and plugins wrote stands in them as a quotation. */
import type { Job, PastRun } from "../protocol/schedule.ts";
import type { Standing, StandingEnd } from "../protocol/standing.ts";
import { lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { defuseLine, quoted } from "../../plugins/sdk.ts";

const NAME_CHARS_MAX = 120;
const line = (text: string): string => defuseLine(text, NAME_CHARS_MAX);

const OUTCOMES: Readonly<Record<PastRun["outcome"], string>> = {
  ok: "has ended",
  failed: "has failed",
  timed_out: "took too long and was stopped",
  stopped: "was stopped",
  skipped: "was skipped",
};

const OWNERS: Readonly<Record<string, string>> = {
  operator: "an operator",
  agent: "you, earlier",
  config: "the configuration",
};

/** Why a job went that its plan did not name. */
export const PLAN_ENDED = "its plan cycle has ended";

export const turnText = (job: Job, message: string): string =>
  [
    "[SCHEDULED_TURN]",
    `job: ${line(job.name)}`,
    `scheduled by: ${OWNERS[job.owner] ?? line(job.owner)}`,
    "message:",
    quoted(message),
    "[/SCHEDULED_TURN]",
  ].join("\n");

export const resultText = ({ name, outcome }: PastRun, text: string): string =>
  [
    "[SCHEDULE_RESULT]",
    `The scheduled job "${line(name)}" ${OUTCOMES[outcome]}. What it said:`,
    quoted(text === "" ? "(nothing)" : text),
    "[/SCHEDULE_RESULT]",
  ].join("\n");

/** For people: each of its lines is marked, so that none can pass for a line of the gateway. */
export const resultNotice = ({ name, outcome }: PastRun, text: string): LocalizedText =>
  lines([localized(`job_${outcome}`, { name: line(name) }), ...(text === "" ? [] : [quoted(text)])]);

export const pausedNotice = ({ name, id, failures }: Job): LocalizedText =>
  localized("jobPaused", { name: line(name), times: failures, id });

export const planEndedNotice = (name: string): LocalizedText => localized("jobEndedWithPlan", { name: line(name) });

export const standingNotice = ({ jobName, runs, untilMs }: Standing): LocalizedText =>
  localized("standingSigned", { name: line(jobName), runs, untilAtMs: untilMs });

export const standingEndNotice = (name: string, why: StandingEnd): LocalizedText =>
  localized(`standing_${why}`, { name: line(name) });

export const stoppedNotice = ({ name, id }: Job): LocalizedText => localized("jobStopped", { name: line(name), id });

export const firedNotice = ({ name }: Job): LocalizedText => localized("jobFired", { name: line(name) });
