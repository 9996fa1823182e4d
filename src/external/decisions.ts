/**
 * Decides for agents outside: a tool call passes the one gate, a plan or a question waits for a person. Whatever goes
 * wrong is a no with a sentence.
 *
 *   call ──▶ gate ──▶ allow · deny        plan ──▶ card ──▶ approved (edited) · rejected with feedback · expired · withdrawn
 *                                         question ──▶ card ──▶ answer · none
 */
import { z } from "zod";
import type { TriedWrite } from "../plan-mode/protocol/hold.ts";
import { type PendingQuestion, PlanModeState } from "../plan-mode/protocol/state.ts";
import type { CallAnswer } from "../plugins/api/calls.ts";
import { digestOf } from "../plugins/digest-of.ts";
import type {
  CallDecision,
  CallRequest,
  ExternalPlace,
  PlanDecision,
  PlanRequest,
  ProgressRequest,
  QuestionAnswer,
  QuestionRequest,
  RunState,
  WaitRequest,
} from "../protocol/external/decisions.ts";
import type { ApprovalId, QuestionId, SessionId } from "../protocol/ids.ts";
import { type Json, JsonObject } from "../protocol/json.ts";
import type { Refused } from "../protocol/refusal.ts";
import type { Session } from "../protocol/session.ts";
import { createExternalRuns, type ExternalParts, type ExternalRun, type ExternalRuns } from "./external-runs.ts";
import { foreignName, leadsInto, OWN_FOLDER_RULE } from "./outside-tools.ts";
import { planHosts } from "./plan-hosts.ts";
import { planArguments } from "./plan-texts.ts";
import { proposedPlan } from "./proposed-plan.ts";
import { answeredQuestion, decidedPlan, isWritten, latestAnswer, runStatus } from "./decided.ts";
import { runIdOf } from "./run-id.ts";
import { waitFor } from "./wait-for.ts";

/** `signal`: whoever asked is gone. `withdraw`: then the card goes too. */
export type Asking = { signal: AbortSignal; withdraw?: boolean };

/** `proposes`: what people may let it do. `tried` is absent where nothing can be named. */
export type TriedRequest = ExternalPlace & { proposes: string; tried?: TriedWrite | undefined };

export type Decisions = {
  call(request: CallRequest, asking: Asking): Promise<CallDecision>;
  plan(request: PlanRequest, asking: Asking): Promise<PlanDecision>;
  /** Puts a plan of the gateway's own before people, in place of an earlier one of its own; one of others is waited for. */
  propose(request: PlanRequest, asking: Asking): Promise<PlanDecision>;
  question(request: QuestionRequest, asking: Asking): Promise<QuestionAnswer>;
  progress(request: ProgressRequest, asking: Asking): Promise<RunState>;
  wait(request: WaitRequest, asking: Asking): Promise<PlanDecision | QuestionAnswer | RunState>;
  /** Shows people whether the hooks of a run tell of what it does. */
  markGated(place: ExternalPlace, gated: boolean): Promise<void>;
  /** The kernel refused a kept run something: people see what it was, and where no plan is before them one is proposed. */
  tried(request: TriedRequest, asking: Asking): Promise<void>;
  /** The program of a run has ended: what waits for people in it is withdrawn. */
  ended(place: ExternalPlace): Promise<void>;
  /** Each state of a run from now on, until the signal comes: what the keeper of a process tree follows. */
  follow(place: ExternalPlace, listener: (status: RunState) => void, signal: AbortSignal): Promise<Refused | undefined>;
};

type World = ExternalParts & { runs: ExternalRuns };

const OWN_TOOLS: ReadonlySet<string> = new Set(["exec", "write", "edit", "apply_patch", "read"]);

