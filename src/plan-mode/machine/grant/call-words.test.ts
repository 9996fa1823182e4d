/** What the guard of the claim and the question about a call say, whole: an agent acts on it, a person signs it (GA-07, GA-10). */
import { describe, expect, it } from "vitest";
import { agent, alice, inPhase, notices, type PlanSession, sliceEvents } from "../../../../test/kit/plan-session.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import { CALL_QUESTION_CHARS_MAX, type CallGrant, type HeldCall } from "../../protocol/state.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";
import { onClaim, planGate } from "../gate.ts";
import { rfc3339 } from "../text/rfc3339.ts";
import { callQuestion } from "./ask-call.ts";
import { grantEffects } from "./effects.ts";
import { coveringGrant, grantOf, withoutVoidGrant } from "./grant.ts";

const held: HeldCall = {
  gate: "plan",
  tool: "exec",
  kind: "bash",
  argsDigest: "abc",
  folder: "/w",
  rule: "unknown-command",
  matched: "make",
};
const gated: GatedCall = { tool: "exec", kind: "bash", effect: "write", argsDigest: "abc" };
const by = { kind: "operator", id: "opr_alice" } as const;

const withGrant = (session: PlanSession, call: HeldCall = held) => {
  const grant = { id: "grt_1", call, by, atMs: 1, untilMs: 10 } as CallGrant;
  return { ...session.state(), grant };
};
const relying = (id: string): GatedCall => ({ ...gated, grant: { slice: "planMode", id } });

describe("the guard of the claim", () => {
  it.each([
    ["exploring", "Explore with reading tools, then submit a plan with exit_plan_mode."],
    ["pending", "Your plan waits for a person: stop here and wait for the decision."],
    ["rejected", "Revise the plan by the feedback and submit it with exit_plan_mode."],
    ["timed_out", "The approval expired: submit the plan again with exit_plan_mode."],
  ] as const)("[GA-07] says in %s what to do", (phase, hint) => {
    expect(planGate(inPhase(phase).state(), gated)).toMatchObject({
      allowed: false,
      refusal: {
        hint,
        message: `exec was not run: the session is in plan mode, where only reading is allowed. ${hint}`,
      },
    });
  });

  it("[GA-07, GA-10] says that a one-off yes is gone", () => {
    const hint = "Call it again: if it still needs a person's yes, they are asked again.";
    expect(planGate(inPhase("off").state(), relying("grt_9"))).toEqual({
      allowed: false,
      refusal: {
        tool_name: "exec",
        tool_kind: "bash",
        entered_at: null,
        entered_reason: null,
        hint,
        rule: "plan-mode/grant-spent",
        matched: "grt_9",
        message: `exec was not run: the permission for this one call has been used, or is no longer valid. ${hint}`,
      },
    });
  });

  it("[GA-10] lets a call pass by a yes of the mode's own gate, in time, and by no other", () => {
    const covers = (state: ReturnType<typeof withGrant>, nowMs = 9) =>
      coveringGrant(state, relying("grt_1"), nowMs) !== undefined;
    const plan = withGrant(inPhase("exploring"));
    expect([covers(plan), covers(plan, 10)]).toEqual([true, false]);
    const gates = ["plan", "accept-edits", "permission"] as const;
    const covered = (phase: "exploring" | "executing" | "off") =>
      gates.filter((gate) => covers(withGrant(inPhase(phase), { ...held, gate })));
    expect([covered("exploring"), covered("executing"), covered("off")]).toEqual([
      ["plan"],
      ["accept-edits", "permission"],
      ["permission"],
    ]);
    expect(coveringGrant(plan, gated, 9)).toBeUndefined();
    expect(planGate(plan, relying("grt_1"))).toMatchObject({ allowed: false }); // who names no time has none
  });

  it("[GA-10, AE-05] is for the tool and the arguments that the person read", () => {
    const state = withGrant(inPhase("exploring"));
    expect(grantOf(state, gated, "plan")).toEqual(state.grant);
    expect(grantOf(state, { ...gated, tool: "other" }, "plan")).toBeUndefined();
    expect(grantOf(state, { ...gated, argsDigest: "other" }, "plan")).toBeUndefined();
    expect(grantOf(state, gated, "permission")).toBeUndefined();
    expect(grantOf(inPhase("exploring").state(), gated, "plan")).toBeUndefined();
  });

  it("[GA-12] keeps with the claim whose signature and whose yes it ran under", () => {
    const session = inPhase("executing");
    const signed = planGate(session.state(), gated);
    const { now } = session.state();
    if (now.phase !== "executing") throw new Error("not executing");
    const signature = {
      approvalId: now.submission.approvalId,
      planDigest: now.submission.digest,
      approval: "approved",
    };
    expect(signed).toEqual({ allowed: true, under: signature });
    const state = withGrant(session, { ...held, gate: "permission" });
    expect(planGate(state, relying("grt_1"), { nowMs: 2 })).toEqual({
      allowed: true,
      under: { ...signature, grantId: "grt_1", grantedBy: "opr_alice" },
    });
    const normal = withGrant(inPhase("off"), { ...held, gate: "permission" });
    expect(planGate(normal, relying("grt_1"), { nowMs: 2 })).toEqual({
      allowed: true,
      under: { grantId: "grt_1", grantedBy: "opr_alice" },
    });
    expect(planGate(inPhase("off").state(), gated)).toEqual({ allowed: true });
  });

  it("[GA-10] spends a yes only where the call relies on it", () => {
    const state = withGrant(inPhase("exploring"));
    expect(onClaim(state, relying("grt_1"), { nowMs: 5 })).toEqual([
      { type: "grant.spent", grantId: "grt_1", atMs: 5 },
    ]);
    expect(onClaim(state, gated, { nowMs: 5 })).toEqual([]);
    expect(onClaim(state, { ...gated, grant: { slice: "budget", id: "grt_1" } }, { nowMs: 5 })).toEqual([]);
    expect(onClaim(inPhase("exploring").state(), relying("grt_1"), { nowMs: 5 })).toEqual([]);
  });
});

