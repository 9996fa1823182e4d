import { describe, expect, it } from "vitest";
import { subAgentsPlugin } from "../../../agent/sub-agents/plugin.ts";
import {
  agent,
  alice,
  body,
  DIGEST,
  inPhase,
  pendingApprovalId,
  type PlanSession,
  planSession,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { SessionId } from "../../../protocol/ids.ts";
import { Json } from "../../../protocol/json.ts";
import { SUB_AGENTS_SLICE, SubAgentsState } from "../../../agent/sub-agents/protocol/sub-agents.ts";
import { gateSeen, runningChildren } from "./sub-agent-gate.ts";

const plugins = [subAgentsPlugin];
const submit = { type: "submit", body, digest: DIGEST } as const;

function spawn(session: PlanSession, title: string): SessionId {
  const command = { type: "spawn", task: title, title };
  const done = session.run({ type: "slice.apply", slice: SUB_AGENTS_SLICE, command }, agent);
  if ("refused" in done) throw new Error(done.refused.message);
  const { children } = SubAgentsState.parse(session.session().slices[SUB_AGENTS_SLICE]);
  const id = children.at(-1)?.id;
  if (id === undefined) throw new Error("no child");
  return id;
}

function end(session: PlanSession, childId: SessionId): void {
  const command = {
    type: "observe",
    childId,
    stamp: 9,
    order: 9,
    seen: { status: "ended", outcome: "done", text: "" },
  };
  session.run({ type: "slice.apply", slice: SUB_AGENTS_SLICE, command }, { kind: "system", reason: "sub-agents" });
}

const unlocking = (session: PlanSession, action: "approve" | "edit") =>
  ({ type: "decide", approval: { action, approvalId: pendingApprovalId(session) } }) as const;

describe("submitting while sub-agents work", () => {
  it("[SB-02] is refused, naming up to five and how many more", () => {
    const session = inPhase("exploring", { plugins, subagents: { max: 8 } });
    const ids = ["a", "b", "c", "d", "e", "f", "g"].map((title) => spawn(session, title));
    expect(session.apply(submit, agent)).toEqual({
      refused: {
        code: "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS",
        message: `The plan was not submitted: sub-agents still work on it (${["a", "b", "c", "d", "e"].map((title, at) => `${title} ${ids[at]}`).join(", ")} and 2 more). End your turn; you are resumed when they return, and can submit then.`,
        details: { subagents: ids },
      },
    });
    expect(session.state().now.phase).toBe("exploring");
  });

  it("[SB-02, SB-04] is refused while one that was replaced is being stopped, and says so", () => {
    const session = inPhase("exploring", { plugins });
    const first = spawn(session, "a");
    const command = { type: "spawn", task: "b", title: "b", replaces: first };
    session.run({ type: "slice.apply", slice: SUB_AGENTS_SLICE, command }, agent);
    const { children } = SubAgentsState.parse(session.session().slices[SUB_AGENTS_SLICE]);
    end(session, children.at(-1)?.id ?? first);
    expect(session.apply(submit, agent)).toMatchObject({
      refused: {
        code: "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS",
        message: expect.stringContaining(`(a ${first}, being stopped)`),
        details: { subagents: [first] },
      },
    });
  });

  it("[SB-02] is refused while a return is queued, and passes at once in the turn that received it", () => {
    const session = inPhase("exploring", { plugins }).attend();
    const id = spawn(session, "a");
    end(session, id);
    expect(session.apply(submit, agent)).toMatchObject({
      refused: {
        code: "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS",
        message: expect.stringContaining("has returned meanwhile"),
        details: { subagents: [id] },
      },
    });
    session.finishTurn();
    expect(session.session().turn.status).toBe("requested"); // nobody has to wake the agent
    expect(session.startTurn()).toContain("[SUBAGENT_RETURN]");
    expect(session.outcome(submit, agent)).toBe("plan.submitted");
  });

  it("[SB-02] waits for no other text that is queued, and names only those who have returned", () => {
    const session = inPhase("exploring", { plugins }).attend();
    const injection = { id: "other", kind: "plan_nudge", text: "x", priority: 1, createdAtMs: 1 } as const;
    session.run({ type: "injection.add", injection, wake: false }, system);
    const [first, second] = [spawn(session, "a"), spawn(session, "b\n\u202e")];
    end(session, first);
    end(session, second);
    expect(session.apply(submit, agent)).toMatchObject({
      refused: {
        message: `The plan was not submitted: a sub-agent has returned meanwhile (a ${first}, b ‹U+202E› ${second}). End your turn; you are resumed at once with what it says, and can submit then.`,
        details: { subagents: [first, second] },
      },
    });
    const alone = inPhase("exploring", { plugins }).attend();
    alone.run({ type: "injection.add", injection, wake: false }, system);
    expect(alone.outcome(submit, agent)).toBe("plan.submitted");
  });

  it("[SB-02] names one whose title shows nothing all the same", () => {
    const session = inPhase("exploring", { plugins });
    const id = spawn(session, "a");
    const { slices } = session.session();
    const state = SubAgentsState.parse(slices[SUB_AGENTS_SLICE]);
    const children = state.children.map((child) => ({ ...child, title: " " }));
    slices[SUB_AGENTS_SLICE] = Json.parse(JSON.parse(JSON.stringify({ ...state, children })));
    expect(session.apply(submit, agent)).toMatchObject({
      refused: { message: expect.stringContaining(`(untitled ${id})`) },
    });
  });

  it("[SB-02] is refused for each return that comes while the turn runs, not for those that it received", () => {
    const session = inPhase("exploring", { plugins }).attend();
    const [first, second] = [spawn(session, "a"), spawn(session, "b")];
    end(session, first);
    session.finishTurn().startTurn();
    end(session, second);
    expect(session.apply(submit, agent)).toMatchObject({ refused: { details: { subagents: [second] } } });
    session.finishTurn().startTurn();
    expect(session.outcome(submit, agent)).toBe("plan.submitted");
  });

  it("[SB-02] passes where no turn will take up what is queued: the agent of such a session runs outside", () => {
    const session = inPhase("exploring", { plugins, kind: "external" });
    end(session, spawn(session, "a"));
    expect(session.outcome(submit, agent)).toBe("plan.submitted");
  });

  it("[PL-16, SB-03] is refused just so where plans pass by a rule", () => {
    const session = inPhase("exploring", { plugins, settings: { requireApproval: false } });
    spawn(session, "a");
    expect(session.outcome(submit, agent)).toBe("PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS");
  });

  it("[SB-05] leaves in the audit what the gate saw", () => {
    const session = inPhase("exploring", { plugins });
    const { audit } = session.must(submit, agent);
    expect(audit.find((fact) => fact.type === "plan.submitted")?.detail["subagents"]).toEqual({
      gate: "open",
      why: "no sub-agent is open",
    });
  });
});

describe("what people and the log are told of sub-agents", () => {
  it("[SB-03, SB-05] which of them work, and whether the gate is open", () => {
    const session = inPhase("exploring", { plugins });
    const place = () => ({ session: session.session() });
    expect([runningChildren(place()), gateSeen(place())]).toEqual([[], { gate: "open", why: "no sub-agent is open" }]);
    const id = spawn(session, "a");
    expect([runningChildren(place()), gateSeen(place())]).toEqual([
      [{ id, title: "a" }],
      { gate: "closed", why: "1 sub-agents run" },
    ]);
    session.session().slices[SUB_AGENTS_SLICE] = { children: "who knows" };
    expect([runningChildren(place()), gateSeen(place())]).toEqual([
      "unknown",
      { gate: "closed", why: "the list of sub-agents cannot be read" },
    ]);
  });

  it("[SB-03] where nothing can spawn any, none is open", () => {
    expect(runningChildren({ session: inPhase("exploring").session() })).toEqual([]);
  });
});

describe("approving while sub-agents work", () => {
  it.each(["approve", "edit"] as const)(
    "[SB-03] %s is refused with their ids, and possible when they are done",
    (action) => {
      const session = inPhase("pending", { plugins });
      const id = spawn(session, "a");
      expect(session.apply(unlocking(session, action), alice)).toEqual({
        refused: {
          code: "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS",
          message: `Nothing was approved: sub-agents of this session still work (a ${id}). Approve when they have returned, or stop them.`,
          details: { subagents: [id] },
        },
      });
      end(session, id);
      expect(session.outcome(unlocking(session, action), alice)).toBe("plan.approved");
    },
  );

  it("[SB-03] reject is never blocked", () => {
    const session = inPhase("pending", { plugins });
    spawn(session, "a");
    const approval = { action: "reject", approvalId: pendingApprovalId(session), feedback: "smaller" } as const;
    expect(session.outcome({ type: "decide", approval }, alice)).toBe("plan.rejected");
  });

  it("[SB-03] fails closed when the list of children cannot be read; reject stays possible", () => {
    const session = inPhase("pending", { plugins });
    session.session().slices[SUB_AGENTS_SLICE] = { children: "who knows" };
    expect(session.apply(unlocking(session, "approve"), alice)).toEqual({
      refused: {
        code: "PLAN_APPROVAL_GATE_STATE_UNAVAILABLE",
        message:
          "Whether sub-agents of this session still work cannot be told, so nothing was approved. Reject is possible; a reset of the session clears the list.",
      },
    });
    expect(session.outcome(submit, agent)).toBe("PLAN_APPROVAL_GATE_STATE_UNAVAILABLE");
    const approval = { action: "reject", approvalId: pendingApprovalId(session), feedback: "smaller" } as const;
    expect(session.outcome({ type: "decide", approval }, alice)).toBe("plan.rejected");
  });
});

it("[PL-13] a sub-agent cannot enter plan mode: nobody could approve", () => {
  const session = planSession({ kind: "subagent", plugins });
  expect(session.apply({ type: "enter", reason: "" }, agent)).toMatchObject({
    refused: { code: "PERMISSION_DENIED", details: { session_kind: "subagent", reason: "nobody could approve" } },
  });
});
