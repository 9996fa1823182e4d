/** A plan while it is carried out, and after: its steps with their times, and what was refused on the way. */
import type { PhaseOf, PlanModeState } from "../../../src/plan-mode/protocol/state.ts";
import type { PlanStep, StepStatus } from "../../../src/plan-mode/protocol/plan.ts";
import type { Seen } from "../../../src/plan-mode/protocol/step/proof-standing.ts";
import type { ShownProof } from "../../proof/proof-lines.ts";
import { seenOf } from "../../state/present-steps.ts";
import type { Happening } from "../../state/record/timeline.ts";
import type { By } from "../../../src/protocol/actor.ts";
import { acceptedByRule, nameOf } from "../../localized/name-of.ts";
import { byIn, listIn, recordIn, textIn } from "../record-fields.ts";

/** `proof` where it asks for more than the agent's word. */
export type RunCriterion = { text: string; verified: boolean; proof?: ShownProof };

export type RunStep = {
  text: string;
  status: StepStatus;
  /** What the agent is doing right now, in its own words. */
  doing: string | undefined;
  criteria: readonly RunCriterion[];
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
};

export type RunRefusal = { cursor: number; atMs: number; tool: string; rule: string; enteredAt: string | null };

export type Run = {
  state: "running" | "completed" | "left";
  title: string;
  /** As it is shown. */
  by: string;
  /** Said instead where no person approved it. */
  byRule: string | undefined;
  /** Undefined where it lies before what was read of the past. */
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
  steps: readonly RunStep[];
  done: number;
  /** The step at work, first of all. */
  current: RunStep | undefined;
  refusals: readonly RunRefusal[];
};

const ENDS: Readonly<Record<string, Run["state"]>> = { "plan.completed": "completed", "plan.left": "left" };

type Past = { approved: Happening | undefined; within: readonly Happening[]; end: Happening | undefined };

/** Undefined where no plan has been carried out, as far as is known. */
export function runOf(plan: PlanModeState | undefined, items: readonly Happening[], seen: Seen = {}): Run | undefined {
  if (plan === undefined) return undefined;
  const { now } = plan;
  if (now.phase === "executing") return running(now, pastOf(items, false));
  if (now.phase !== "off" || now.left === "never") return undefined;
  const past = pastOf(items, true);
  return past.approved === undefined && now.steps.length === 0 ? undefined : over(now, { ...past, items, seen });
}

type Over = Past & { items: readonly Happening[]; seen: Seen };

function over(now: PhaseOf<"off">, { approved, within, end, items, seen }: Over): Run {
  return {
    state: ENDS[end?.event ?? ""] ?? (now.left === "completed" ? "completed" : "left"),
    title: titleIn(items, end),
    ...approver(byIn(recordIn(approved?.payload, "by"))),
    startedAtMs: approved?.atMs,
    endedAtMs: end?.atMs,
    ...stepsOf(now.steps, within, seen),
    current: undefined,
  };
}

const approver = (by: Pick<By, "name"> & Partial<By>): Pick<Run, "by" | "byRule"> => ({
  by: nameOf(by),
  byRule: acceptedByRule(by),
});

function running(now: PhaseOf<"executing">, { within }: Past): Run {
  const told = stepsOf(now.steps, within, now);
  return {
    state: "running",
    title: now.submission.title,
    ...approver(now.decidedBy),
    startedAtMs: now.decidedAtMs,
    endedAtMs: undefined,
    ...told,
    current: told.steps.find(({ status }) => status === "in_progress"),
  };
}

/** From the last approval on; for a run that is over, up to its end. */
function pastOf(items: readonly Happening[], isOver: boolean): Past {
  const from = items.findLastIndex(({ event }) => event === "plan.approved");
  const since = items.slice(Math.max(0, from));
  const end = isOver ? since.find(({ event }) => event in ENDS) : undefined;
  const within = end === undefined ? since : since.slice(0, since.indexOf(end) + 1);
  return { approved: items[from], within, end };
}

