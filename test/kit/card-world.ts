/** Sessions of plan mode in every state that has a card, driven by the real core, and what their cards are. */
import { subAgentsPlugin } from "../../src/agent/sub-agents/plugin.ts";
import { SUB_AGENTS_SLICE } from "../../src/agent/sub-agents/protocol/sub-agents.ts";
import { cardsIn, closedBy } from "../../src/core/cards.ts";
import type { Step } from "../../src/core/step.ts";
import type { Card } from "../../src/protocol/card/card.ts";
import type { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import type { HeldCall } from "../../src/plan-mode/protocol/state.ts";
import type { PlanBody } from "../../src/plan-mode/protocol/plan.ts";
import { Json } from "../../src/protocol/json.ts";
import { digestOf, type Plugin } from "../../src/plugins/sdk.ts";
import type { Refused } from "../../src/protocol/refusal.ts";
import { ApprovalRules } from "../../src/plan-mode/protocol/approvals.ts";
import {
  admin,
  agent,
  alice,
  body,
  otherBody,
  pendingApprovalId,
  planSession,
  type PlanSession,
  system,
} from "./plan-session.ts";

export const cardsOf = (session: PlanSession): Card[] =>
  cardsIn(session.session(), { slices: session.host.slices, settings: { planMode: session.settings() } });

/** The cards that a step closed, in their last state. */
export function closedIn(session: PlanSession, change: () => Step): Card[] {
  const before = cardsOf(session);
  const facts = change().events.flatMap((event) => (event.type === "slice.changed" ? [event] : []));
  const still = new Set(cardsOf(session).map(({ id }) => id));
  return before.filter(({ id }) => !still.has(id)).flatMap((card) => closedBy(card, facts, session.host.slices) ?? []);
}

const CALL: HeldCall = {
  gate: "plan",
  tool: "exec",
  kind: "bash",
  argsDigest: "a".repeat(64),
  folder: "/w",
  rule: "unknown-command",
  matched: "make",
};

const submit = (session: PlanSession, plan: PlanBody): Step =>
  session.must({ type: "submit", body: plan, digest: digestOf(Json.parse(plan)) }, agent);

function pendingWith(settings: Partial<PlanModeSettings> = {}, plugins: readonly Plugin[] = []): PlanSession {
  const session = planSession({ settings, plugins });
  session.must({ type: "enter", reason: "explore" }, agent);
  submit(session.attend(), body); // no rule approves where nobody is there
  session.finishTurn();
  return session;
}

const decided = (session: PlanSession, action: "approve" | "edit", actor = alice): Step =>
  session.must({ type: "decide", approval: { action, approvalId: pendingApprovalId(session) } }, actor);

const askedBy = (session: PlanSession): Step =>
  session.must(
    { type: "ask", callId: "c1", question: "Which colour?", options: ["Red", "Blue"], allowFreetext: true },
    agent,
  );

const heldIn = (session: PlanSession): Step =>
  session.must({ type: "ask-call", callId: "c2", call: CALL, shown: "make\n  all" }, system);

function exploring(settings: Partial<PlanModeSettings> = {}): PlanSession {
  const session = planSession({ settings });
  session.must({ type: "enter", reason: "explore" }, agent);
  return session;
}

const does = (session: PlanSession, ...changes: ((on: PlanSession) => unknown)[]): PlanSession => {
  for (const change of changes) change(session);
  return session;
};

const rejectedBy = (session: PlanSession): Step =>
  session.must(
    { type: "decide", approval: { action: "reject", approvalId: pendingApprovalId(session), feedback: "smaller" } },
    alice,
  );

const noted = (session: PlanSession): Step =>
  session.must(
    {
      type: "note",
      note: {
        action: "add",
        approvalId: pendingApprovalId(session),
        kind: "change",
        anchor: { on: "plan" },
        text: "Why?",
      },
    },
    alice,
  );

const accepted = (result: Step | Refused): Step => {
  if ("refused" in result) throw new Error(result.refused.message);
  return result;
};

const spawned = (session: PlanSession): Step => {
  const command = { type: "spawn", task: "look", title: "Look around" };
  return accepted(session.run({ type: "slice.apply", slice: SUB_AGENTS_SLICE, command }, agent));
};

const two = ApprovalRules.parse({ quorum: 2 });

/** By name: how a session comes into each state that people see a card of. */
export const CARD_WORLDS = {
  off: () => planSession(),
  exploring: () => exploring(),
  pending: () => pendingWith(),
  "pending, a person reads": () =>
    does(pendingWith(), (on) => on.must({ type: "reading", approvalId: pendingApprovalId(on) }, alice)),
  "pending, late": () => does(pendingWith(), (on) => on.advance(86_400_000)),
  "pending, two must sign": () => pendingWith({ approvals: two }),
  "pending, one of two signed": () => does(pendingWith({ approvals: two }), (on) => decided(on, "approve")),
  "pending, only Root may": () => pendingWith({ approvals: ApprovalRules.parse({ approvers: ["Root"] }) }),
  "pending, with a note": () => does(pendingWith(), noted),
  "pending, notes must be resolved": () => does(pendingWith({ requireResolvedThreads: true }), noted),
  "pending, a sub-agent works": () => does(pendingWith({}, [subAgentsPlugin]), spawned),
  "pending, nobody knows of sub-agents": () =>
    does(pendingWith({}, [subAgentsPlugin]), (on) => (on.session().slices[SUB_AGENTS_SLICE] = { children: "?" })),
  rejected: () => does(pendingWith(), rejectedBy),
  "timed out": () =>
    does(pendingWith(), (on) => on.must({ type: "expire", approvalId: pendingApprovalId(on) }, system)),
  approved: () => does(pendingWith(), (on) => decided(on, "approve")),
  edited: () => does(pendingWith(), (on) => decided(on, "edit", admin)),
  "approved by rule": () =>
    does(
      exploring({ requireApproval: false }),
      (on) => on.attend(),
      (on) => submit(on, body),
    ),
  "auto on": () =>
    does(exploring(), (on) => on.must({ type: "decide", approval: { action: "auto", enabled: true } }, alice)),
  "no approval required": () => exploring({ requireApproval: false }),
  question: () => does(exploring(), askedBy),
  "question, late": () => does(exploring(), askedBy, (on) => on.advance(86_400_000)),
  "held call": () => does(exploring(), heldIn),
  "held call, only Root may": () =>
    does(exploring({ approvals: ApprovalRules.parse({ approvers: ["Root"] }) }), heldIn),
  "call allowed": () => does(exploring(), heldIn, (on) => answered(on, "allow-once")),
} satisfies Record<string, () => PlanSession>;

function answered(session: PlanSession, answer: string): Step {
  const { question } = session.state();
  if (question === null) throw new Error("nothing is asked");
  const { approvalId, questionId } = question;
  return session.must({ type: "decide", approval: { action: "answer", approvalId, questionId, answer } }, alice);
}

const left = (session: PlanSession, action: "decline" | "defer"): Step => {
  const { question } = session.state();
  if (question === null) throw new Error("nothing is asked");
  return session.must({ type: "decide", approval: { action, approvalId: question.approvalId, reason: "busy" } }, alice);
};

const expire = (session: PlanSession): Step => {
  const { question } = session.state();
  if (question === null) throw new Error("nothing is asked");
  return session.must({ type: "expire", approvalId: question.approvalId }, system);
};

const leave = (session: PlanSession): Step => session.must({ type: "leave" }, alice);
export const finish = (session: PlanSession): Step =>
  session.must(
    {
      type: "update",
      patch: {
        plan: session.state().now.steps.map((step) => ({
          ...step,
          status: "completed" as const,
          ...(step.acceptanceCriteria === undefined ? {} : { verifiedCriteria: step.acceptanceCriteria }),
        })),
      },
    },
    agent,
  );

/** The agent makes the call that a person allowed. */
function called(session: PlanSession): Step {
  session.startTurn();
  const { turn, epoch } = session.session();
  if (turn.status !== "running") throw new Error("no turn runs");
  const { turnId } = turn;
  const calls = [{ callId: "c3", tool: CALL.tool, args: {} }];
  accepted(session.run({ type: "turn.say", turnId, epoch, text: "", calls }, system));
  const { kind, argsDigest } = CALL;
  const grant = { slice: "planMode", id: session.state().grant?.id ?? "" };
  return accepted(session.run({ type: "call.claim", turnId, epoch, callId: "c3", kind, argsDigest, grant }, agent));
}

/** By name: what closes a card, and the state that it is left in. */
export const CLOSINGS: readonly (readonly [string, keyof typeof CARD_WORLDS, (on: PlanSession) => Step, string])[] = [
  ["a new revision", "rejected", (on) => submit(on, otherBody), "superseded"],
  ["plan mode off", "pending", leave, "left"],
  ["the last step", "approved", finish, "completed"],
  ["an answer", "question", (on) => answered(on, "2"), "answered"],
  ["a refusal to answer", "question", (on) => left(on, "decline"), "declined"],
  ["not now", "question", (on) => left(on, "defer"), "deferred"],
  ["time", "question", expire, "expired"],
  ["a plan instead", "question", (on) => submit(on, body), "superseded"],
  ["plan mode off, asked", "question", leave, "left"],
  ["a yes", "held call", (on) => answered(on, "allow-once"), "given"],
  ["a no", "held call", (on) => answered(on, "deny"), "denied"],
  ["no word", "held call", (on) => left(on, "decline"), "declined"],
  ["a later word", "held call", (on) => left(on, "defer"), "deferred"],
  ["time, held", "held call", expire, "expired"],
  ["a plan instead of the call", "held call", (on) => submit(on, body), "void"],
  ["the call itself", "call allowed", called, "spent"],
  ["a mode that changes", "call allowed", leave, "void"],
  [
    "auto off",
    "auto on",
    (on) => on.must({ type: "decide", approval: { action: "auto", enabled: false } }, alice),
    "ended",
  ],
];
