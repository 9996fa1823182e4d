/** Random commands by random people, agents and clocks: whatever happens, these sentences stay true. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  body,
  DIGEST,
  otherAgent,
  otherBody,
  planSession,
  type PlanSession,
  reader,
  sliceEvents,
  system,
} from "../../../test/kit/plan-session.ts";
import type { Step } from "../../core/step.ts";
import { type Actor, hasScope } from "../../protocol/actor.ts";
import type { ApprovalRules } from "../protocol/approvals.ts";
import { ApprovalId, NoteId, PlanId } from "../../protocol/ids.ts";
import type { PlanModeCommand } from "../protocol/command.ts";
import { type PlanEventOf, PlanModeEvent } from "../protocol/event.ts";
import type { PlanModeSettings } from "../protocol/settings.ts";
import { type HeldCall, PlanModeState } from "../protocol/state.ts";
import type { PlanBody, PlanStep } from "../protocol/plan.ts";
import { planDigest } from "../tools/plan-digest.ts";
import { submissionOf } from "./plan/cycle.ts";
import { planGate } from "./gate.ts";
import { rejectionsOf } from "./signature/decision-code.ts";
import { refuseAlone } from "./signature/loosening.ts";
import { scopeKey, scopeOf } from "./scope/plan-scope.ts";
import { planModeSlice } from "./slice.ts";
import { isAtCheckpoint } from "./stage/stages.ts";
import { repeated } from "../../../test/kit/repetitions.ts";

const FOREIGN = ApprovalId.parse("apr_foreign");

/** What has been decided so far, kept by the test beside the machine. */
type Ledger = {
  decisions: Map<string, string[]>;
  approvalIds: ApprovalId[];
  rejections: number;
  completed: Set<string>;
  /** The approval of the plan that was done last: its decision may still be on its way to the agent. */
  done: ApprovalId | undefined;
};

type Op =
  | { kind: "plan"; make(session: PlanSession, ledger: Ledger): { command: PlanModeCommand; by: Actor } }
  | { kind: "advance"; ms: number }
  | { kind: "fire" }
  | { kind: "turn" }
  | { kind: "configure"; settings: Partial<PlanModeSettings> };

const HELD: HeldCall = {
  gate: "plan",
  tool: "exec",
  kind: "bash",
  argsDigest: "held",
  folder: "/w",
  rule: "unknown-command",
  matched: "make",
};
const OUTSIDE: HeldCall = { ...HELD, gate: "scope", tool: "write", kind: "file_edit", argsDigest: "outside" };
/** With a scope, a checkpoint and a proof. */
const declaring: PlanBody = {
  title: "In two phases",
  plan: [
    { step: "A", status: "pending", scope: { paths: ["a/"] }, checkpoint: true },
    {
      step: "B",
      status: "pending",
      acceptanceCriteria: ["it holds"],
      proof: [{ by: "person", criterion: "it holds" }],
    },
  ],
};
const DRAFT: PlanStep[] = [{ step: "A", status: "in_progress" }];

const actor = fc.constantFrom(agent, agent, agent, alice, alice, admin, reader, otherAgent, system);
const WHICH = ["current", "current", "current", "current", "current", "past", "foreign"] as const;

function idOf(which: (typeof WHICH)[number], session: PlanSession, ledger: Ledger): ApprovalId {
  const { question } = session.state();
  const known = which === "past" ? ledger.approvalIds.at(0) : undefined;
  if (known !== undefined) return known;
  if (which === "foreign") return FOREIGN;
  return submissionOf(session.state())?.approvalId ?? question?.approvalId ?? FOREIGN;
}

type Reviewing = { approvalId: ApprovalId; enabled: boolean; base: PlanBody };

/** Editions, notes, readers and non-answers. */
function reviewCommands(session: PlanSession, { approvalId, enabled, base }: Reviewing): PlanModeCommand[] {
  const { review, question } = session.state();
  const noteId = review?.notes.at(0)?.id ?? NoteId.parse("nte_x");
  const digest = submissionOf(session.state())?.digest ?? DIGEST;
  const waiting = question?.approvalId ?? approvalId;
  const anchor = { on: "step", step: 1 } as const;
  return [
    {
      type: "approve-edition",
      approval: { action: "approve_edited", approvalId, digest, steps: DRAFT, allowEdits: enabled },
      base,
    },
    { type: "note", note: { action: "add", approvalId, kind: "change", anchor, text: "x" } },
    { type: "note", note: { action: enabled ? "resolve" : "reopen", noteId } },
    { type: "reading", approvalId: waiting },
    { type: "decide", approval: { action: "decline", approvalId: waiting } },
    { type: "decide", approval: { action: "approve", approvalId } },
  ];
}

