/** `holdpoint plan …`: the same decisions as on a card, for scripts and for people who are elsewhere. */
import { z } from "zod";
import { renderDiff } from "../../../plan-mode/render/render-diff.ts";
import { cardSteps, planSections } from "../../../plan-mode/cards/plan-sections.ts";
import { findAction, patchOf } from "../../../protocol/card/availability.ts";
import {
  type ApprovalCard,
  approvalIn,
  askingIn,
  isWaiting,
  ofGateway,
  withSections,
} from "../../../protocol/card/card.ts";
import { PlanId } from "../../../protocol/ids.ts";
import { Json, type JsonObject } from "../../../protocol/json.ts";
import type { SessionView } from "../../../protocol/methods.ts";
import { PlanApproval } from "../../../plan-mode/protocol/command.ts";
import type { PlanRevision, PlanStep } from "../../../plan-mode/protocol/plan.ts";
import { sessionIdOf } from "../../chat/choose-session.ts";
import { STANDING_DAYS_MAX, STANDING_RUNS_MAX, StandingTerms } from "../../../plan-mode/protocol/job/standing.ts";
import { planAnswer, withTerms } from "../../chat/decision.ts";
import type { Link } from "../../chat/link.ts";
import { patchSession } from "../../cards/patch-session.ts";
import { planLabel } from "../../cards/card-label.ts";
import { pastPlan, planCard, progress, stepList } from "../../cards/plan-card.ts";
import { cardsOf } from "../../cards/session-cards.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../context.ts";
import { withGateway } from "../../gateway-link.ts";
import type { PlanOverview } from "../../../plan-mode/protocol/plan-overview.ts";
import { numberRanges } from "../../../plan-mode/machine/stage/number-ranges.ts";
import { overviewOf } from "../../plan-state.ts";
import { ago } from "../../text/duration.ts";
import { sanitise, sanitiseLine } from "../../text/sanitise.ts";
import { table } from "../../text/table.ts";

export type OnSession = { session?: string };

export async function list(options: OnSession & { limit: number }, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const ofSession = options.session === undefined ? {} : { sessionId: sessionIdOf(options.session) };
    const { plans } = await link.call("plans.list", { ...ofSession, limit: Math.min(options.limit, 200) });
    output.document({ plans });
    if (plans.length === 0) return output.lines(["There are no plans yet."]);
    const rows = plans.map((plan) => [
      plan.planId,
      String(plan.revision),
      `${plan.body.plan.length}`,
      ago(Date.now() - plan.submittedAtMs),
      sanitiseLine(plan.body.title),
    ]);
    output.lines(table(["plan", "rev", "steps", "submitted", "title"], rows, output.look()));
  });
}

export async function show(
  planId: string | undefined,
  options: OnSession,
  { output, env }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const plan = await planOf(link, planId, options);
    const { card, status, steps, held } = standingOf(plan, await sessionIfThere(link, plan));
    output.document({ plan, status, steps, ...(held.length === 0 ? {} : { held }) });
    const look = output.look();
    const sections = planSections(plan.body);
    if (card !== undefined && isWaiting(card)) {
      return output.lines(planCard(withSections(card, sections), { look, nowMs: Date.now(), person: link.operator() }));
    }
    const note = status === "past" ? "past" : `${decidedHow(card, status)} · ${progress(steps)}`;
    const document = { title: plan.body.title, steps: cardSteps(plan.body.plan), sections };
    output.lines(pastPlan({ document, label: planLabel(plan.revision), note }, look));
    if (status !== "past") output.lines([...stepList(cardSteps(steps), look), ...heldLines(held, plan)]);
  });
}

type Standing = { card?: ApprovalCard; status: string; steps: PlanStep[]; held: number[] };

/** As it is carried out; of a plan that another took the place of, or whose session is gone, as it was submitted. */
function standingOf(plan: PlanRevision, session: SessionView | undefined): Standing {
  const past = { status: "past", steps: plan.body.plan, held: [] };
  if (session === undefined) return past;
  const overview = overviewOf(session);
  const [steps, held] = [[...overview.steps], [...overview.heldSteps]];
  const card = approvalIn(cardsOf(session));
  if (card?.planId === plan.planId) return { card, status: card.state, steps, held };
  return isCompleted(plan, overview) ? { status: "completed", steps, held } : past;
}

