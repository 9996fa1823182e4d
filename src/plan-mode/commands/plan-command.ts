/** `/plan`, on every surface: each verb is read, shown or turned into a command of the machine, in the sender's name. */
import { z } from "zod";
import { type JsonObject } from "../../protocol/json.ts";
import { foremost } from "../../protocol/card/card.ts";
import { PlanModeState } from "../protocol/state.ts";
import type { PlanBody, PlanRevision, PlanStep } from "../protocol/plan.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import type { Seen } from "../protocol/step/proof-standing.ts";
import type { RunSelfTest } from "../protocol/self-test/self-test-report.ts";
import type { FindTemplates } from "../seeding/find-templates.ts";
import { ENGLISH } from "../texts/en.ts";
import { lines, messageOf, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized, localizedByKey } from "../texts/localized.ts";
import { type CommandCall, type CommandResult, never, type PluginCommand } from "../../plugins/sdk.ts";
import { numberRanges } from "../machine/stage/number-ranges.ts";
import { submissionOf } from "../machine/plan/cycle.ts";
import { INITIAL } from "../machine/evolve.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { planWords, stepWords } from "../render/render-plan.ts";
import { inline } from "../render/format.ts";
import { cardWords } from "../render/render-card.ts";
import { NO_APPROVAL_NOTICE } from "../cards/notice-cards.ts";
import { statusWords } from "../render/render-status.ts";
import { described, parsePlanCommand, PLAN_USAGE, type PlanCommand } from "./parse-plan-command.ts";
import { archetypeCommand, templateCommand } from "./template-commands.ts";
import { answerSeen, seenPlan } from "./seen-decision.ts";
import {
  type ComparedRevisions,
  diffMessage,
  noteOrder,
  notesMessage,
  revisionOf,
  threadOrder,
} from "./review-commands.ts";

const READS: ReadonlySet<string> = new Set(["view", "restate", "notes", "diff"]);

/** `selfTest`: absent where there is no installation to test; `templates`: where there are no skills. */
type PlanCommandParts = { selfTest?: RunSelfTest | undefined; templates?: FindTemplates | undefined };

export const createPlanCommand = ({ selfTest, templates }: PlanCommandParts = {}): PluginCommand => ({
  name: "plan",
  description: ENGLISH.command_plan,
  usage: [...PLAN_USAGE],
  textOf: localizedByKey,
  ownership: "reserved",
  requiredScopes: ["operator.approvals"],
  bareAs: "status",
  subcommands: PLAN_USAGE.map(subcommand),
  async handler(call) {
    const command = parsePlanCommand(call.args);
    if ("refused" in command) return no(command.refused);
    if (command.verb === "self-test") return testItself(selfTest);
    if (command.verb === "template") return templateCommand(call, command.skill, templates);
    return run(command, call, stateOf(call));
  },
});

export const planCommand: PluginCommand = createPlanCommand();

async function testItself(selfTest: RunSelfTest | undefined): Promise<CommandResult> {
  if (selfTest === undefined)
    return no(refuse("COMMAND_USAGE", localized("notYet", { command: "/plan self-test" })).refused);
  const { ok, tookMs, steps } = await selfTest();
  const failed = steps.find((step) => !step.ok);
  if (!ok || failed !== undefined)
    return yes(localized("selfTestFailed", { step: failed?.step ?? "start", why: failed?.why ?? "" }));
  return yes(localized("selfTestPassed", { ms: tookMs, steps: steps.map(({ step }) => step).join(", ") }));
}

/**
 * `/plan answer <choice> — what it does`: reading is open, everything else is a decision. Plan text in a chat channel is
 * for whoever may decide, because steps name files and what the agent has seen; the status is for everybody paired.
 */
function subcommand(usage: string): NonNullable<PluginCommand["subcommands"]>[number] {
  const [typed = ""] = usage.split(" — ");
  const name = typed.split(" ")[1] ?? "";
  const isPlanText = READS.has(name);
  const isRead = name === "status" || isPlanText;
  return {
    name,
    description: described(usage),
    usage: typed,
    requiredScopes: isRead ? ["operator.read"] : ["operator.approvals"],
    ...(isPlanText ? { channelScopes: ["operator.approvals"] } : {}),
  };
}

