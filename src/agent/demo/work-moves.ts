/** After the approval: look, write, look again, close the steps. Each move looks first, so nothing is done twice. */
import type { JsonObject } from "../../protocol/json.ts";
import type { PlanStep } from "../../plan-mode/protocol/plan.ts";
import { ReadFile } from "./cycle.ts";
import { type Approved, approvedPlan } from "./plan-text.ts";
import { type Made, type Move, reasonOf, say, type Status, type View } from "./view.ts";

const WRITE_TRIES_MAX = 2;
const TAIL_LINES_MAX = 50;

/** The work so far: calls since the plan that was approved was submitted. */
type Work = { plan: Approved; since: readonly Made[]; open: PlanStep[]; steps: readonly PlanStep[] };

export function workMove(view: View, status: Status): Move {
  const submission = view.made.findLast((item) => item.call.tool === "exit_plan_mode" && item.status === "ok");
  const plan = approvedPlan(submission);
  if (plan === undefined)
    return say("I no longer find the plan that was approved. Turn plan mode off and on again to start over.");
  const since = view.made.filter((item) => item.at > (submission?.at ?? 0));
  const steps = withUpdates(status.steps, since);
  const open = steps.filter((step) => step.status === "pending" || step.status === "in_progress");
  const last = view.mine.at(-1);
  if (last?.call.tool === "update_plan" && last.status !== "ok")
    return say(`The step could not be marked: ${reasonOf(last)}`);
  const work = { plan, since, open, steps };
  if (open.length === 0) return say(closing(work));
  return giveUp(work, view) ?? write(work) ?? closeNext(work);
}