function stepsOf(
  given: readonly PlanStep[],
  within: readonly Happening[],
  seen: Seen,
): Pick<Run, "steps" | "done" | "refusals"> {
  const steps = withTimes(given, within, seen);
  return { steps, done: steps.filter(isClosed).length, refusals: within.flatMap(refusalIn) };
}

export const isClosed = ({ status }: { status: StepStatus }): boolean =>
  status === "completed" || status === "cancelled";

function titleIn(items: readonly Happening[], end: Happening | undefined): string {
  const named = textIn(end?.payload, "title");
  if (named !== "") return named;
  const submitted = items.findLast(({ event }) => event === "plan.submitted");
  return textIn(recordIn(submitted?.payload, "submission"), "title");
}

function refusalIn({ cursor, atMs, event, payload }: Happening): RunRefusal[] {
  if (event !== "call.refused") return [];
  const refusal = recordIn(payload, "refusal");
  const [tool = "", rule = "", entered = ""] = ["tool_name", "rule", "entered_at"].map((name) => textIn(refusal, name));
  return [{ cursor, atMs, tool, rule, enteredAt: entered === "" ? null : entered }];
}

type Times = { startedAtMs?: number; endedAtMs?: number };

/** From the first event that it is in progress to the first that it is closed; reopened, it counts anew. */
function withTimes(steps: readonly PlanStep[], items: readonly Happening[], seen: Seen): RunStep[] {
  const times: Times[] = steps.map(() => ({}));
  for (const { event, atMs, payload } of items) {
    if (event !== "plan.updated") continue;
    for (const [index, status] of statusesIn(payload, steps)) {
      const before = times[index];
      if (before !== undefined) times[index] = timesAfter(before, status, atMs);
    }
  }
  return steps.map((step, index) => toRunStep(step, times[index] ?? {}, seen));
}

function timesAfter(before: Times, status: string, atMs: number): Times {
  if (status === "in_progress") {
    return before.startedAtMs === undefined || before.endedAtMs !== undefined ? { startedAtMs: atMs } : before;
  }
  if (status === "completed" || status === "cancelled") return { endedAtMs: atMs, ...before };
  return {};
}

function toRunStep(given: PlanStep, times: Times, seen: Seen) {
  const { step, status, activeForm, acceptanceCriteria = [], verifiedCriteria = [] } = given;
  const verified = new Set(verifiedCriteria);
  return {
    text: step,
    status,
    doing: activeForm,
    criteria: acceptanceCriteria.map((text) => ({ text, verified: verified.has(text), ...proofOf(given, text, seen) })),
    startedAtMs: times.startedAtMs,
    endedAtMs: isClosed({ status }) ? times.endedAtMs : undefined,
  } satisfies RunStep;
}

function proofOf(step: PlanStep, criterion: string, seen: Seen): Pick<RunCriterion, "proof"> {
  const found = step.proof?.find((one) => one.criterion === criterion.trim());
  return found === undefined ? {} : { proof: { proof: found, seen: seenOf(seen, step, found.criterion) } };
}

/**
 * The states of the steps, by their present number. Events hold each step's state; which step it was is clear by its
 * place while there are as many, and by its text otherwise (long texts and lists are cut short in the past).
 */
function statusesIn(payload: Happening["payload"], steps: readonly PlanStep[]): [number, string][] {
  const told = listIn(payload, "steps").map((step) => ({ text: textIn(step, "step"), status: textIn(step, "status") }));
  const statuses = Array.isArray(payload["statuses"]) ? payload["statuses"] : told.map(({ status }) => status);
  if (statuses.length === steps.length)
    return statuses.map((status, index) => [index, typeof status === "string" ? status : ""]);
  const places = new Map(steps.map(({ step }, index) => [step, index]));
  return told.flatMap(({ text, status }): [number, string][] => {
    const index = places.get(text);
    return index === undefined ? [] : [[index, status]];
  });
}