type Drawn = { which: (typeof WHICH)[number]; digest: string | undefined; enabled: boolean; other: boolean };

const closedSteps = (steps: readonly PlanStep[]): PlanStep[] =>
  steps.length === 0 ? DRAFT : steps.map(({ step }) => ({ step, status: "cancelled" }));

/** Stands for the right one where it is DIGEST. */
function shownDigest(digest: string | undefined, right = DIGEST): { digest?: string } {
  if (digest === undefined) return {};
  return { digest: digest === DIGEST ? right : digest };
}

function commandsOf(session: PlanSession, ledger: Ledger, { which, digest, enabled, other }: Drawn): PlanModeCommand[] {
  const approvalId = idOf(which, session, ledger);
  const submission = submissionOf(session.state());
  const shown = shownDigest(digest, submission?.digest);
  const proposed = other ? (enabled ? declaring : otherBody) : body;
  const { now, question } = session.state();
  const asked = question?.approvalId ?? approvalId;
  const planId = submission?.planId ?? PlanId.parse("pln_x");
  return [
    { type: "enter", reason: "x" },
    { type: "leave" },
    { type: "submit", body: proposed, digest: planDigest(proposed) },
    { type: "submit", body: proposed, digest: planDigest(proposed), addresses: enabled ? ["n1"] : [] },
    { type: "decide", approval: { action: "approve", approvalId, ...shown } },
    { type: "decide", approval: { action: "edit", approvalId, ...shown } },
    { type: "decide", approval: { action: "reject", approvalId, feedback: other ? "no" : " " } },
    { type: "decide", approval: { action: "auto", enabled } },
    { type: "decide", approval: { action: "answer", approvalId: asked, answer: "1" } },
    { type: "ask", callId: "c", question: "Q?", options: ["A", "B"] },
    { type: "ask-call", callId: "c", call: HELD, shown: "make" },
    { type: "expire", approvalId },
    { type: "destructive", check: "rm" },
    { type: "resolve", planId, decision: enabled ? "approve" : "reject", reason: "because" },
    { type: "update", patch: { plan: closedSteps(now.steps), merge: true } },
    ...reviewCommands(session, { approvalId, enabled, base: proposed }),
    ...looseningCommands(session, { approvalId, enabled, other }),
    ...stagingCommands(session, { approvalId, enabled, other }),
  ];
}

/** Scope, stages and proofs of a plan that is carried out. */
function stagingCommands(session: PlanSession, { approvalId, enabled, other }: Loosened): PlanModeCommand[] {
  const asked = session.state().question?.approvalId ?? approvalId;
  const steps = [other ? 2 : 1];
  const done: PlanStep = { step: "B", status: "completed", verifiedCriteria: ["it holds"] };
  return [
    { type: "ask-call", callId: "c", call: OUTSIDE, shown: "path: b", amend: { paths: ["b/x"] } },
    { type: "decide", approval: { action: "answer", approvalId: asked, answer: enabled ? "amend" : "allow-once" } },
    { type: "decide", approval: { action: enabled ? "release" : "hold", approvalId, steps } },
    { type: "decide", approval: { action: "skip", approvalId, steps } },
    { type: "decide", approval: { action: "approve", approvalId, steps } },
    { type: "decide", approval: { action: "waive", approvalId, step: 2, reason: "none here" } },
    { type: "update", patch: { plan: [{ step: "A", status: "completed" }, done], merge: true } },
  ];
}

type Loosened = { approvalId: ApprovalId; enabled: boolean; other: boolean };

/** What loosens the gate besides an approval, and approvals over a rejection. */
function looseningCommands(session: PlanSession, { approvalId, enabled, other }: Loosened): PlanModeCommand[] {
  const seen = rejectionsOf(session.state().now) - (other ? 1 : 0);
  const overRejection = seen > 0 ? seen : true;
  return [
    { type: "decide", approval: { action: "approve", approvalId, overRejection } },
    { type: "decide", approval: { action: "lift", approvalId: session.state().held?.id ?? approvalId } },
    { type: "set-permission-mode", mode: enabled ? "bypass" : "default" },
  ];
}