export function createDecisions(parts: ExternalParts): Decisions {
  const world: World = { ...parts, runs: createExternalRuns(parts) };
  return {
    call: (request, asking) => decideCall(request, asking, world),
    plan: (request, asking) => decidePlan(request, asking, world),
    propose: (request, asking) => proposePlan(request, asking, world),
    question: (request, asking) => decideQuestion(request, asking, world),
    progress: (request) => recordProgress(request, world),
    wait: (request, asking) => awaitDecision(request, asking, world),
    async markGated(place, gated) {
      const run = await world.runs.open(place);
      if (!("refused" in run)) await world.runs.order(run.sessionId, { type: "gated", gated }, "system");
    },
    tried: (request, asking) => showTried(request, asking, world),
    ended: (place) => withdrawAll(place, world),
    follow: (place, listener, signal) => followRun({ place, listener, signal }, world),
  };
}

const stateOf = ({ sessionId, plan }: ExternalRun, { review }: World) => ({
  status: runStatus(plan),
  sessionId,
  review: review(sessionId),
});

const nowhere = (review = "") => ({ status: "held" as const, sessionId: "", review });

async function decideCall(request: CallRequest, asking: Asking, world: World): Promise<CallDecision> {
  const run = await world.runs.open(request);
  if ("refused" in run) return { decision: "deny", reason: notRun(run), ...nowhere() };
  const tool = OWN_TOOLS.has(request.tool) ? request.tool : foreignName(request.agent, request.tool);
  if (tool !== "exec" && namesOwnFolder(request, world)) {
    return { decision: "deny", reason: OWN_FOLDER, rule: OWN_FOLDER_RULE, ...stateOf(run, world) };
  }
  let answer = await callOnce(run.sessionId, { tool, args: request.args }, world);
  const question = await askedAbout(run.sessionId, { tool, args: request.args }, world);
  if (isRefused(answer) && question !== undefined && (request.waitMs ?? 0) > 0) {
    await closed(question, { run, waitMs: request.waitMs ?? 0, asking }, world);
    answer = await callOnce(run.sessionId, { tool, args: request.args }, world);
  }
  const after = (await world.runs.read(run.sessionId)) ?? run;
  return { ...verdictOf(answer), ...stateOf(after, world) };
}

const OWN_FOLDER = "It was not run: it names a folder that belongs to the gateway. Leave it out.";
const TEXTS_MAX = 200;

/** Whatever a plan allows: what lies there decides about plans. */
function namesOwnFolder({ args, workspace }: CallRequest, { protectedFolders }: World): boolean {
  const texts: string[] = [];
  const look = (value: Json | undefined): void => {
    if (texts.length >= TEXTS_MAX) return;
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) look(inner);
  };
  look(args);
  return texts.some((text) => leadsInto(protectedFolders, text, workspace));
}

const isRefused = (answer: CallAnswer | Refused): boolean => "refused" in answer || answer.status === "refused";
const notRun = ({ refused }: Refused): string => `Not run: ${refused.message}`;

type Call = { tool: string; args: JsonObject };

/** A caller that was lost in this moment is opened anew, once: nothing has run under it. */
async function callOnce(sessionId: SessionId, { tool, args }: Call, { runs }: World): Promise<CallAnswer | Refused> {
  let answer: CallAnswer | Refused | undefined;
  for (let tries = 0; tries < 2; tries++) {
    const caller = await runs.caller(sessionId);
    if ("refused" in caller) return caller;
    answer = await caller.call(tool, args);
    if (!("refused" in answer) || answer.refused.code !== "LEASE_LOST") return answer;
  }
  return answer ?? LOST;
}
const LOST: Refused = { refused: { code: "LEASE_LOST", message: "The gateway could not hold the run." } };

const RefusedContent = z.object({ message: z.string(), rule: z.string().optional() });

function verdictOf(answer: CallAnswer | Refused): Pick<CallDecision, "decision" | "reason" | "rule"> {
  if ("refused" in answer) return { decision: "deny", reason: notRun(answer) };
  if (answer.status === "ok") return { decision: "allow", reason: "" };
  const { message, rule } = saidBy(answer);
  return { decision: "deny", reason: message, ...(rule === undefined ? {} : { rule }) };
}

