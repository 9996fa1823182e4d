/** One held call before a person: asked, granted, spent once, and void as soon as the mode is another one. */
import { describe, expect, it } from "vitest";
import {
  agent,
  alice,
  body,
  DIGEST,
  inPhase,
  notices,
  otherAgent,
  type PlanSession,
  reader,
  system,
} from "../../../../test/kit/plan-session.ts";
import { TurnId } from "../../../protocol/ids.ts";
import { CALL_QUESTION_CHARS_MAX, type HeldCall, type PlanModeCommand } from "../../../protocol/plan-mode.ts";
import { GRANT_MS_MAX } from "./give-grant.ts";

const held: HeldCall = {
  gate: "plan",
  tool: "exec",
  kind: "bash",
  argsDigest: "abc",
  folder: "/w",
  rule: "unknown-command",
  matched: "make",
};
const ask = (call: HeldCall = held, shown = "make -n"): PlanModeCommand => ({
  type: "ask-call",
  callId: "c1",
  call,
  shown,
});

function answer(session: PlanSession, said: string) {
  const { question } = session.state();
  if (question === null) throw new Error("nothing was asked");
  const { approvalId, questionId } = question;
  return session.must({ type: "decide", approval: { action: "answer", approvalId, questionId, answer: said } }, alice);
}

function granted(phase: "exploring" | "executing" = "exploring", call: HeldCall = held): PlanSession {
  const session = inPhase(phase);
  session.must(ask(call), agent);
  answer(session, "allow-once");
  return session;
}

/** A running turn in which calls are claimed as the pipeline would. */
function claiming(session: PlanSession) {
  if (session.session().turn.status !== "running") session.startTurn();
  const { turn, epoch } = session.session();
  const turnId = turn.status === "running" ? turn.turnId : TurnId.parse("trn_none");
  let count = 0;
  return (tool: string, argsDigest: string, grantId = session.state().grant?.id) => {
    count += 1;
    const callId = `call${count}`;
    session.run({ type: "turn.say", turnId, epoch, text: "", calls: [{ callId, tool, args: {} }] }, system);
    const grant = grantId === undefined ? {} : { grant: { slice: "planMode", id: grantId } };
    const claim = { type: "call.claim", turnId, epoch, callId, kind: "bash", argsDigest, ...grant } as const;
    const done = session.run(claim, agent);
    session.run({ type: "call.finish", turnId, epoch, callId, status: "ok", content: "" }, agent);
    return "refused" in done ? done.refused.details?.["refusal"] : done.events.map((event) => event.type);
  };
}