const COMMANDS = 31;
/** More of what makes something happen, less of what ends it. */
const KINDS = [
  1,
  21,
  21,
  22,
  22,
  22,
  0,
  2,
  2,
  2,
  3,
  3,
  4,
  4,
  5,
  6,
  8,
  9,
  10,
  14,
  15,
  15,
  16,
  17,
  18,
  20,
  20,
  24,
  25,
  26,
  26,
  28,
  30,
  ...Array(COMMANDS).keys(),
];

/** Whoever may give a command: it is they who do, most of the time. */
function fitting({ type }: PlanModeCommand, second: boolean): Actor {
  if (type === "expire") return system;
  const isAgents = ["enter", "submit", "update", "ask", "ask-call", "destructive"].includes(type);
  return isAgents ? agent : second ? admin : alice;
}

const planOp: fc.Arbitrary<Op> = fc
  .record({
    by: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: actor }),
    which: fc.constantFrom(...WHICH),
    kind: fc.constantFrom(...KINDS),
    digest: fc.constantFrom(undefined, DIGEST, "other"),
    enabled: fc.boolean(),
    other: fc.boolean(),
  })
  .map(({ by, kind, ...drawn }) => ({
    kind: "plan",
    make(session, ledger) {
      const command = commandsOf(session, ledger, drawn)[kind] ?? { type: "status" };
      return { command, by: by ?? fitting(command, drawn.enabled) };
    },
  }));

const mostly = fc.constantFrom(true, true, true, true, true, false);

const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 12, arbitrary: planOp },
  { weight: 1, arbitrary: fc.constantFrom<Op>({ kind: "fire" }, { kind: "turn" }) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 9_999, 60_000, -5_000).map((ms): Op => ({ kind: "advance", ms })) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        enabled: mostly,
        requireApproval: mostly,
        autoEnterOnDestructive: fc.boolean(),
        requireResolvedThreads: fc.boolean(),
        unlock: fc.constantFrom("open" as const, "scoped" as const),
        approvals: fc.constantFrom<ApprovalRules>({ quorum: 1 }, { quorum: 2 }, { quorum: 1, approvers: ["Root"] }),
      })
      .map((settings): Op => ({ kind: "configure", settings })),
  },
);

describe("the machine, whatever is thrown at it", () => {
  it("[PL-01, PL-09, PL-10, PL-16, PL-17, PL-18, PL-19, PL-20, BY-06, GA-01, I02, I03, I05, I12] keeps its promises", () => {
    fc.assert(
      fc.property(fc.array(op, { minLength: 25, maxLength: 60 }), (ops) => {
        const session = planSession({ settings: { approvalTimeoutSeconds: 10 } });
        const ledger: Ledger = {
          decisions: new Map(),
          approvalIds: [],
          rejections: 0,
          completed: new Set(),
          done: undefined,
        };
        for (const one of ops) perform(one, session, ledger);
        expect(PlanModeState.safeParse(session.session().slices["planMode"]).success).toBe(true);
      }),
      repeated(400),
    );
  });
});

function perform(one: Op, session: PlanSession, ledger: Ledger): void {
  switch (one.kind) {
    case "advance":
      return session.advance(one.ms);
    case "configure":
      return session.configure(one.settings);
    case "turn":
      if (session.session().turn.status === "requested") session.startTurn();
      else if (session.session().turn.status === "running") session.finishTurn();
      return;
    case "fire": {
      const due = session.session().timers.find((timer) => timer.atMs <= session.now());
      if (due === undefined) return;
      const result = session.run({ type: "timer.fire", key: due.key, atMs: due.atMs }, system);
      if (!("refused" in result)) check(result, { session, ledger, by: system });
      return;
    }
    case "plan":
      return give(one, session, ledger);
  }
}

function give({ make }: Extract<Op, { kind: "plan" }>, session: PlanSession, ledger: Ledger): void {
  const before = session.session();
  const { command, by } = make(session, ledger);
  const result = session.apply(command, by);
  expect("refused" in result && session.session() !== before).toBe(false);
  if ("refused" in result) return;
  checkSeen(command, PlanModeState.parse(before.slices["planMode"]), result);
  checkAlone(PlanModeState.parse(before.slices["planMode"]), { session, by }, result);
  check(result, { session, ledger, by });
}