function saidBy({ content }: CallAnswer): z.infer<typeof RefusedContent> {
  const read = RefusedContent.safeParse(content);
  return read.success ? read.data : { message: typeof content === "string" ? content : "The gate refused it." };
}

/** A question to people about exactly this call. */
async function askedAbout(
  sessionId: SessionId,
  { tool, args }: Call,
  { runs }: World,
): Promise<PendingQuestion | undefined> {
  const question = (await runs.read(sessionId))?.plan.question ?? undefined;
  const call = question?.call;
  return call?.tool === tool && call.argsDigest === digestOf(args) ? question : undefined;
}

type Waiting = { run: ExternalRun; waitMs: number; asking: Asking };

async function closed(question: PendingQuestion, { run, waitMs, asking }: Waiting, world: World): Promise<void> {
  const { sessionId } = run;
  await waitFor(
    {
      sessionId,
      waitMs,
      signal: asking.signal,
      look: (session) => (questionIn(session) === question.questionId ? undefined : true),
    },
    world,
  );
  if (asking.signal.aborted && asking.withdraw === true) await withdraw(sessionId, question.approvalId, world);
}

const Question = z.object({ question: z.object({ questionId: z.string() }).nullable() });
const questionIn = (session: Session | undefined): string | undefined =>
  Question.safeParse(session?.slices["planMode"]).data?.question?.questionId;

/** By the gateway, as time would do it: an agent that stopped waiting leaves no card behind. */
async function withdraw(sessionId: SessionId, approvalId: ApprovalId, { runs }: World): Promise<void> {
  await runs.order(sessionId, { type: "expire", approvalId }, "system");
}

async function withdrawAll(place: ExternalPlace, world: World): Promise<void> {
  const run = await world.runs.read(runIdOf(place));
  if (run === undefined) return;
  const { sessionId, plan } = run;
  if (plan.now.phase === "pending") await withdraw(sessionId, plan.now.submission.approvalId, world);
  if (plan.question !== null) await withdraw(sessionId, plan.question.approvalId, world);
}

async function decidePlan(request: PlanRequest, asking: Asking, world: World): Promise<PlanDecision> {
  const run = await world.runs.open(request);
  if ("refused" in run) return { outcome: "refused", message: run.refused.message, ...nowhere() };
  const refused = (message: string): PlanDecision => ({ outcome: "refused", message, ...stateOf(run, world) });
  const args = planArguments(request);
  if (args === undefined) return refused("The plan is empty. Write what you want to do, step by step, and submit it.");
  if (run.plan.now.phase === "executing" || !isBefore(run.plan, args)) {
    const problem = await submit(run, args, world);
    if (problem !== undefined) return refused(problem);
  }
  const submitted = await world.runs.read(run.sessionId);
  if (submitted === undefined) return refused("The session of this run is gone.");
  return untilDecided({ run: submitted, waitMs: request.waitMs ?? 0, asking }, world);
}

async function proposePlan(request: PlanRequest, asking: Asking, world: World): Promise<PlanDecision> {
  const run = await world.runs.open(request);
  if ("refused" in run) return { outcome: "refused", message: run.refused.message, ...nowhere() };
  const waitMs = request.waitMs ?? 0;
  const { now } = run.plan;
  const isOthers =
    now.phase === "pending" && (now.submission.title !== request.plan.title || isWritten(now.submission));
  const args = planArguments(request);
  if (isOthers || now.phase === "executing" || args === undefined) return untilDecided({ run, waitMs, asking }, world);
  const problem = await submit(run, args, world);
  const submitted = (await world.runs.read(run.sessionId)) ?? run;
  if (problem !== undefined) return { outcome: "refused", message: problem, ...stateOf(submitted, world) };
  return untilDecided({ run: submitted, waitMs, asking }, world);
}

/** After a no nobody is asked again by the same program; what it tries is shown all the same. */
async function showTried({ proposes, tried, ...place }: TriedRequest, asking: Asking, world: World): Promise<void> {
  const run = await world.runs.open(place);
  if ("refused" in run) return;
  if (tried !== undefined) await world.runs.order(run.sessionId, { type: "tried", tried }, "system");
  const { phase } = run.plan.now;
  if (phase === "pending" || phase === "executing" || phase === "rejected") return;
  await proposePlan({ ...place, plan: proposedPlan(place, { proposes }) }, asking, world);
}