describe("a yes", () => {
  it.each([
    "plan.entered",
    "plan.left",
    "plan.submitted",
    "plan.approved",
    "plan.rejected",
    "plan.timed_out",
    "plan.completed",
    "permission.set",
  ])("[GA-10, AE-01] is void after %s", (type) => {
    const state = withGrant(inPhase("exploring"));
    const { grant: _void, ...without } = state;
    expect(withoutVoidGrant(state, { type } as PlanModeEvent)).toEqual(without);
  });

  it.each(["question.asked", "question.answered", "grant.given", "plan.updated"])(
    "[GA-10] outlives %s, which leaves the mode as it is",
    (type) => {
      const state = withGrant(inPhase("exploring"));
      expect(withoutVoidGrant(state, { type } as PlanModeEvent)).toEqual(state);
    },
  );

  it("[GA-10] and a no are told to the agent under the question's id, within the cycle, and audited", () => {
    const session = inPhase("exploring");
    const state = withGrant(session);
    const { now } = state;
    if (now.phase === "off") throw new Error("off");
    const injection = { id: "question-answer:q1", kind: "question_answer", cycleId: now.cycle.id };
    const detail = { ...held, by: { kind: "operator", id: "opr_alice" } };
    expect(
      grantEffects(state, { type: "grant.given", grant: state.grant, questionId: "q1", atMs: 1 } as never),
    ).toEqual([
      {
        kind: "inject",
        injection: {
          ...injection,
          priority: expect.any(Number),
          text: [
            "[QUESTION_ANSWER]",
            "question_id: q1",
            "option: allow-once",
            `A person allows one call of exec, with exactly the arguments that they were shown, once, until ${rfc3339(10)}.`,
            "Make that call now, unchanged. Any other call is judged as before; the session's mode is unchanged.",
            "[/QUESTION_ANSWER]",
          ].join("\n"),
        },
      },
      { kind: "audit", fact: { type: "grant.given", detail: { ...detail, grantId: "grt_1", untilMs: 10 } } },
    ]);
    expect(grantEffects(state, { type: "grant.denied", call: held, questionId: "q1", by, atMs: 1 } as never)).toEqual([
      {
        kind: "inject",
        injection: { ...injection, priority: expect.any(Number), text: expect.stringContaining("option: deny") },
      },
      { kind: "audit", fact: { type: "grant.denied", detail } },
    ]);
    const off = grantEffects(withGrant(inPhase("off")), {
      type: "grant.denied",
      call: held,
      questionId: "q1",
      by,
      atMs: 1,
    } as never);
    expect(off[0]).not.toHaveProperty("injection.cycleId");
    expect(grantEffects(state, { type: "grant.spent", grantId: "grt_1", atMs: 1 })).toEqual([
      { kind: "audit", fact: { type: "grant.spent", detail: { grantId: "grt_1" } } },
    ]);
  });
});