/** Over a rejection nobody approves, or signs, who does not say that they have seen it. */
function checkSeen(command: PlanModeCommand, { now }: PlanModeState, step: Step): void {
  const isSigned = sliceEvents(step).some((type) => type === "plan.approved" || type === "plan.signed");
  if (now.phase !== "rejected" || !isSigned) return;
  const asked = command.type === "resolve" ? command : command.type === "submit" ? undefined : approvalIn(command);
  if (asked === undefined) return; // approved by a rule, with a revision of its own
  const { overRejection } = asked;
  expect(overRejection === true || Number(overRejection) >= now.cycle.rejectionCount).toBe(true);
}

const approvalIn = (command: PlanModeCommand): { overRejection?: boolean | number | undefined } =>
  (command.type === "decide" || command.type === "approve-edition") && "overRejection" in command.approval
    ? command.approval
    : {};

/** Nobody opens alone what one person alone could not approve: the gate, a hold, or what is asked about. */
function checkAlone(before: PlanModeState, { session, by }: { session: PlanSession; by: Actor }, step: Step): void {
  if (by.kind !== "operator" || refuseAlone({ actor: by, settings: session.settings() }) === undefined) return;
  const events = sliceEvents(step);
  if (before.now.mode === "plan" && events.includes("plan.left")) expect(session.state().held).toBeDefined();
  const isQuorum = session.settings().approvals.quorum > 1;
  const isStaged = step.events.some(
    (event) => event.type === "slice.changed" && event.event.type === "plan.staged" && "released" in event.event,
  );
  if (events.includes("plan.amended") || isStaged) expect([isQuorum, events[0]]).toEqual([true, "loosening.signed"]);
  if (events.includes("hold.lifted") || (events.includes("permission.set") && session.state().permission === "bypass"))
    expect([isQuorum, events[0]]).toEqual([true, "loosening.signed"]);
}

function check(step: Step, { session, ledger, by }: { session: PlanSession; ledger: Ledger; by: Actor }): void {
  for (const event of step.events) {
    if (event.type === "slice.changed") record(PlanModeEvent.parse(event.event), { session, ledger, by });
  }
  checkDecisions(ledger);
  checkState(session, ledger);
}

function record(
  event: PlanModeEvent,
  { session, ledger, by }: { session: PlanSession; ledger: Ledger; by: Actor },
): void {
  const isDecider = by.kind === "operator" && hasScope(by.scopes, "operator.approvals");
  switch (event.type) {
    case "plan.entered":
      ledger.rejections = 0;
      return;
    case "plan.submitted":
      ledger.approvalIds.push(event.submission.approvalId);
      return;
    case "plan.approved":
      ledger.rejections = 0;
      if (event.by.kind === "operator") checkSigners(event, session, isDecider);
      else
        expect([event.by.kind, session.state().auto || !session.settings().requireApproval]).toEqual(["policy", true]);
      return decided(ledger, event.approvalId, "approved");
    case "plan.rejected":
      ledger.rejections += 1;
      expect(isDecider).toBe(true);
      return decided(ledger, event.approvalId, "rejected");
    case "plan.timed_out":
      expect(by.kind).toBe("system");
      return decided(ledger, event.approvalId, "timed_out");
    case "plan.completed":
      expect(ledger.completed.has(event.cycleId)).toBe(false);
      ledger.completed.add(event.cycleId);
      ledger.done = ledger.approvalIds.at(-1);
      return;
    case "plan.left":
    case "plan.auto_set":
    case "plan.amended":
    case "plan.staged":
    case "evidence.given":
    case "question.answered":
      expect(isDecider).toBe(true);
      return;
    default:
  }
}

/** As many different people as the rules ask for, all of the same bytes, and the last of them is the one who decides. */
function checkSigners(event: PlanEventOf<"plan.approved">, session: PlanSession, isDecider: boolean): void {
  const { approvals, requireResolvedThreads } = session.settings();
  const { quorum, approvers } = approvals;
  expect(isDecider).toBe(true);
  if (quorum > 1) {
    const signers = (event.signatures ?? []).map(({ by: { name } }) => name);
    expect(new Set(signers).size).toBeGreaterThanOrEqual(quorum);
    const digest = submissionOf(session.state())?.digest;
    expect(new Set(event.signatures?.map((signature) => signature.digest))).toEqual(new Set([digest]));
  }
  if (approvers !== undefined) expect(approvers).toContain(event.by.name);
  const open = session.state().review?.notes.filter(({ resolved }) => resolved === null) ?? [];
  if (requireResolvedThreads) expect(open).toEqual([]);
}