/** The same plan, submitted again while it waits, is the same card: a hook that was cut off goes on waiting. */
function isBefore({ now }: PlanModeState, { title, plan }: JsonObject): boolean {
  if (now.phase !== "pending") return false;
  const texts = now.submission.steps.map(({ step }) => step);
  const own = z.array(z.object({ step: z.string() })).safeParse(plan).data ?? [];
  return now.submission.title === title && digestOf(texts) === digestOf(own.map(({ step }) => step));
}

/** A new plan takes the place of one that is being carried out: from then on the run is held again. */
async function submit({ sessionId, plan }: ExternalRun, args: JsonObject, world: World): Promise<string | undefined> {
  if (plan.now.phase === "executing") {
    const entered = await callOnce(sessionId, { tool: "enter_plan_mode", args: {} }, world);
    if ("refused" in entered) return entered.refused.message;
  }
  const answer = await callOnce(sessionId, { tool: "exit_plan_mode", args }, world);
  if ("refused" in answer) return answer.refused.message;
  return answer.status === "ok" ? undefined : saidBy(answer).message;
}

async function untilDecided({ run, waitMs, asking }: Waiting, world: World): Promise<PlanDecision> {
  const { sessionId } = run;
  const { now } = run.plan;
  if (now.phase !== "pending") return { ...decidedPlan(run, undefined), ...stateOf(run, world) };
  const { approvalId } = now.submission;
  const found = await waitFor(
    {
      sessionId,
      waitMs,
      signal: asking.signal,
      look: (session) => (isPending(session, approvalId) ? undefined : true),
    },
    world,
  );
  if (found === undefined && asking.signal.aborted && asking.withdraw === true) {
    await withdraw(sessionId, approvalId, world);
  }
  const after = (await world.runs.read(sessionId)) ?? run;
  return { ...decidedPlan(after, now.submission), ...stateOf(after, world) };
}

const Pending = z.object({ now: z.object({ phase: z.string(), submission: z.object({ approvalId: z.string() }) }) });

function isPending(session: Session | undefined, approvalId: ApprovalId): boolean {
  const { data } = Pending.safeParse(session?.slices["planMode"]);
  return data?.now.phase === "pending" && data.now.submission.approvalId === approvalId;
}

async function decideQuestion(request: QuestionRequest, asking: Asking, world: World): Promise<QuestionAnswer> {
  const run = await world.runs.open(request);
  if ("refused" in run) return { outcome: "refused", message: run.refused.message, ...nowhere() };
  const { question, options, allowFreetext } = request;
  if (run.plan.question?.question !== question.trim()) {
    const args = {
      question,
      options: options.map(plainOption),
      ...(allowFreetext === undefined ? {} : { allowFreetext }),
    };
    const answer = await callOnce(run.sessionId, { tool: "ask_user_question", args }, world);
    const problem =
      "refused" in answer ? answer.refused.message : answer.status === "ok" ? undefined : saidBy(answer).message;
    if (problem !== undefined) return { outcome: "refused", message: problem, ...stateOf(run, world) };
  }
  const asked = (await world.runs.read(run.sessionId)) ?? run;
  return untilAnswered({ run: asked, waitMs: request.waitMs ?? 0, asking }, world);
}

const plainOption = (option: QuestionRequest["options"][number]) =>
  typeof option === "string" || option.description === undefined
    ? typeof option === "string"
      ? option
      : option.label
    : { label: option.label, description: option.description };

async function untilAnswered({ run, waitMs, asking }: Waiting, world: World): Promise<QuestionAnswer> {
  const { sessionId, plan } = run;
  const { question } = plan;
  if (question === null) {
    return { outcome: "expired", message: "No question waits in this run.", ...stateOf(run, world) };
  }
  const heard = listen(sessionId, question.questionId, world);
  await closed(question, { run, waitMs, asking }, world);
  const after = (await world.runs.read(sessionId)) ?? run;
  return { ...answeredQuestion(after, question, heard()), ...stateOf(after, world) };
}

