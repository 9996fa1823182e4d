/** On what terms a plan is signed, what counts as a new signature, and where its proof is kept (PL-18, GA-14, GW-10). */
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  inPhase,
  pendingApprovalId,
  planSession,
  type PlanSession,
  system,
} from "../../../../test/kit/plan-session.ts";
import { lateScheduler } from "../../../../test/kit/engine-scheduler.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { JsonObject } from "../../../protocol/json.ts";
import type { PresenceProof } from "../../../protocol/presence.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { PLAN_MODE_SLICE } from "../gate.ts";
import { submissionOf } from "../plan/cycle.ts";
import { needsOf, refuseApprover, refuseAuthor } from "./approvers.ts";
import { asksIn, validSignatures } from "./sign.ts";

const STEPS = ["one", "two", "three"].map((step) => ({ step, status: "pending" as const }));
const body: PlanBody = { title: "Tidy", plan: STEPS };

/** A plan that a run of a job that comes again has submitted. */
function pendingRun(rules: Partial<ApprovalRules> = {}) {
  const settings = { approvals: ApprovalRules.parse(rules) };
  const session = planSession({ kind: "cron", settings, plugins: [lateScheduler().plugin] });
  const job = { jobId: "job_1", name: "Tidy", jobDigest: "of the job", repeats: true, proposalOpen: false };
  const command = JsonObject.parse({ type: "charge", charge: { home: "ses_home", ...job } });
  session.run({ type: "slice.apply", slice: "scheduler", command }, { kind: "system", reason: "scheduler" });
  session.must({ type: "submit", body, digest: planDigest(body) }, agent);
  return session;
}

const submissionIn = (session: PlanSession) => {
  const submission = submissionOf(session.state());
  if (submission === undefined) throw new Error("no plan waits");
  return submission;
};

/** `standing`: for later runs, so many in so many days. */
function approve(session: PlanSession, more: object = {}, actor: Actor = alice) {
  const { approvalId, digest } = submissionIn(session);
  return session.apply({ type: "decide", approval: { action: "approve", approvalId, digest, ...more } }, actor);
}
const code = (done: object) => ("refused" in done ? (done.refused as { code: string }).code : "accepted");
const stands = (runs: number, days: number) => ({ standing: { runs, days } });

/** The person with the proof of a passkey for exactly this decision. */
function present(session: PlanSession, decision: string, actor: Actor = alice): Actor {
  if (actor.kind !== "operator") throw new Error("only people have passkeys");
  const { approvalId, digest } = submissionIn(session);
  const about = { sessionId: session.session().id, approvalId, digest, decision, person: actor.id };
  const statement: PresenceProof["statement"] = { ...about, nonce: "nonce", atMs: 0 };
  const bytes = { authenticatorData: "data", clientDataJSON: "json", signature: "sig" };
  return { ...actor, presence: { statement, credentialId: "cred", ...bytes } };
}

describe("a second signature of one person", () => {
  it("[PL-18, GA-14] is a new one where its terms are others, and otherwise none", () => {
    const session = pendingRun({ quorum: 2 });
    approve(session, stands(9, 1));
    expect(code(approve(session, stands(9, 1)))).toBe("APPROVAL_ALREADY_SIGNED");
    for (const terms of [stands(8, 1), stands(8, 2), {}, { steps: [1] }, { steps: [1, 2] }])
      expect(code(approve(session, terms))).toBe("accepted");
    expect(code(approve(session, { steps: [2, 1] }))).toBe("APPROVAL_ALREADY_SIGNED");
    expect(session.state().now).toMatchObject({ phase: "pending", signatures: [{ by: { name: "Alice" } }] });
  });

  it("[PL-18] approves where the rules of this moment ask for one person only", () => {
    const session = pendingRun({ quorum: 2 });
    approve(session);
    session.configure({ approvals: ApprovalRules.parse({ quorum: 1 }) });
    expect(code(approve(session))).toBe("accepted");
    expect(session.state().now.phase).toBe("executing");
  });
});

describe("a standing plan", () => {
  const eventsOf = (done: ReturnType<typeof approve>) => {
    if ("refused" in done) throw new Error(done.refused.message);
    const facts = done.events.flatMap((event) =>
      event.type === "slice.changed" && event.slice === PLAN_MODE_SLICE ? [event.event] : [],
    );
    return { types: facts.map(({ type }) => type), proven: facts.map((fact) => "presence" in fact) };
  };

  it("[GA-14, GW-10] keeps the proof of its one signer", () => {
    const session = pendingRun({ quorum: 1, presence: "destructive" });
    const signed = approve(session, stands(5, 2), present(session, "approve_standing_5_2"));
    expect(eventsOf(signed)).toEqual({ types: ["plan.standing_signed"], proven: [true] });
    const unproven = pendingRun();
    expect(eventsOf(approve(unproven, stands(5, 2)))).toEqual({ types: ["plan.standing_signed"], proven: [false] });
  });

  it("[GA-14, PL-18, GW-10] that several sign keeps each proof with its signature, and is not carried out now", () => {
    const session = pendingRun({ quorum: 2, presence: "destructive" });
    const first = approve(session, stands(5, 2), present(session, "approve_standing_5_2"));
    expect(eventsOf(first)).toEqual({ types: ["plan.signed"], proven: [true] });
    const last = approve(session, stands(5, 2), present(session, "approve_standing_5_2", admin));
    expect(eventsOf(last)).toEqual({ types: ["plan.signed", "plan.standing_signed"], proven: [true, false] });
    expect(session.state().now.phase).toBe("off");
  });
});

