/** `/plan`, on every surface: each verb is read, shown or turned into a command of the machine, in the sender's name. */
import { type JsonObject } from "../../protocol/json.ts";
import { PlanModeState } from "../../protocol/plan-mode.ts";
import { PlanRevision } from "../../protocol/plan.ts";
import { type Refusal, refuse } from "../../protocol/refusal.ts";
import { type Command, type CommandCall, type CommandReply, never } from "../../plugins/sdk.ts";
import { submissionOf } from "../machine/cycle.ts";
import { INITIAL } from "../machine/evolve.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { renderPlan } from "../render/render-plan.ts";
import { renderPlanDiff } from "../render/render-diff.ts";
import { renderQuestion } from "../render/render-question.ts";
import { renderStatus } from "../render/render-status.ts";
import { parsePlanCommand, PLAN_USAGE, type PlanCommand } from "./parse-plan-command.ts";

export const planCommand: Command = {
  name: "plan",
  description: "Plan mode: see, decide, answer, switch.",
  usage: [...PLAN_USAGE],
  requiredScopes(args) {
    const command = parsePlanCommand(args);
    const isRead = "refused" in command || command.verb === "status" || command.verb === "view";
    return isRead ? ["operator.read"] : ["operator.approvals"];
  },
  async handler(call) {
    const command = parsePlanCommand(call.args);
    if ("refused" in command) return no(command.refused);
    return run(command, call, stateOf(call));
  },
};

const stateOf = ({ session }: CommandCall): PlanModeState =>
  PlanModeState.parse(session.slices[PLAN_MODE_SLICE] ?? INITIAL);

function run(command: PlanCommand, call: CommandCall, state: PlanModeState): Promise<CommandReply> | CommandReply {
  switch (command.verb) {
    case "status":
      return yes(renderStatus(state));
    case "view":
      return view(call, state);
    case "restate":
      return restate(call, state);
    case "diff":
      return diff(call, state);
    case "on":
      return apply(
        call,
        { type: "enter", reason: "" },
        "Plan mode is on: only reading tools run until a plan is approved.",
      );
    case "off":
      return apply(call, { type: "leave" }, "Plan mode is off.");
    case "auto":
      return apply(call, decision({ action: "auto", enabled: command.enabled }), autoMessage(command.enabled));
    case "accept":
      return accept(call, state, command.edits);
    case "revise":
      return revise(call, state, command.feedback);
    case "answer":
      return answer(call, state, command.choice);
    case "resolve": {
      const { verb: _verb, ...asked } = command;
      return apply(call, { type: "resolve", ...asked }, asked.decision === "approve" ? ACCEPTED : REVISING);
    }
    default:
      return never(command);
  }
}

const ACCEPTED = "Plan approved; the agent carries it out now.";
const REVISING = "Plan sent back; the agent revises it now.";

const autoMessage = (enabled: boolean): string =>
  enabled
    ? "Auto is on: plans submitted from now on are approved by rule, and labelled so. A plan that waits already still waits for you."
    : "Auto is off: submitted plans wait for a person.";

/** Bound to what waits at this moment: if another revision comes in between, the machine refuses. */
function accept(call: CommandCall, state: PlanModeState, edits: boolean): Promise<CommandReply> | CommandReply {
  const submission = submissionOf(state);
  if (submission === undefined) return no(NOTHING_WAITS);
  const { approvalId, digest } = submission;
  const done = edits ? `${ACCEPTED} Edits within it are accepted.` : ACCEPTED;
  return apply(call, decision({ action: edits ? "edit" : "approve", approvalId, digest }), done);
}

function revise(call: CommandCall, state: PlanModeState, feedback: string): Promise<CommandReply> | CommandReply {
  const submission = submissionOf(state);
  if (submission === undefined) return no(NOTHING_WAITS);
  return apply(call, decision({ action: "reject", approvalId: submission.approvalId, feedback }), REVISING);
}

function answer(call: CommandCall, { question }: PlanModeState, choice: string): Promise<CommandReply> | CommandReply {
  if (question === null) return no(NO_QUESTION);
  const { approvalId, questionId } = question;
  return apply(
    call,
    decision({ action: "answer", approvalId, questionId, answer: choice }),
    "Answer sent; the agent goes on.",
  );
}

const NOTHING_WAITS = refuse("APPROVAL_NOT_PENDING", "No plan waits for a decision in this session.").refused;
const NO_QUESTION = refuse("QUESTION_NOT_PENDING", "No question waits for an answer in this session.").refused;
const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no plan in this session yet.").refused;

async function view(call: CommandCall, state: PlanModeState): Promise<CommandReply> {
  const { steps } = state.now;
  const revision = await currentRevision(call, state);
  if (revision === undefined && steps.length === 0) return no(NO_PLAN);
  const body = revision?.body ?? { title: "Draft", plan: steps };
  const plan = state.now.phase === "executing" ? steps : body.plan;
  return yes([renderStatus(state), "", renderPlan({ ...body, plan }, { format: "plain" })].join("\n"));
}

/** Again, and whole: what a person is asked to decide or to answer. */
async function restate(call: CommandCall, state: PlanModeState): Promise<CommandReply> {
  if (state.question !== null) return yes(renderQuestion(state.question, { format: "plain" }));
  const revision = await currentRevision(call, state);
  if (revision === undefined) return no(NOTHING_WAITS);
  const { body, planId, revision: number, digest } = revision;
  const how =
    state.now.phase === "pending" || state.now.phase === "rejected"
      ? "Decide with /plan accept, /plan accept edits or /plan revise <feedback>."
      : renderStatus(state);
  return yes(
    [renderPlan(body, { format: "plain" }), "", `plan_id=${planId} revision ${number} digest ${digest}`, how].join(
      "\n",
    ),
  );
}

async function diff(call: CommandCall, state: PlanModeState): Promise<CommandReply> {
  const after = await currentRevision(call, state);
  if (after === undefined) return no(NO_PLAN);
  const earlier = state.past?.findLast((past) => past.cycleId === after.cycleId);
  const before = earlier === undefined ? undefined : await revisionOf(call, earlier.planId);
  if (before === undefined) return yes("This is the first revision; there is nothing to compare it with.");
  const head = `Revision ${before.revision} → ${after.revision}`;
  return yes([head, renderPlanDiff(before.body, after.body)].join("\n"));
}

async function currentRevision(call: CommandCall, state: PlanModeState): Promise<PlanRevision | undefined> {
  const submission = submissionOf(state);
  return submission === undefined ? undefined : revisionOf(call, submission.planId);
}

async function revisionOf(call: CommandCall, planId: string): Promise<PlanRevision | undefined> {
  const stored = await call.artifact("plan", planId);
  return stored === undefined ? undefined : PlanRevision.parse(stored);
}

async function apply(call: CommandCall, command: JsonObject, done: string): Promise<CommandReply> {
  const outcome = await call.apply(command);
  return outcome.ok ? yes(done) : no(outcome.refusal);
}

const decision = (approval: JsonObject): JsonObject => ({ type: "decide", approval });
const yes = (message: string): CommandReply => ({ ok: true, message });
const no = (refusal: Refusal): CommandReply => ({ ok: false, refusal });