/** How a question ended is an event, not a state: it is noted as it passes. */
function listen(sessionId: SessionId, questionId: QuestionId, { sessions }: World): () => JsonObject | undefined {
  let found: JsonObject | undefined;
  const stop = sessions.onCommitted(({ events }) => {
    for (const { event } of events) {
      const about = "event" in event ? event.event : event;
      if (isAbout(about, questionId)) found = about;
    }
  }, sessionId);
  return () => {
    stop();
    return found;
  };
}

const isAbout = (event: object, questionId: QuestionId): event is JsonObject =>
  "questionId" in event && event.questionId === questionId && "type" in event && event.type !== "question.asked";

async function recordProgress(request: ProgressRequest, world: World): Promise<RunState> {
  const run = await world.runs.open(request);
  if ("refused" in run) return { message: run.refused.message, ...nowhere() };
  const args = JsonObject.parse({ plan: request.steps, merge: true });
  const answer = await callOnce(run.sessionId, { tool: "update_plan", args }, world);
  const problem = "refused" in answer ? answer.refused.message : answer.status === "ok" ? "" : saidBy(answer).message;
  const after = (await world.runs.read(run.sessionId)) ?? run;
  return { message: problem, ...stateOf(after, world) };
}

async function awaitDecision(
  request: WaitRequest,
  asking: Asking,
  world: World,
): Promise<PlanDecision | QuestionAnswer | RunState> {
  const run = await world.runs.open(request);
  if ("refused" in run) return { message: run.refused.message, ...nowhere() };
  const waiting = { run, waitMs: request.waitMs ?? 0, asking };
  if (run.plan.now.phase === "pending") return untilDecided(waiting, world);
  if (run.plan.question !== null) return untilAnswered(waiting, world);
  const answer = latestAnswer(run); // a person may be quicker than whoever comes to wait for them
  if (answer !== undefined) return { outcome: "answered", answer, message: answer, ...stateOf(run, world) };
  if (run.plan.now.phase === "exploring") return { message: EXPLORING, ...stateOf(run, world) };
  return { ...decidedPlan(run, undefined), ...stateOf(run, world) };
}

const EXPLORING = "Nothing waits for a person. Read what you need, then submit a plan.";

type Following = { place: ExternalPlace; listener(status: RunState): void; signal: AbortSignal };

async function followRun({ place, listener, signal }: Following, world: World): Promise<Refused | undefined> {
  const run = await world.runs.open(place);
  if ("refused" in run) return run;
  const { sessionId } = run;
  let last = "";
  await waitFor(
    {
      sessionId,
      waitMs: FOLLOW_MS_MAX,
      signal,
      look(session) {
        const status = session === undefined || session.archived ? "held" : statusIn(session);
        const told = { message: "", status, sessionId, review: world.review(sessionId), ...hostsIn(session) };
        if (status !== last) listener(told);
        last = status;
        return session === undefined ? true : undefined;
      },
    },
    world,
  );
  return undefined;
}

/** Only of what is being carried out. */
function hostsIn(session: Session | undefined): Pick<RunState, "hosts"> {
  const { data } = PlanModeState.safeParse(session?.slices["planMode"]);
  return data?.now.phase === "executing" ? { hosts: planHosts(data.now.submission) } : {};
}

/** Longer than any process lives that is followed. */
const FOLLOW_MS_MAX = 365 * 24 * 60 * 60_000;

const statusIn = (session: Session): RunState["status"] => {
  const stored = session.slices["planMode"];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by the slice's own schema; anything else reads as held
  const plan = stored as PlanModeState | undefined;
  // the keeper opens the whole workspace or nothing, so a plan that is limited to a scope opens nothing (BY-02)
  return plan?.now.phase === "executing" && plan.now.scoped === true ? "held" : runStatus(plan);
};