const stateOf = ({ session }: CommandCall): PlanModeState =>
  PlanModeState.parse(session.slices[PLAN_MODE_SLICE] ?? INITIAL);

function run(
  command: Exclude<PlanCommand, { verb: "self-test" | "template" }>,
  call: CommandCall,
  state: PlanModeState,
): Promise<CommandResult> | CommandResult {
  switch (command.verb) {
    case "status":
      return yes(howItStands(call, state));
    case "view":
      return view(call, state, command.step);
    case "restate":
      return restate(call, state);
    case "diff":
      return diff(call, state, command);
    case "notes":
      return yes(notesMessage(state));
    case "note":
      return ordered(call, noteOrder(state, command.note), localized("noted"));
    case "settle":
      return ordered(call, threadOrder(state, command.n, RESOLVE), localized("noteResolved", { n: command.n }));
    case "reopen":
      return ordered(call, threadOrder(state, command.n, REOPEN), localized("noteReopened", { n: command.n }));
    case "reply": {
      const { n, text } = command;
      return ordered(call, threadOrder(state, n, { action: "reply", text }), localized("noteReplied", { n }));
    }
    case "on":
      return apply(call, { type: "enter", reason: "" }, localized("planOn"));
    case "off":
      return leave(call);
    case "lift":
      return liftHold(call, state);
    case "archetype":
      return archetypeCommand(call, state, command.archetype);
    case "auto":
      return apply(
        call,
        decision({ action: "auto", enabled: command.enabled }),
        localized(command.enabled ? "autoOn" : "autoOff"),
      );
    case "accept":
      return accept(call, state, command);
    case "write":
      return apply(call, { type: "write", text: command.text }, localized("planWritten"));
    case "revise":
      return revise(call, state, command.feedback);
    case "answer":
      return answer(call, state, command.choice);
    case "skip":
    case "hold":
      return stage(call, state, command);
    case "confirm":
    case "waive":
      return vouch(call, state, command);
    case "decline":
    case "defer":
      return leaveUnanswered(call, state, command);
    case "resolve": {
      const { verb: _verb, ...asked } = command;
      return apply(call, { type: "resolve", ...asked }, asked.decision === "approve" ? ACCEPTED : REVISING);
    }
    default:
      return never(command);
  }
}

const RESOLVE = { action: "resolve" } as const;
const REOPEN = { action: "reopen" } as const;
const ACCEPTED = localized("planAccepted");
const REVISING = localized("planRevising");

async function leave(call: CommandCall): Promise<CommandResult> {
  const outcome = await call.apply({ type: "leave" });
  if (!outcome.ok) return no(outcome.refusal);
  if (call.session.kind === "subagent") return yes(localized("planOffBelow"));
  return yes(localized(Left.parse(outcome.reply).held === true ? "planOffHeld" : "planOff"));
}

const Left = z.object({ held: z.boolean().optional() });

async function liftHold(call: CommandCall, { held }: PlanModeState): Promise<CommandResult> {
  const outcome = await call.apply(
    decision({ action: "lift", ...(held === undefined ? {} : { approvalId: held.id }) }),
  );
  if (!outcome.ok) return no(outcome.refusal);
  const { missing = 0 } = Signed.parse(outcome.reply);
  return yes(missing > 0 ? localized("looseningSigned", { missing }) : localized("planLifted"));
}

const Signed = z.object({ missing: z.int().optional() });

type Accept = Extract<PlanCommand, { verb: "accept" }>;