it("[PL-18, BY-05] the steps that every signer accepts are free, and the others wait", () => {
  const session = pendingRun({ quorum: 2 });
  approve(session, { steps: [1, 3] });
  approve(session, { steps: [3, 2] }, admin);
  expect(session.state().now).toMatchObject({ phase: "executing", held: [1, 2] });
});

it("[PL-18, I06] a signature under another text counts for nothing", () => {
  const session = pendingRun({ quorum: 2 });
  approve(session);
  const submission = submissionIn(session);
  const valid = (digest: string) =>
    validSignatures(session.state(), { ...submission, digest }, { settings: session.settings() });
  expect([valid(submission.digest).length, valid("another").length]).toEqual([1, 0]);
});

it("[GW-10] an approval that nobody signed leaves what could destroy something to a yes of its own", () => {
  expect(asksIn({ quorum: 1, presence: "destructive" }, [])).toEqual({ asks: "destructive" });
  expect(asksIn({ quorum: 1 }, [])).toEqual({});
});

describe("who may sign", () => {
  it("[PL-18] is said of people where there is a list, and of nobody where there is none", () => {
    const rules = (given: Partial<ApprovalRules>) => ({
      ...inPhase("off").settings(),
      approvals: ApprovalRules.parse(given),
    });
    expect(refuseApprover({ actor: system, settings: rules({}) })).toBeUndefined();
    expect(refuseApprover({ actor: alice, settings: rules({ approvers: ["Alice"] }) })).toBeUndefined();
    expect(refuseApprover({ actor: admin, settings: rules({ approvers: ["Alice"] }) })).toMatchObject({
      refused: { code: "APPROVER_NOT_LISTED" },
    });
  });

  it("[PL-18] tells whose signature is missing, also where one is enough", () => {
    expect(needsOf({ quorum: 1, approvers: ["Alice"] }, [])).toEqual({ quorum: 1, missing: ["Alice"] });
    expect(needsOf({ quorum: 1 }, [])).toBeUndefined();
    expect(needsOf({ quorum: 2 }, [])).toEqual({ quorum: 2, missing: [] });
  });

  it("[PL-18] is the author too, unless the rules want somebody else", () => {
    const session = inPhase("pending");
    const edited = { by: { kind: "operator", id: "opr_alice", name: "Alice" }, basedOn: "pln_1", changes: "" };
    // oxlint-disable-next-line no-unsafe-type-assertion -- ids that no code reads here
    const submission = { ...submissionIn(session), edited } as ReturnType<typeof submissionIn>;
    const asked = (given: Partial<ApprovalRules>, actor: Actor) =>
      refuseAuthor(submission, { actor, settings: { ...session.settings(), approvals: ApprovalRules.parse(given) } });
    expect(asked({}, alice)).toBeUndefined();
    expect(asked({ notAuthor: true }, admin)).toBeUndefined();
    expect(asked({ notAuthor: true }, alice)).toMatchObject({ refused: { code: "AUTHOR_NOT_APPROVER" } });
    expect(pendingApprovalId(session)).toBe(submission.approvalId);
  });
});

it("[PL-17, PL-20] an edition over a rejection closes the question that was asked meanwhile, because it took its place", () => {
  const session = planSession();
  session.must({ type: "enter", reason: "x" }, agent);
  session.must({ type: "submit", body, digest: planDigest(body) }, agent);
  const { approvalId, digest } = submissionIn(session);
  session.must({ type: "decide", approval: { action: "reject", approvalId, feedback: "smaller" } }, alice);
  session.must({ type: "ask", callId: "c1", question: "Which?", options: ["A", "B"] }, agent);
  const steps = STEPS.slice(0, 2);
  const approval = { action: "approve_edited", approvalId, digest, steps, overRejection: true } as const;
  const { events } = session.must({ type: "approve-edition", approval, base: body }, alice);
  const facts = events.flatMap((event) => (event.type === "slice.changed" ? [event.event] : []));
  expect(facts[0]).toMatchObject({ type: "question.closed", reason: "superseded" });
});