/** A plan is kept for ever, and can be read when its session is gone. */
async function sessionIfThere(link: Link, { sessionId }: PlanRevision): Promise<SessionView | undefined> {
  try {
    return (await link.call("sessions.get", { sessionId })).session;
  } catch (error) {
    if (error instanceof CliError && error.code === "SESSION_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Every command that is offered names the session: without it, it is the last in use that is meant. */
function heldLines(held: readonly number[], { sessionId }: PlanRevision): string[] {
  if (held.length === 0) return [];
  const steps = numberRanges(held);
  const accepts = `holdpoint plan accept --steps ${steps.replaceAll(" ", "")} --session ${sessionId}`;
  return [`Held: steps ${steps}. Accept them with: ${accepts}`];
}

/** What a rule approved is told from what a person did (PL-16). */
const decidedHow = (card: ApprovalCard | undefined, status: string): string =>
  card?.outcome?.by?.kind === "policy" ? `${status} by a rule` : status;

/** A plan that was carried out has no card any more. */
const isCompleted = (plan: PlanRevision, { completed }: PlanOverview): boolean => completed === plan.cycleId;

export type Accept = OnSession & {
  edits?: boolean;
  steps?: number[];
  standing?: boolean;
  runs?: number;
  days?: number;
  plan?: string;
};

/** A script or a person elsewhere has not seen what waits at this moment: it is named by its code, or by its id. */
export async function accept(
  code: string | undefined,
  { edits = false, steps, plan, standing, runs, days, ...options }: Accept,
  context: CommandContext,
): Promise<void> {
  const terms = standing === true ? standingTerms({ runs, days }) : undefined;
  if (terms === undefined && (runs !== undefined || days !== undefined)) throw NEEDS_STANDING;
  if (terms !== undefined && steps !== undefined) throw NEEDS_WHOLE;
  await decide(context, options, (session) => {
    const released = code === undefined ? releaseOf(session, steps) : undefined;
    if (released !== undefined) return released;
    const card = decidable(session, plan);
    const id = edits ? "approve-allowing-edits" : "approve";
    const expected = codeOf(card, id);
    const isNamed =
      code === undefined ? plan !== undefined && card.state === "pending" : code.toLowerCase() === expected;
    if (!isNamed) throw unnamed(card, { code, expected, edits, sessionId: session.id });
    if (terms === undefined) return withSteps(acted(card, id), steps);
    const signed = withTerms(findAction(card, "approve-standing"), { edits, standing: terms });
    if (signed === undefined) throw nothing("This plan was not submitted by a run of a job that comes again.");
    return signed;
  });
}

/** Of a plan that is carried out, steps are accepted by their numbers; a code belongs to one that waits. */
function releaseOf(session: SessionView, steps: number[] | undefined): JsonObject | undefined {
  const { carriedOut } = overviewOf(session);
  if (steps === undefined || carriedOut === undefined) return undefined;
  const { approvalId, digest } = carriedOut;
  return { planApproval: { action: "release", approvalId, digest, steps } };
}

function withSteps(patch: JsonObject, steps: number[] | undefined): JsonObject {
  if (steps === undefined) return patch;
  return { ...patch, planApproval: Json.parse({ ...PlanApproval.parse(patch["planApproval"]), steps }) };
}

const NEEDS_WHOLE = new CliError({
  exit: "usage",
  message: "A standing plan is accepted whole, because nobody is there to accept further steps.",
  advice: "Leave out --steps, or --standing.",
  code: "USAGE",
});

/** The last word of what a person would type. */
const codeOf = (card: ApprovalCard, id: string): string => findAction(card, id)?.command?.split(" ").at(-1) ?? "";

type Unnamed = { code: string | undefined; expected: string; edits: boolean | undefined; sessionId: string };

function unnamed(card: ApprovalCard, { code, expected, edits, sessionId }: Unnamed): CliError {
  const { title, revision = 1, status } = card;
  const stands = card.state === "rejected" ? ` ${sanitiseLine(status.text)}.` : "";
  const wrong = code === undefined ? "" : "This code is of something else. ";
  const on = `--session ${sessionId}`;
  return new CliError({
    exit: "usage",
    message: `${wrong}"${sanitiseLine(title)}" waits, revision ${revision}.${stands}`,
    advice: `Read it with: holdpoint plan show ${on}. Approve it with: holdpoint plan accept ${expected}${edits === true ? " --edits" : ""} ${on}`,
    code: "APPROVAL_CODE_REQUIRED",
  });
}

export async function lift(options: OnSession, context: CommandContext): Promise<void> {
  await decide(context, options, (session) => {
    const action = cardsOf(session).flatMap((card) => findAction(card, "lift") ?? [])[0];
    if (action === undefined) throw nothing("This session is not held.");
    return patchOf(action);
  });
}

function standingTerms(given: { runs: number | undefined; days: number | undefined }): StandingTerms {
  const parsed = StandingTerms.safeParse(given);
  if (parsed.success) return parsed.data;
  const message = `--runs is 1 to ${STANDING_RUNS_MAX}, --days is 1 to ${STANDING_DAYS_MAX}.`;
  throw new CliError({ exit: "usage", message, advice: "See: holdpoint plan accept --help", code: "USAGE" });
}

const NEEDS_STANDING = new CliError({
  exit: "usage",
  message: "--runs and --days limit a standing plan.",
  advice: "Add --standing, or leave them out.",
  code: "USAGE",
});

export async function revise(
  feedback: string,
  { plan, notes, ...options }: OnSession & { plan?: string; notes?: boolean },
  context: CommandContext,
): Promise<void> {
  if (feedback.trim() === "" && notes !== true) throw NOTHING_SAID;
  await decide(context, options, (session) => {
    const { id: approvalId } = decidable(session, plan);
    return { planApproval: { action: "reject", approvalId, feedback } }; // one that was sent back already is answered so
  });
}

const NOTHING_SAID = new CliError({
  exit: "usage",
  message: "A plan is sent back with what should change.",
  advice: "Write it behind the command, or send the open notes with --notes.",
  code: "USAGE",
});

export async function answer(choice: string, options: OnSession, context: CommandContext): Promise<void> {
  await decide(context, options, (session) => {
    const answered = planAnswer(askingIn(ofGateway(cardsOf(session))), choice);
    if (answered === undefined) throw nothing("No question waits in this session.");
    return answered;
  });
}

export async function diff(
  planId: string | undefined,
  { raw, from, to, ...options }: OnSession & { raw?: boolean; from?: number; to?: number },
  { output, env }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const plan = await planOf(link, planId, options);
    const { diff: found } = await link.call("plans.diff", {
      planId: plan.planId,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
    if (found === null) {
      output.document({ planId: plan.planId, revision: plan.revision, against: null, diff: null });
      return output.lines(["This is the first revision: there is nothing to compare it with."]);
    }
    output.document({
      planId: found.to.planId,
      revision: found.to.revision,
      against: found.from.planId,
      diff: found,
    });
    const { paint } = output.look();
    output.lines(
      sanitise(raw === true ? found.raw : renderDiff(found))
        .split("\n")
        .map((line) => (line.startsWith("+") ? paint.good(line) : line.startsWith("-") ? paint.bad(line) : line)),
    );
  });
}

export async function toggle(mode: "on" | "off", options: OnSession, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { id: sessionId } = await sessionOf(link, options);
    const { session } = await link.call("sessions.patch", { sessionId, planMode: mode === "on" ? "plan" : "normal" });
    const overview = session === null ? undefined : overviewOf(session);
    const held = overview?.held === true;
    output.document({ sessionId, mode: overview?.mode ?? null, ...(held ? { held } : {}) });
    output.lines([
      mode === "on" ? `Plan mode is on in ${sessionId}.` : `Plan mode is off in ${sessionId}.`,
      ...(held
        ? [`It is held: only reading runs until those who may approve run: holdpoint plan lift --session ${sessionId}`]
        : []),
    ]);
  });
}

export async function decide(
  { output, env }: CommandContext,
  options: OnSession,
  decisionOf: (session: SessionView) => JsonObject,
): Promise<void> {
  await withGateway(env, async (link) => {
    const found = await sessionOf(link, options);
    const patch = decisionOf(found);
    const planApproval = PlanApproval.parse(patch["planApproval"]);
    const { reply, session } = await patchSession(link, found.id, patch);
    const mode = session === null ? null : overviewOf(session).mode;
    const missing = Missing.parse(reply)?.missing ?? 0;
    const vouched = Vouched.parse(reply);
    output.document({
      sessionId: found.id,
      action: planApproval.action,
      approvalId: planApproval.action === "auto" ? null : planApproval.approvalId,
      mode,
      ...(missing > 0 ? { missing } : {}),
      ...vouched,
    });
    const isStanding = "standing" in planApproval && planApproval.standing !== undefined;
    const done = isStanding ? STANDS : DECIDED[planApproval.action];
    output.lines([
      missing > 0 ? `Signed. Signatures still missing: ${missing}` : done,
      ...(vouched === null ? [] : [`  ${vouched.number} ${sanitiseLine(vouched.criterion)}`]),
    ]);
  });
}

/** The criterion that was confirmed, or whose proof was waived. */
const Vouched = z.object({ number: z.string(), criterion: z.string() }).nullable().catch(null);
const Missing = z.object({ missing: z.int().optional() }).nullable().catch(null);

const STANDS = "Signed for the job: its next runs carry the plan out. See: holdpoint cron standing";

const DECIDED: Record<PlanApproval["action"], string> = {
  approve: "Approved. The agent may make its changes now.",
  edit: "Approved with accept-edits. The agent may make its changes now.",
  reject: "Sent back. The agent is told what to change.",
  approve_edited: "Your edition is approved. The agent may make its changes now.",
  answer: "Answered. The agent goes on.",
  decline: "Declined. The agent goes on without an answer.",
  defer: "Put off. The agent goes on with what does not depend on it.",
  auto: "Set.",
  release: "Accepted. The agent goes on with these steps.",
  hold: "Held. The agent leaves these steps until they are accepted.",
  skip: "Skipped. The agent leaves these steps out.",
  confirm: "Confirmed. The agent is told.",
  waive: "Waived. The agent is told.",
  lift: "The hold is lifted. The agent may change things again.",
};

/** The plan that a person can decide on, or change their mind about. */
function decidable(session: SessionView, expected: string | undefined): ApprovalCard {
  const card = approvalIn(cardsOf(session));
  if (card === undefined || card.actions.length === 0) throw nothing("No plan waits in this session.");
  if (expected !== undefined && card.planId !== expected) {
    throw nothing(`Another plan waits now: ${card.planId ?? card.id}, not ${expected}.`);
  }
  return card;
}

function acted(card: ApprovalCard, id: string): JsonObject {
  const action = findAction(card, id);
  if (action === undefined) throw nothing("No plan waits in this session.");
  return patchOf(action);
}

export const nothing = (message: string): CliError =>
  new CliError({
    exit: "nothingToDecide",
    message,
    advice: "See what waits with: holdpoint sessions list --waiting",
    code: "NOTHING_WAITS",
  });

/** The named session; else the only one that waits; else the last one used. Of several that wait, the person chooses. */
export async function sessionOf(link: Link, { session }: OnSession): Promise<SessionView> {
  if (session !== undefined) return (await link.call("sessions.get", { sessionId: sessionIdOf(session) })).session;
  const { sessions: waiting } = await link.call("sessions.list", { waiting: true, limit: 2 });
  if (waiting.length > 1) {
    const advice = "Name one with --session; see them with: holdpoint sessions list --waiting";
    throw new CliError({ exit: "usage", message: "Several sessions wait for a person.", advice, code: "USAGE" });
  }
  const { sessions: last } =
    waiting.length === 1 ? { sessions: waiting } : await link.call("sessions.list", { limit: 1 });
  const [found] = last;
  if (found === undefined) throw nothing("There is no session yet.");
  return (await link.call("sessions.get", { sessionId: found.id })).session;
}

export async function planOf(link: Link, planId: string | undefined, options: OnSession): Promise<PlanRevision> {
  if (planId !== undefined) {
    const id = PlanId.safeParse(planId);
    if (!id.success)
      throw new CliError({
        exit: "usage",
        message: `"${planId}" is no plan's id.`,
        advice: "Ids begin with pln_; see them with: holdpoint plan list",
        code: "USAGE",
      });
    return (await link.call("plans.get", { planId: id.data })).plan;
  }
  const session = await sessionOf(link, options);
  const { plans } = await link.call("plans.list", { sessionId: session.id, limit: 1 });
  const [last] = plans;
  if (last === undefined) throw nothing("There is no plan in this session yet.");
  return last;
}