describe("a held call before a person", () => {
  it("[GA-10, AE-05] is shown whole, with two answers, and ends the turn", () => {
    const session = inPhase("exploring");
    session.must(ask(), agent);
    expect(session.state().question).toMatchObject({
      question:
        "The agent wants to make one call of exec in /w:\n    make -n\nIt is not proven to be read-only, and the session is in plan mode. (unknown-command: make)\nMay it make exactly this call, once?",
      options: [{ id: "allow-once" }, { id: "deny" }],
      allowFreetext: false,
      call: held,
    });
  });

  it("[GA-10] is not asked about when it is too long to be shown whole", () => {
    const session = inPhase("exploring");
    expect(session.outcome(ask(held, "x".repeat(CALL_QUESTION_CHARS_MAX)), agent)).toBe("PLAN_INVALID");
  });

  it("[GA-10, PL-13] is not asked about where nobody could answer, or something waits already", () => {
    expect(inPhase("off", { kind: "cron" }).outcome(ask(), agent)).toBe("PERMISSION_DENIED");
    expect(inPhase("pending").outcome(ask(), agent)).toBe("APPROVAL_PENDING");
    const session = inPhase("exploring");
    session.must(ask(), agent);
    expect(session.outcome(ask(), agent)).toBe("QUESTION_PENDING");
  });

  it("[GW-04, I06] neither the agent nor a reader can answer it", () => {
    const session = inPhase("exploring");
    session.must(ask(), agent);
    const { question } = session.state();
    const approval = { action: "answer", approvalId: question?.approvalId, answer: "allow-once" } as const;
    for (const actor of [agent, otherAgent, reader, system]) {
      expect(session.outcome({ type: "decide", approval }, actor)).toBe("PERMISSION_DENIED");
    }
    expect(session.state().grant).toBeUndefined();
  });

  it("[GA-10] a yes mints a permission, tells the agent, and is audited; a no mints none, tells the agent, and is audited", () => {
    const session = inPhase("exploring");
    session.must(ask(), agent);
    const done = answer(session, "1");
    const { grant } = session.state();
    expect(grant).toMatchObject({ call: held, by: { id: "opr_alice" }, untilMs: session.now() + GRANT_MS_MAX });
    expect(done.audit.map(({ type }) => type)).toEqual(["question.answered", "grant.given"]);
    expect(session.session().injections.filter(({ kind }) => kind === "question_answer")).toMatchObject([
      { text: expect.stringContaining("A person allows one call of exec") },
    ]);
    const denied = inPhase("exploring");
    denied.must(ask(), agent);
    const no = answer(denied, "Deny");
    expect(denied.state().grant).toBeUndefined();
    expect(no.audit.map(({ type }) => type)).toEqual(["question.answered", "grant.denied"]);
    expect(denied.session().injections.filter(({ kind }) => kind === "question_answer")).toMatchObject([
      { text: expect.stringContaining("A person said no to this call of exec: it was not run and stays blocked.") },
    ]);
    expect(notices(done).join()).not.toContain("undefined");
  });

  it("[GA-10, I10] covers exactly that call, once", () => {
    const session = granted();
    const claim = claiming(session);
    const grantId = session.state().grant?.id;
    expect(claim("exec", "other")).toMatchObject({ rule: "plan-mode/grant-spent" });
    expect(claim("write", "abc")).toMatchObject({ rule: "plan-mode/grant-spent" });
    expect(claim("exec", "abc", "grt_made_up")).toMatchObject({ rule: "plan-mode/grant-spent" });
    expect(claim("exec", "abc")).toEqual(["call.claimed", "slice.changed"]);
    expect(session.state().grant).toBeUndefined();
    expect(claim("exec", "abc", grantId)).toMatchObject({ rule: "plan-mode/grant-spent" });
    expect(claim("exec", "abc")).toMatchObject({ rule: "plan-mode/read-only" });
  });

  it("[GA-10] is claimed under the person's name", () => {
    const session = granted();
    session.startTurn();
    const { turn, epoch } = session.session();
    if (turn.status !== "running") throw new Error("no turn");
    const { turnId } = turn;
    const id = session.state().grant?.id ?? "";
    session.run(
      { type: "turn.say", turnId, epoch, text: "", calls: [{ callId: "x", tool: "exec", args: {} }] },
      system,
    );
    const grant = { slice: "planMode", id };
    const claim = { type: "call.claim", turnId, epoch, callId: "x", kind: "bash", argsDigest: "abc", grant } as const;
    expect(session.run(claim, agent)).toMatchObject({
      events: [
        { type: "call.claimed", under: { planMode: { grantId: id, grantedBy: "opr_alice" } } },
        { type: "slice.changed", event: { type: "grant.spent", grantId: id } },
      ],
      audit: [{ type: "call.claimed" }, { type: "grant.spent", detail: { grantId: id } }],
    });
  });

  it("[GA-10] is over after its time", () => {
    const session = granted();
    const claim = claiming(session);
    session.advance(GRANT_MS_MAX);
    expect(claim("exec", "abc")).toMatchObject({ rule: "plan-mode/grant-spent" });
  });

  it.each<[string, (session: PlanSession) => void]>([
    ["the plan is submitted", (session) => void session.must({ type: "submit", body, digest: DIGEST }, agent)],
    ["a person leaves plan mode", (session) => void session.must({ type: "leave" }, alice)],
  ])("[GA-10, AE-01] is void when %s", (_what, change) => {
    const session = granted();
    change(session);
    expect(session.state().grant).toBeUndefined();
  });

  it("[AE-01, AE-05] a yes under one approval does not outlive it", () => {
    const edits = { ...held, gate: "accept-edits" } as const;
    const session = granted("executing", edits);
    expect(session.state().grant).toMatchObject({ call: { gate: "accept-edits" } });
    session.must({ type: "enter", reason: "again" }, alice);
    expect(session.state().grant).toBeUndefined();
  });

  it("[GA-10, AE-01] a yes of the one gate opens nothing at the other", () => {
    const session = granted("exploring", { ...held, gate: "accept-edits" });
    expect(claiming(session)("exec", "abc")).toMatchObject({ rule: "plan-mode/grant-spent" });
  });

  it("[PL-15] a destructive attempt puts a normal session into plan mode, by the setting alone", () => {
    const destructive: PlanModeCommand = { type: "destructive", check: "removes" };
    expect(inPhase("off").outcome(destructive, agent)).toBe("");
    const session = inPhase("off", { settings: { autoEnterOnDestructive: true } });
    expect(session.outcome(destructive, agent)).toBe("plan.entered");
    expect(session.state().now).toMatchObject({ mode: "plan", cycle: { reason: "auto-destructive: removes" } });
  });
});