describe("the question about a call", () => {
  it.each([
    ["plan", "It is not proven to be read-only, and the session is in plan mode."],
    ["accept-edits", "It is one of the calls that an approval with edits does not cover."],
    ["permission", "Such a call needs a person's yes in this session."],
  ] as const)("[GA-10, AE-05] says why the gate holds it: %s", (gate, why) => {
    expect(callQuestion({ call: { ...held, gate }, shown: "make\n-n" })).toBe(
      `The agent wants to make one call of exec in /w:\n    make\n    -n\n${why} (unknown-command: make)\nMay it make exactly this call, once?`,
    );
  });

  it("[GA-10] is asked whole or not at all, to the last character", () => {
    const around = callQuestion({ call: held, shown: "" })?.length ?? 0;
    const most = "x".repeat(CALL_QUESTION_CHARS_MAX - around);
    expect(callQuestion({ call: held, shown: most })).toHaveLength(CALL_QUESTION_CHARS_MAX);
    expect(callQuestion({ call: held, shown: `${most}x` })).toBeUndefined();
  });

  it("[GA-10] waits as long as an approval does, offers two answers and no third, within the cycle", () => {
    const session = inPhase("exploring", { settings: { approvalTimeoutSeconds: 600 } });
    const done = session.must({ type: "ask-call", callId: "c1", call: held, shown: "make -n" }, agent);
    expect(sliceEvents(done)).toEqual(["question.asked"]);
    const { question, now } = session.state();
    if (now.phase === "off") throw new Error("off");
    expect(question).toEqual({
      questionId: expect.any(String),
      approvalId: expect.stringMatching(/^apr_/),
      question: callQuestion({ call: held, shown: "make -n" }),
      options: [
        {
          id: "allow-once",
          label: "Allow once",
          description: "Exactly this call, one time, while the mode stays as it is.",
        },
        { id: "deny", label: "Deny", description: "The call stays blocked; the agent is told." },
      ],
      allowFreetext: false,
      askedAtMs: session.now(),
      deadlineAtMs: session.now() + 600_000,
      call: held,
    });
    expect(JSON.stringify(done.events)).toContain(now.cycle.id);
    const tooLong = { type: "ask-call", callId: "c1", call: held, shown: "x".repeat(CALL_QUESTION_CHARS_MAX) } as const;
    expect(inPhase("exploring").run({ type: "slice.apply", slice: "planMode", command: tooLong }, agent)).toMatchObject(
      {
        refused: { code: "PLAN_INVALID", message: "The call is too long to be shown to a person whole." },
      },
    );
  });
});

describe("an answer", () => {
  const yes = (session: PlanSession, answer: string) => {
    const { approvalId } = session.state().question ?? {};
    return session.must({ type: "decide", approval: { action: "answer", approvalId, answer } }, alice);
  };

  it("[GA-10, AE-01] to the question about a call gives a yes that is bound to the cycle, if there is one", () => {
    const session = inPhase("exploring");
    session.must({ type: "ask-call", callId: "c1", call: held, shown: "make -n" }, agent);
    yes(session, "Allow once");
    const { grant, now } = session.state();
    if (now.phase === "off") throw new Error("off");
    expect(grant).toEqual({
      id: expect.stringMatching(/^grt_/),
      call: held,
      cycleId: now.cycle.id,
      by: expect.objectContaining({ kind: "operator", id: "opr_alice" }),
      atMs: session.now(),
      untilMs: session.now() + 15 * 60_000,
    });
    const off = inPhase("off");
    off.must({ type: "ask-call", callId: "c1", call: { ...held, gate: "permission" }, shown: "make" }, agent);
    yes(off, "Allow once");
    expect(off.state().grant).toBeDefined();
    expect(off.state().grant).not.toHaveProperty("cycleId");
  });

  it("[GA-10] to a question of the agent's own gives no permission, whatever it says", () => {
    const session = inPhase("exploring");
    session.must({ type: "ask", callId: "c", question: "Q?", options: ["allow-once", "B"] }, agent);
    expect(sliceEvents(yes(session, "allow-once"))).toEqual(["question.answered"]);
    expect(session.state().grant).toBeUndefined();
  });

  it("[GA-02] the audit chain names who set a permission mode that outlived a reset", () => {
    const session = inPhase("off");
    session.must({ type: "set-permission-mode", mode: "ask" }, alice);
    const done = session.run({ type: "session.reset" }, alice);
    if ("refused" in done) throw new Error("refused");
    expect(done.audit).toContainEqual({
      type: "permission.set",
      detail: { mode: "ask", by: { kind: "policy", id: "reset" } },
    });
  });
});

describe("the permission mode in the claim", () => {
  const refusalOf = (session: PlanSession, call: GatedCall) => {
    const verdict = planGate(session.state(), call);
    if (verdict.allowed) throw new Error("allowed");
    return verdict.refusal;
  };
  const hint = "Call it again: it is judged by the mode as it is now.";
  const about = { tool_name: "exec", tool_kind: "bash", entered_at: null, entered_reason: null, hint };

  it("[GA-02, GA-07] says that a person's yes is missing, or that the mode changed", () => {
    const session = inPhase("off");
    const done = session.must({ type: "set-permission-mode", mode: "ask" }, alice);
    expect(notices(done)).toEqual(["[plan-mode] permissions ask — every change waits for a person's yes"]);
    expect(refusalOf(session, gated)).toEqual({
      ...about,
      rule: "permission/ask",
      matched: "ask/normal",
      message: `exec was not run: it needs a person's yes. ${hint}`,
    });
    session.must({ type: "set-permission-mode", mode: "bypass" }, alice);
    expect(refusalOf(session, { ...gated, under: { permission: "ask/normal" } })).toEqual({
      ...about,
      rule: "permission/changed",
      matched: "bypass/normal",
      message: `exec was not run: the mode changed while it was judged. ${hint}`,
    });
  });
});