/** Bound to what the sender has seen: by the code that they typed, or by what the surface proves to have shown them. */
function accept(call: CommandCall, state: PlanModeState, typed: Accept): Promise<CommandResult> | CommandResult {
  const { edits, standing, steps, code } = typed;
  // of a plan that is carried out, steps are accepted by their numbers; a code belongs to one that waits
  if (isStaged(state) && steps !== undefined && code === undefined)
    return stage(call, state, { verb: "release", steps });
  const seen = seenPlan(call, state, typed);
  if ("refusal" in seen) return seen;
  const action = edits ? "edit" : "approve";
  if (steps !== undefined && standing === undefined) {
    const done = localized("planAcceptedSteps", { steps: numberRanges(steps) });
    return apply(call, decision({ ...seen, action, steps }), done);
  }
  if (standing !== undefined) {
    return apply(call, decision({ ...seen, action, standing: { ...standing } }), localized("planStanding"));
  }
  return apply(call, decision({ ...seen, action }), edits ? localized("planAcceptedEdits") : ACCEPTED);
}

const isStaged = ({ now }: PlanModeState): boolean => now.phase === "executing" && now.held !== undefined;

type Staged = { verb: "release" | "skip" | "hold"; steps: number[] };

/** About steps of the plan that is carried out. */
async function stage(call: CommandCall, state: PlanModeState, { verb: action, steps }: Staged): Promise<CommandResult> {
  const submission = submissionOf(state);
  if (submission === undefined) return no(NO_PLAN);
  const { approvalId, digest } = submission;
  const outcome = await call.apply(decision({ action, approvalId, digest, steps }));
  if (!outcome.ok) return no(outcome.refusal);
  const { missing = 0 } = Signed.parse(outcome.reply);
  return yes(missing > 0 ? localized("looseningSigned", { missing }) : localized("stepsDecided"));
}

function revise(call: CommandCall, state: PlanModeState, feedback: string): Promise<CommandResult> | CommandResult {
  const submission = submissionOf(state);
  if (submission === undefined) return no(NOTHING_WAITS);
  return apply(call, decision({ action: "reject", approvalId: submission.approvalId, feedback }), REVISING);
}

function answer(
  call: CommandCall,
  { question }: PlanModeState,
  choice: string,
): Promise<CommandResult> | CommandResult {
  if (question === null) return no(NO_QUESTION);
  const { approvalId, questionId } = question;
  const given = answerSeen(call, question, choice);
  if (typeof given !== "string") return given;
  return sendAnswer(call, decision({ action: "answer", approvalId, questionId, answer: given }));
}

/** An amendment may need other signatures besides; then nothing goes on yet. */
async function sendAnswer(call: CommandCall, command: JsonObject): Promise<CommandResult> {
  const outcome = await call.apply(command);
  if (!outcome.ok) return no(outcome.refusal);
  const { missing = 0 } = Signed.parse(outcome.reply);
  return yes(missing > 0 ? localized("looseningSigned", { missing }) : localized("answerSent"));
}

/** The answer names the criterion that it was about: a number alone would not show a mistaken one. */
async function vouch(
  call: CommandCall,
  state: PlanModeState,
  { verb: action, step, criterion, reason }: Extract<PlanCommand, { verb: "confirm" | "waive" }>,
): Promise<CommandResult> {
  const submission = submissionOf(state);
  if (submission === undefined) return no(NO_PLAN);
  const about = { approvalId: submission.approvalId, step, ...(criterion === undefined ? {} : { criterion }) };
  const outcome = await call.apply(decision({ action, ...about, ...(action === "waive" ? { reason } : {}) }));
  if (!outcome.ok) return no(outcome.refusal);
  const vouched = Vouched.parse(outcome.reply);
  const words = { number: vouched.number, criterion: inline(vouched.criterion, "plain") };
  return yes(localized(action === "confirm" ? "proofConfirmedSent" : "proofWaivedSent", words));
}

function leaveUnanswered(
  call: CommandCall,
  { question }: PlanModeState,
  { verb: action, reason }: Extract<PlanCommand, { verb: "decline" | "defer" }>,
): Promise<CommandResult> | CommandResult {
  if (question === null) return no(NO_QUESTION);
  const { approvalId, questionId } = question;
  const done = localized(action === "decline" ? "questionDeclined" : "questionDeferred");
  return apply(call, decision({ action, approvalId, questionId, ...(reason === "" ? {} : { reason }) }), done);
}