function decided(ledger: Ledger, approvalId: string, as: string): void {
  ledger.decisions.set(approvalId, [...(ledger.decisions.get(approvalId) ?? []), as]);
}

const LEGAL = /^(approved|timed_out|rejected( rejected)*( approved)?)$/;

function checkDecisions({ decisions }: Ledger): void {
  for (const made of decisions.values()) expect(made.join(" ")).toMatch(LEGAL);
}

function checkState(session: PlanSession, ledger: Ledger): void {
  const { slices, injections } = session.session();
  const state = PlanModeState.parse(slices["planMode"]);
  const { now } = state;
  checkGate(state);
  checkGrant(session, state);
  if (now.phase === "executing") {
    expect(ledger.decisions.get(now.submission.approvalId)?.at(-1)).toBe("approved");
  }
  if (now.phase !== "off") expect(now.cycle.rejectionCount).toBe(ledger.rejections);
  checkWaiting(session, state);
  const told = injections
    .filter((injection) => injection.kind === "plan_decision")
    .map((injection) => injection.approvalId);
  const current = submissionOf(state)?.approvalId ?? (now.phase === "off" ? ledger.done : undefined);
  for (const approvalId of told) expect(approvalId).toBe(current);
}

function checkWaiting(session: PlanSession, state: PlanModeState): void {
  const { timers } = session.session();
  const waits = waitsFor(state);
  expect(timers.map((timer) => timer.key).toSorted()).toEqual(waits.map((kind) => `planMode/${kind}`));
  const atCheckpoint = isAtCheckpoint(state.now) ? "approval" : undefined;
  expect(planModeSlice.describe?.waiting?.(state)?.kind).toBe(waits[0] ?? atCheckpoint);
}

/** Reading always passes; a change only outside of plan mode and of a hold, which never come together. */
function checkGate(state: PlanModeState): void {
  const { now, held } = state;
  const write = planGate(state, { tool: "write", kind: "file_edit", effect: "write", argsDigest: "" });
  const isLimited = scopeKey(now) !== undefined || isAtCheckpoint(now);
  expect(write.allowed).toBe(now.mode !== "plan" && held === undefined && !isLimited);
  checkLimits(now);
  expect(planGate(state, { tool: "read", kind: "read_only", effect: "read", argsDigest: "" }).allowed).toBe(true);
  if (now.mode !== "normal") expect(held).toBeUndefined();
}

/** What is unlocked is what the accepted steps declare and people added; a step that waits is not begun. */
function checkLimits(now: PlanModeState["now"]): void {
  if (now.phase !== "executing") return;
  const { submission, held = [], skipped = [], amendments = [], steps } = now;
  const scope = scopeOf(now);
  const isOpen = submission.steps[0]?.scope !== undefined && !held.includes(1) && !skipped.includes(1);
  if (scope !== undefined) {
    expect(scope.covers({ part: "paths", path: "a/x" })).toBe(isOpen);
    expect(scope.covers({ part: "paths", path: "b/x" })).toBe(amendments.length > 0);
    expect(scope.covers({ part: "paths", path: "c" })).toBe(false);
  } else expect(amendments).toEqual([]);
  for (const number of held) {
    const text = submission.steps[number - 1]?.step;
    expect(["pending", "cancelled"]).toContain(steps.find(({ step }) => step === text)?.status);
  }
}

/** A person's yes belongs to the cycle that it was given in, and opens the gate for its own call alone. */
function checkGrant(session: PlanSession, state: PlanModeState): void {
  const { grant, now } = state;
  if (grant === undefined) return;
  expect(grant.by.kind).toBe("operator");
  expect(grant.cycleId).toBe(now.phase === "off" ? now.cycleId : now.cycle.id);
  const isOutside = grant.call.gate === "scope";
  const { tool, kind, argsDigest } = isOutside ? OUTSIDE : HELD;
  const call = { tool, kind, effect: "write", argsDigest } as const;
  const relying = { ...call, grant: { slice: "planMode", id: grant.id } };
  const at = { nowMs: session.now() };
  const mode = isOutside ? "executing" : "plan";
  expect(planGate(state, relying, at).allowed).toBe(now.mode === mode && at.nowMs < grant.untilMs);
  expect(planGate(state, { ...relying, argsDigest: "other" }, at).allowed).toBe(false);
}

const waitsFor = ({ now, question }: PlanModeState): string[] => [
  ...(now.phase === "pending" ? ["approval"] : []),
  ...(question === null ? [] : ["question"]),
];