/** The steps as the last status had them, with what this agent has marked since. */
function withUpdates(steps: readonly PlanStep[], since: readonly Made[]): PlanStep[] {
  const marked = since
    .filter((item) => item.call.tool === "update_plan" && item.status === "ok")
    .flatMap(({ call }) => (Array.isArray(call.args["plan"]) ? call.args["plan"] : []));
  const statusNow = (step: PlanStep): PlanStep["status"] => {
    const last = marked.findLast((item) => isObject(item) && item["step"] === step.step);
    return isObject(last) && isStatus(last["status"]) ? last["status"] : step.status;
  };
  return steps.map((step) => ({ ...step, status: statusNow(step) }));
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isStatus = (value: unknown): value is PlanStep["status"] =>
  value === "pending" || value === "in_progress" || value === "completed" || value === "cancelled";

/** Refused, or failing again and again: say why, look at the mode once more, and if it still allows it, cancel honestly. */
function giveUp({ since, open }: Work, view: View): Move | undefined {
  const failed = writes(since).filter((item) => item.status === "error" || item.status === "refused");
  const last = failed.at(-1);
  const refused = last?.status === "refused";
  if (last === undefined || (!refused && failed.length < WRITE_TRIES_MAX)) return undefined;
  if (refused && !view.mine.some((item) => item.at > last.at && item.call.tool === "plan_mode_status")) {
    return {
      text: `Refused: ${reasonOf(last)} I look up where we stand.`,
      calls: [{ tool: "plan_mode_status", args: {} }],
    };
  }
  return cancelled(open, reasonOf(last));
}

function cancelled(open: readonly PlanStep[], why: string): Move {
  const plan = open.map(({ step }) => ({ step, status: "cancelled" }));
  const explanation = `Not possible here: ${why}`.slice(0, 1_000);
  return {
    text: `I cannot carry the plan out (${why}), so I cancel what is left of it.`,
    calls: [update(plan, explanation)],
  };
}

const writes = (since: readonly Made[]): Made[] => since.filter((item) => ["write", "edit"].includes(item.call.tool));

/** Until the file holds the section: mark the step, look, write. After every attempt, also one of unknown outcome, look again. */
function write({ plan, since, open }: Work): Move | undefined {
  const [first] = plan.steps;
  const step = open.find((item) => item.step === first?.step);
  if (step === undefined) return undefined;
  if (step.status === "pending") {
    return { text: "Approved: I begin.", calls: [update([{ step: step.step, status: "in_progress" }])] };
  }
  const seen = lookedAt(plan.target, since);
  if (seen === undefined) {
    return {
      text: lookingText(plan.target, writes(since).at(-1)),
      calls: [{ tool: "read", args: { path: plan.target } }],
    };
  }
  if (seen.text.includes(plan.section)) return undefined;
  if (seen.more !== undefined) return cancelled(open, `${plan.target} is too long for me`);
  return { text: `I write the section to ${plan.target}.`, calls: [writing(plan, seen)] };
}

function lookingText(target: string, written: Made | undefined): string {
  if (written?.status === "unknown")
    return "Whether my last change took effect is unknown, so I look before I repeat it.";
  return written === undefined ? `I look at ${target} as it is now.` : `I read ${target} back.`;
}

type Seen = { text: string; hash?: string; more?: string | undefined };

/** The file as last read since the last attempt to write it; empty text when it does not exist. */
function lookedAt(target: string, since: readonly Made[]): Seen | undefined {
  const written = writes(since).at(-1)?.at ?? -1;
  const read = since.findLast(
    (item) => item.at > written && item.call.tool === "read" && item.call.args["path"] === target,
  );
  if (read === undefined) return undefined;
  return ReadFile.safeParse(read.content).data ?? { text: "" };
}

function writing({ target, section }: Approved, { text, hash }: Seen): Move["calls"][number] {
  if (hash === undefined || text.trim() === "") return { tool: "write", args: { path: target, content: section } };
  const tail = uniqueTail(text);
  const gap = text.endsWith("\n") ? "\n" : "\n\n";
  if (tail === undefined)
    return { tool: "write", args: { path: target, content: text + gap + section, expectedHash: hash } };
  return { tool: "edit", args: { path: target, oldText: tail, newText: tail + gap + section, expectedHash: hash } };
}

/** The shortest run of last lines that occurs only once, so that an edit can name the end of the file. */
function uniqueTail(text: string): string | undefined {
  const lines = text.split(/(?<=\n)/);
  for (let count = 1; count <= Math.min(lines.length, TAIL_LINES_MAX); count++) {
    const tail = lines.slice(-count).join("");
    if (tail.trim() !== "" && text.indexOf(tail) === text.lastIndexOf(tail)) return tail;
  }
  return undefined;
}

/** Marks one step after the other, each with the criteria that were really checked, and begins the next. */
function closeNext({ plan, since, open }: Work): Move {
  const [step, next] = open;
  const seen = lookedAt(plan.target, since);
  if (step === undefined) return say("Nothing is left to do.");
  const searched = since.some((item) => item.call.tool === "grep");
  if (!searched) {
    const pattern = plan.section.split("\n")[0] ?? "";
    return {
      text: "The section is there. I check it by a search as well.",
      calls: [{ tool: "grep", args: { pattern, literal: true } }],
    };
  }
  const planned = plan.steps.find((item) => item.step === step.step);
  const verified = planned !== undefined && seen?.text.includes(plan.section) === true;
  const closed = verified
    ? { step: step.step, status: "completed", verifiedCriteria: planned.acceptanceCriteria ?? [] }
    : { step: step.step, status: "cancelled" };
  const begun = next === undefined ? [] : [{ step: next.step, status: "in_progress" }];
  const text = verified ? `Verified: ${step.step}.` : `I cannot do this step, so I cancel it: ${step.step}.`;
  return { text, calls: [update([closed, ...begun])] };
}

function update(plan: JsonObject[], explanation?: string): Move["calls"][number] {
  return { tool: "update_plan", args: { plan, merge: true, ...(explanation === undefined ? {} : { explanation }) } };
}

function closing({ plan, steps }: Work): string {
  const done = steps.filter((step) => step.status === "completed").length;
  const left = steps.filter((step) => step.status === "cancelled").length;
  const without =
    left > 0 ? `, ${left} cancelled` : `. The section stands in ${plan.target}, word for word as approved`;
  return `Done with "${plan.title}": ${done} of ${steps.length} steps completed${without}.`;
}