const Vouched = z.object({ number: z.string(), criterion: z.string() });

const NOTHING_WAITS = refuse("APPROVAL_NOT_PENDING", "No plan waits for a decision in this session.").refused;
const NO_QUESTION = refuse("QUESTION_NOT_PENDING", "No question waits for an answer in this session.").refused;
const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no plan in this session yet.").refused;

/** How it stands, and that no person is asked here, where the settings say so. */
function howItStands(call: CommandCall, state: PlanModeState): LocalizedText {
  const unasked = call.cards().filter(({ id }) => id === NO_APPROVAL_NOTICE);
  return lines([statusWords(state), ...unasked.map(({ status }) => ({ text: status.text, said: status.said ?? [] }))]);
}

async function view(call: CommandCall, state: PlanModeState, step?: number): Promise<CommandResult> {
  const { steps } = state.now;
  const revision = await currentRevision(call, state);
  if (revision === undefined && steps.length === 0) return no(NO_PLAN);
  if (step !== undefined) return viewStep(revision === undefined ? steps : liveBody(revision, state).plan, step, state);
  return yes(
    lines([howItStands(call, state), "", revision === undefined ? draftWords(steps) : liveWords(revision, state)]),
  );
}

function viewStep(steps: readonly PlanStep[], step: number, { now }: PlanModeState): CommandResult {
  const found = steps[step - 1];
  if (found !== undefined) return yes(stepWords(found, step - 1, seenOf(now)));
  return no(refuse("COMMAND_USAGE", localized("noteNoStep", { step, steps: steps.length })).refused);
}

const draftWords = (plan: PlanStep[]): LocalizedText =>
  planWords({ title: "", plan }, { head: localized("planTitle", { title: localized("planDraft") }) });

/** As it was submitted while people decide on it; with the steps as they stand while it is carried out. */
const liveBody = ({ body }: PlanRevision, { now }: PlanModeState): PlanBody =>
  now.phase === "executing" ? { ...body, plan: now.steps } : body;
const liveWords = (revision: PlanRevision, state: PlanModeState): LocalizedText =>
  planWords(liveBody(revision, state), { seen: seenOf(state.now) });
/** What was seen of the criteria, and what people confirmed or waived, while it is carried out. */
const seenOf = (now: PlanModeState["now"]): Seen | undefined => (now.phase === "executing" ? now : undefined);

/** Again, and whole: what a person is asked to decide or to answer; else the steps as they stand. */
async function restate(call: CommandCall, state: PlanModeState): Promise<CommandResult> {
  const { steps } = state.now;
  const card = foremost(call.cards());
  if (card === undefined) return steps.length === 0 ? no(NO_PLAN) : yes(draftWords(steps));
  const revision = card.kind === "approval" ? await currentRevision(call, state) : undefined;
  return yes(cardWords(card, revision === undefined ? undefined : liveBody(revision, state)));
}

async function diff(call: CommandCall, state: PlanModeState, sides: ComparedRevisions): Promise<CommandResult> {
  const found = await diffMessage(call, state, sides);
  return "refusal" in found ? found : yes(found);
}

async function currentRevision(call: CommandCall, state: PlanModeState): Promise<PlanRevision | undefined> {
  const submission = submissionOf(state);
  return submission === undefined ? undefined : revisionOf(call, submission.planId);
}

const ordered = (
  call: CommandCall,
  asked: { order: JsonObject } | { refusal: Refusal },
  done: LocalizedText,
): Promise<CommandResult> | CommandResult => ("refusal" in asked ? no(asked.refusal) : apply(call, asked.order, done));

async function apply(call: CommandCall, command: JsonObject, done: LocalizedText): Promise<CommandResult> {
  const outcome = await call.apply(command);
  return outcome.ok ? yes(done) : no(outcome.refusal);
}

const decision = (approval: JsonObject): JsonObject => ({ type: "decide", approval });
const yes = (words: LocalizedText): CommandResult => messageOf(words);
const no = (refusal: Refusal): CommandResult => ({ refusal });
