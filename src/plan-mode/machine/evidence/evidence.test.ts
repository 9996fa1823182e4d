/** Steps close on what the gateway saw, not on what an agent says (BY-04). */
import { describe, expect, it } from "vitest";
import {
  agent,
  alice,
  otherAgent,
  pendingApprovalId,
  planSession,
  type PlanSession,
  reader,
  START_MS,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { FinishedCall, GatedCall, Plugin } from "../../../plugins/sdk.ts";
import { subAgentsPlugin } from "../../../agent/sub-agents/plugin.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { evolve } from "../evolve.ts";
import { onClaim } from "../gate.ts";
import { captureEvidence, countEnd, countPeerChange } from "./capture.ts";
import { standingOf } from "../../protocol/step/proof-standing.ts";
import { refuseUnproven } from "./refuse-unproven.ts";

const STEP = "Move the parser";
const [TESTS, FILE, LOOKS] = ["tests pass", "the guide says so", "it looks right"];
const body: PlanBody = {
  title: "Move it",
  plan: [
    {
      step: STEP,
      status: "pending",
      acceptanceCriteria: [TESTS, FILE, LOOKS],
      proof: [
        { by: "command", criterion: TESTS, command: "npm test", exitCode: 0 },
        { by: "file", criterion: FILE, path: "docs/guide.md", contains: "moved" },
        { by: "person", criterion: LOOKS },
      ],
    },
  ],
};

function carriedOut(plugins: readonly Plugin[] = [], submitted = body): PlanSession {
  const session = planSession({ plugins });
  session.must({ type: "enter", reason: "x" }, agent);
  session.must({ type: "submit", body: submitted, digest: planDigest(submitted) }, agent);
  session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
  return session;
}

const ran = (tool: string, args: FinishedCall["args"], content: FinishedCall["content"]): FinishedCall => ({
  callId: "c1",
  tool,
  args,
  startedAtMs: START_MS,
  status: "ok",
  content,
});
const tests = (exitCode: number): FinishedCall =>
  ran("exec", { command: "npm test" }, { exitCode, output: "12 passed\n" });
const guide = (text: string): FinishedCall =>
  ran("read", { path: "docs/guide.md" }, { path: "docs/guide.md", hash: "a".repeat(64), text });
const WRITE: GatedCall = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d" };

const after = (state: PlanModeState, call: FinishedCall, nowMs = START_MS): PlanModeState =>
  captureEvidence(state, call, nowMs).reduce(evolve, state);
const changed = (state: PlanModeState, call: GatedCall = WRITE, nowMs = START_MS): PlanModeState =>
  onClaim(state, call, { nowMs }).reduce(evolve, state);
const standing = ({ now }: PlanModeState, criterion: string): string =>
  now.phase === "executing" ? standingOf(now, STEP, criterion) : now.phase;

it.each(["npm test\u202E", "npm test\nrm -r src", "bash <words>"])(
  "[BY-04, BY-02] no plan names %j as a proof: people see every sign of it, and it opens one command",
  (command) => {
    const session = planSession();
    session.must({ type: "enter", reason: "x" }, agent);
    const proof = [{ by: "command" as const, criterion: TESTS, command, exitCode: 0 }];
    const bad = { ...body, plan: [{ step: STEP, status: "pending" as const, acceptanceCriteria: [TESTS], proof }] };
    expect(session.outcome({ type: "submit", body: bad, digest: planDigest(bad) }, agent)).toBe("PLAN_INVALID");
  },
);

describe("what was seen", () => {
  it("[BY-04] of a command is its exit code, its output and the time, for the criterion that names it", () => {
    const state = after(carriedOut().state(), tests(0));
    expect(state.now).toMatchObject({
      evidence: [
        {
          kind: "command",
          step: STEP,
          criterion: TESTS,
          callId: "c1",
          command: "npm test",
          exitCode: 0,
          excerpt: "12 passed",
          outputDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
          passed: true,
          atMs: START_MS,
        },
      ],
    });
    expect([TESTS, FILE, LOOKS].map((one) => standing(state, one))).toEqual(["proven", "missing", "missing"]);
  });

  it.each([
    ["another command", ran("exec", { command: "npm test -- x" }, { exitCode: 0, output: "" })],
    ["the command in another folder", ran("exec", { command: "npm test", cwd: "x" }, { exitCode: 0, output: "" })],
    ["a command that was stopped", ran("exec", { command: "npm test" }, { stopped: "after 1 seconds", output: "" })],
    ["one in the background", ran("exec", { command: "npm test" }, { id: "prc_1", note: "Running" })],
    ["another tool with such words", ran("mcp__x__exec", { command: "npm test" }, { exitCode: 0, output: "" })],
    ["an agent outside that runs it itself", ran("exec", { command: "npm test" }, { allowed: "c1" })],
    ["another file", ran("read", { path: "x" }, { path: "x", hash: "a", text: "moved" })],
    ["one that began before the plan was approved", { ...tests(0), startedAtMs: START_MS - 1 }],
  ])("[BY-04] is nothing by %s", (_what, call) => {
    expect(captureEvidence(carriedOut().state(), call, START_MS)).toEqual([]);
  });

  it("[BY-04] may say no, and the newest counts", () => {
    const failed = after(carriedOut().state(), tests(1));
    expect(standing(failed, TESTS)).toBe("failed");
    expect(standing(after(failed, tests(0)), TESTS)).toBe("proven");
    expect(standing(after(failed, guide("nothing")), FILE)).toBe("failed");
    expect(standing(after(failed, guide("it has moved")), FILE)).toBe("proven");
  });

  it("[BY-04] is older than a change that came after it; a signed look at the work is no change", () => {
    const seen = after(carriedOut().state(), tests(0));
    expect(standing(changed(seen), TESTS)).toBe("outdated");
    expect(standing(changed(seen, { ...WRITE, tool: "exec", under: { proof: "npm test" } }), TESTS)).toBe("proven");
    const late = changed(seen, WRITE, START_MS + 5);
    expect(captureEvidence(late, tests(0), START_MS + 9)).toEqual([]); // it began before the change
    expect(standing(after(late, { ...tests(0), startedAtMs: START_MS + 5 }), TESTS)).toBe("proven");
  });

  it("[BY-04] while a change was under way may have missed it: it is older when that ends", () => {
    const began = { ...ran("exec", { command: "make" }, { exitCode: 0, output: "" }), claimed: true as const };
    const ends = (state: PlanModeState, call: FinishedCall = began): PlanModeState =>
      countEnd(state, call, START_MS + 9).reduce(evolve, state);
    const meanwhile = after(changed(carriedOut().state()), tests(0));
    expect(standing(meanwhile, TESTS)).toBe("proven");
    expect(standing(ends(meanwhile), TESTS)).toBe("outdated");
    const { claimed: _claimed, ...read } = began;
    expect(standing(ends(meanwhile, read), TESTS)).toBe("proven"); // it only read
    expect(standing(ends(meanwhile, { ...tests(0), claimed: true }), TESTS)).toBe("proven"); // a look, as signed
    const afterwards = after(changed(carriedOut().state()), { ...tests(0), startedAtMs: START_MS + 20 }, START_MS + 20);
    expect(countEnd(afterwards, { ...began, startedAtMs: START_MS + 30 }, START_MS + 40)).toEqual([]);
  });

  it("[BY-04, BY-09] is older than a rollback, and than what a sub-agent brought back", () => {
    const seen = after(carriedOut().state(), tests(0));
    const facts = [
      ["changes", "changes.rollback_ordered"],
      ["changes", "changes.rolled_back"],
      ["subagents", "child.ended"],
    ] as const;
    for (const [slice, type] of facts) {
      const state = countPeerChange(seen, { slice, event: { type } }, START_MS).reduce(evolve, seen);
      expect(standing(state, TESTS)).toBe("outdated");
    }
    expect(countPeerChange(seen, { slice: "changes", event: { type: "changes.recorded" } }, START_MS)).toEqual([]);
  });

  it("[BY-04] is not looked for outside of a plan that asks for proofs", () => {
    const plain = planSession().state();
    expect([captureEvidence(plain, tests(0), START_MS), onClaim(plain, WRITE, { nowMs: START_MS })]).toEqual([[], []]);
  });
});

describe("closing a step", () => {
  const complete = (session: PlanSession): string =>
    session.outcome(
      {
        type: "update",
        patch: { merge: true, plan: [{ step: STEP, status: "completed", verifiedCriteria: [TESTS, FILE, LOOKS] }] },
      },
      agent,
    );
  type Vouched = { action: "confirm" | "waive"; criterion?: string; reason?: string };
  const vouch = (session: PlanSession, given: Vouched, actor = alice): string =>
    session.outcome(
      { type: "decide", approval: { approvalId: pendingApprovalId(session), step: 1, ...given } as never },
      actor,
    );

  it("[BY-04, TO-04] is refused with what is missing, whatever the agent claims to have verified", () => {
    const session = carriedOut();
    const refused = session.apply(
      {
        type: "update",
        patch: { merge: true, plan: [{ step: STEP, status: "completed", verifiedCriteria: [TESTS, FILE, LOOKS] }] },
      },
      agent,
    );
    expect(refused).toMatchObject({
      refused: {
        code: "STEP_NOT_PROVEN",
        details: {
          step: STEP,
          missing: [
            { criterion: TESTS, proof: "command npm test ends with exit code 0", why: "nothing was seen of it yet" },
            { criterion: FILE },
            { criterion: LOOKS, proof: "a person's word" },
          ],
        },
      },
    });
  });

  it("[BY-04] waits for changes that are under way: calls that have begun, and sub-agents", () => {
    const vouchedFor = (session: PlanSession): string => {
      for (const criterion of ["1", "2"]) vouch(session, { action: "waive", criterion, reason: "x" });
      vouch(session, { action: "confirm" });
      return complete(session);
    };
    const running = carriedOut().attend();
    const { turn, epoch } = running.session();
    if (turn.status !== "running") throw new Error(turn.status);
    const on = { turnId: turn.turnId, epoch };
    running.run({ type: "turn.say", ...on, text: "", calls: [{ callId: "c1", tool: "write", args: {} }] }, agent);
    running.run({ type: "call.claim", ...on, callId: "c1", kind: "file_edit", argsDigest: "d" }, agent);
    expect(vouchedFor(running)).toBe("STEP_NOT_PROVEN");
    const parent = carriedOut([subAgentsPlugin]).attend();
    parent.run({ type: "slice.apply", slice: "subagents", command: { type: "spawn", task: "more" } }, agent);
    expect(vouchedFor(parent)).toBe("STEP_NOT_PROVEN");
    expect(vouchedFor(carriedOut())).toBe("plan.updated plan.completed");
  });

  it("[BY-04] an agent cannot drop or rewrite the proofs of a signed step", () => {
    const session = carriedOut();
    const easier = { step: STEP, status: "in_progress" as const, acceptanceCriteria: [TESTS, FILE, LOOKS] };
    session.must({ type: "update", patch: { plan: [easier] } }, agent);
    expect(session.state().now.steps[0]?.proof).toEqual(body.plan[0]?.proof);
    expect(complete(session)).toBe("STEP_NOT_PROVEN");
  });

  it("[BY-04] a person's word and waivers close it; agents, readers and timers give neither", () => {
    const session = carriedOut();
    for (const actor of [agent, otherAgent, system, reader]) {
      expect(vouch(session, { action: "waive", criterion: "1", reason: "no network" }, actor)).toBe(
        "PERMISSION_DENIED",
      );
    }
    expect(vouch(session, { action: "waive", criterion: TESTS, reason: " " })).toBe("FEEDBACK_REQUIRED");
    expect(vouch(session, { action: "waive", reason: "which?" })).toBe("PLAN_INVALID");
    expect(vouch(session, { action: "confirm", criterion: TESTS })).toBe("PLAN_INVALID"); // a command proves it, not a word
    expect(vouch(session, { action: "confirm" })).toBe("evidence.given");
    expect(vouch(session, { action: "waive", criterion: TESTS, reason: "no network here" })).toBe("evidence.given");
    expect(complete(session)).toBe("STEP_NOT_PROVEN");
    expect(vouch(session, { action: "waive", criterion: "2", reason: "read it myself" })).toBe("evidence.given");
    expect(complete(session)).toBe("plan.updated plan.completed");
  });

  it("[BY-04] a number counts all criteria as they are shown, and what it means is named in the answer", () => {
    const [READS, DOCS, AGREED] = ["it reads well", "docs are built", "rita agrees"];
    const plan: PlanBody["plan"] = [
      {
        step: STEP,
        status: "pending",
        acceptanceCriteria: [READS, DOCS, "2", AGREED],
        proof: [
          { by: "command", criterion: DOCS, command: "make docs", exitCode: 0 },
          { by: "command", criterion: "2", command: "make two", exitCode: 0 },
          { by: "person", criterion: AGREED },
        ],
      },
    ];
    const session = carriedOut([], { title: "Move it", plan });
    const said = (given: Vouched) =>
      session.apply(
        { type: "decide", approval: { approvalId: pendingApprovalId(session), step: 1, ...given } as never },
        alice,
      );
    const which = `Say which criterion: 1.2) ${DOCS} · 1.3) 2 · 1.4) ${AGREED}`;
    for (const criterion of ["1", "2", "5"])
      expect(said({ action: "waive", criterion, reason: "x" })).toMatchObject({ refused: { message: which } });
    expect(said({ action: "waive", criterion: DOCS, reason: "x" })).toMatchObject({ reply: { criterion: DOCS } });
    expect(said({ action: "waive", criterion: "3", reason: "x" })).toMatchObject({ reply: { criterion: "2" } });
    expect(said({ action: "confirm", criterion: "1" })).toMatchObject({
      refused: { message: `Say which criterion: 1.4) ${AGREED}` },
    });
    expect(said({ action: "confirm", criterion: "4" })).toMatchObject({ reply: { criterion: AGREED } });
  });

  it("[BY-04] a step that is taken up again needs proofs that are newer than what was changed since", () => {
    const state = changed(after(carriedOut().state(), tests(0)));
    const { now } = state;
    if (now.phase !== "executing") throw new Error(now.phase);
    const closed = { ...now, steps: now.steps.map((step) => ({ ...step, status: "completed" as const })) };
    expect(refuseUnproven(closed, closed.steps)).toBeUndefined();
    expect(refuseUnproven(now, closed.steps)).toMatchObject({ refused: { code: "STEP_NOT_PROVEN" } });
  });

  it("[BY-04] nothing is born complete", () => {
    const session = planSession();
    session.must({ type: "enter", reason: "x" }, agent);
    const done: PlanBody = { title: "T", plan: [{ step: "A", status: "completed" }] };
    expect(session.outcome({ type: "submit", body: done, digest: planDigest(done) }, agent)).toBe("PLAN_INVALID");
  });
});
