import { describe, expect, it } from "vitest";
import { cardsOf } from "../../../test/kit/card-world.ts";
import {
  agent,
  alice,
  DIGEST,
  inPhase,
  otherBody,
  type PlanSession,
  pendingApprovalId,
  planSession,
  submitted,
} from "../../../test/kit/plan-session.ts";
import type { Actor } from "../../protocol/actor.ts";
import { findAction } from "../../protocol/card/availability.ts";
import { approvalIn, type Card } from "../../protocol/card/card.ts";
import type { Json } from "../../protocol/json.ts";
import { PlanModeCommand } from "../protocol/command.ts";
import type { PlanStep } from "../protocol/plan.ts";
import type { CommandResult, PluginCommand } from "../../plugins/sdk.ts";
import { scopesFor } from "../../plugins/commands/command-registry.ts";
import { specOf } from "../../plugins/commands/command-spec.ts";
import { planCommand } from "./plan-command.ts";

type Operator = Extract<Actor, { kind: "operator" }>;
const isOperator = (actor: Actor): actor is Operator => actor.kind === "operator";

/** Of plugins that keep plain state; plan mode has a machine. */
type Unused = "atMs" | "state" | "enqueueNextTurnInjection" | "gatewayClientScopes";
const UNUSED: Pick<Parameters<PluginCommand["handler"]>[0], Unused> = {
  gatewayClientScopes: [],
  state: { get: () => null, set: () => undefined },
  atMs: 0,
  enqueueNextTurnInjection: () => undefined,
};

/** The host's side of a command: applies to the real machine, in the sender's name. */
type Host = { documents?: Map<string, Json>; shown?: readonly Card[] };

async function say(session: PlanSession, args: string, { documents, shown }: Host = {}): Promise<CommandResult> {
  if (!isOperator(alice)) throw new Error("alice is an operator");
  return planCommand.handler({
    args,
    session: session.session(),
    actor: alice,
    apply: async (command) => {
      const result = session.apply(PlanModeCommand.parse(command), alice);
      if ("refused" in result) return { ok: false, refusal: result.refused };
      return { ok: true, reply: result.reply, session: result.session };
    },
    cards: () => cardsOf(session),
    artifact: async (kind, id) => documents?.get(`${kind}/${id}`),
    ...(shown === undefined ? {} : { shown }),
    ...UNUSED,
  });
}

function withDocuments(): { session: PlanSession; documents: Map<string, Json> } {
  const session = inPhase("exploring");
  const documents = new Map<string, Json>();
  const keep = (step: ReturnType<typeof submitted>): void => {
    for (const { kind, id, body } of step.artifacts) documents.set(`${kind}/${id}`, body);
  };
  keep(submitted(session));
  keep(submitted(session, otherBody));
  return { session, documents };
}

/** Of what waits, as its card shows it. */
const codeOf = (session: PlanSession): string =>
  findAction(approvalIn(cardsOf(session)), "approve")
    ?.command?.split(" ")
    .at(-1) ?? "";

const code = (reply: CommandResult): string => ("refusal" in reply ? reply.refusal.code : "ok");
const message = (reply: CommandResult): string => ("refusal" in reply ? reply.refusal.message : (reply.message ?? ""));

describe("/plan", () => {
  it("[CH-01] enters and leaves", async () => {
    const session = planSession();
    expect(code(await say(session, "on"))).toBe("ok");
    expect(session.state().now.mode).toBe("plan");
    expect(code(await say(session, "off"))).toBe("ok");
    expect(session.state().now).toMatchObject({ mode: "normal", left: "off" });
  });

  it("[PL-02, CH-01] on is refused where the feature is off, and off is not", async () => {
    const session = inPhase("exploring");
    session.configure({ enabled: false });
    expect(code(await say(session, "on"))).toBe("PLAN_MODE_DISABLED");
    expect(code(await say(session, "off"))).toBe("ok");
  });

  it("[CH-01, CH-04, BY-01, PL-20] accept with the code of what waits decides and resumes the agent", async () => {
    const session = inPhase("pending");
    expect(code(await say(session, `accept ${codeOf(session)}`))).toBe("ok");
    expect(session.state().now).toMatchObject({ mode: "executing", approval: "approved" });
    expect(session.session().turn.status).toBe("requested");
    expect(code(await say(session, "accept"))).toBe("APPROVAL_ALREADY_DECIDED");
    const edits = inPhase("pending");
    expect(code(await say(edits, `accept edits ${codeOf(edits).toUpperCase()}`))).toBe("ok");
    expect(edits.state().now.approval).toBe("edited");
  });

  it("[PL-20] a bare accept decides nothing, and is answered with the code to type", async () => {
    const session = inPhase("pending");
    const before = session.session();
    const reply = await say(session, "accept edits");
    expect([code(reply), session.session()]).toEqual(["APPROVAL_CODE_REQUIRED", before]);
    const command = `/plan accept edits ${codeOf(session)}`;
    expect(message(reply)).toBe(`To approve "Rename the parser" (revision 1), type ${command}`);
    expect(reply).toMatchObject({ refusal: { details: { command } } });
    const standing = await say(session, "accept edits standing 5 14d");
    const terms = `/plan accept edits standing 5 14d ${codeOf(session)}`;
    expect(standing).toMatchObject({ refusal: { details: { command: terms } } }); // approves what was meant, not less
  });

  it("[PL-10, BY-01, PL-20] a code that was read on one revision does not approve the next", async () => {
    const session = inPhase("pending");
    const seen = codeOf(session);
    submitted(session, otherBody);
    expect(code(await say(session, `accept ${seen}`))).toBe("APPROVAL_CODE_REQUIRED");
    expect(session.state().now.approval).toBe("pending");
  });

  it("[PL-20] a code that was read before a rejection loses to it, and the new one approves over it", async () => {
    const session = inPhase("pending");
    const seen = codeOf(session);
    await say(session, "revise smaller");
    const late = await say(session, `accept ${seen}`);
    expect([code(late), message(late)]).toEqual([
      "APPROVAL_REJECTED",
      expect.stringMatching(/^Alice sent this plan back/),
    ]);
    const asked = await say(session, "accept");
    expect(message(asked)).toBe(
      `Alice sent "Rename the parser" (revision 1) back. To approve it nevertheless, type /plan accept ${codeOf(session)}`,
    );
    expect(codeOf(session)).not.toBe(seen);
    expect(code(await say(session, `accept ${codeOf(session)}`))).toBe("ok");
    expect(session.state().now.mode).toBe("executing");
  });

  it("[PL-20] a bare accept counts for the card that the surface proves to have shown, and for no other", async () => {
    const session = inPhase("pending");
    const shown = cardsOf(session);
    submitted(session, otherBody);
    expect(code(await say(session, "accept", { shown }))).toBe("APPROVAL_SUPERSEDED");
    expect(code(await say(session, "accept", { shown: cardsOf(session) }))).toBe("ok");
    const rejected = inPhase("pending");
    const before = cardsOf(rejected);
    await say(rejected, "revise smaller");
    expect(code(await say(rejected, "accept", { shown: before }))).toBe("APPROVAL_REJECTED");
    expect(code(await say(rejected, "accept", { shown: cardsOf(rejected) }))).toBe("APPROVAL_CODE_REQUIRED");
  });

  it("[PL-20, GA-10] a held call is allowed by its code alone, and denied by a word", async () => {
    const held = {
      gate: "plan",
      tool: "exec",
      kind: "bash",
      argsDigest: "d",
      folder: "/w",
      rule: "r",
      matched: "m",
    } as const;
    const session = inPhase("exploring");
    const ask = () => session.must({ type: "ask-call", callId: "c", call: held, shown: "make" }, agent);
    ask();
    const reply = await say(session, "answer 1");
    expect(code(reply)).toBe("APPROVAL_CODE_REQUIRED");
    const typed = /\/plan (answer .*)$/.exec(message(reply))?.[1] ?? "";
    expect(code(await say(session, "answer 2"))).toBe("ok");
    ask();
    expect(code(await say(session, typed))).not.toBe("ok"); // of the call before this one
    expect(session.state().grant).toBeUndefined();
    const again = /\/plan (answer .*)$/.exec(message(await say(session, "answer allow-once")))?.[1] ?? "";
    expect(code(await say(session, again))).toBe("ok");
    expect(session.state().grant).toMatchObject({ call: held });
  });

  it("[PL-19, CH-01] lift ends a hold, and off says when it holds", async () => {
    const session = inPhase("exploring", { settings: { approvals: { quorum: 1, approvers: ["Carol"] } } });
    expect(message(await say(session, "off"))).toMatch(/the session is held: only reading runs until/);
    expect(message(await say(session, "status"))).toContain(
      "Held: only reading, since Alice left plan mode (/plan lift)",
    );
    expect(code(await say(session, "lift"))).toBe("APPROVER_NOT_LISTED");
    session.configure({ approvals: { quorum: 2 } });
    expect(message(await say(session, "lift"))).toBe("Signed. Signatures still missing: 1");
    expect(message(await say(session, "status"))).toContain("Signatures: 1 of 2 (Alice)");
    session.configure({ approvals: { quorum: 1 } });
    expect(message(await say(session, "lift"))).toBe("The hold is lifted; the agent may change things again.");
    expect(code(await say(session, "lift"))).toBe("APPROVAL_NOT_PENDING");
  });

  it("[PL-10] accept, revise and answer with nothing waiting say so", async () => {
    expect(code(await say(inPhase("exploring"), "accept"))).toBe("APPROVAL_NOT_PENDING");
    expect(code(await say(inPhase("off"), "revise x"))).toBe("APPROVAL_NOT_PENDING");
    expect(code(await say(inPhase("pending"), "answer 1"))).toBe("QUESTION_NOT_PENDING");
  });

  it("[CH-02] a typed yes decides nothing", async () => {
    const session = inPhase("pending");
    for (const typed of ["yes", "approved", "ok", "accept it"])
      expect(code(await say(session, typed))).toBe("COMMAND_USAGE");
    expect(session.state().now.approval).toBe("pending");
  });

  it("[CH-01] revise sends the plan back with the feedback", async () => {
    const session = inPhase("pending");
    expect(code(await say(session, "revise smaller, please"))).toBe("ok");
    expect(session.state().now).toMatchObject({ approval: "rejected", feedback: "smaller, please" });
  });

  it("[CH-01, QU-02] answer takes number, id or text", async () => {
    const session = inPhase("exploring");
    session.must({ type: "ask", callId: "c", question: "Which?", options: ["Blue", "Red"] }, agent);
    expect(message(await say(session, "restate"))).toBe(
      "Question\n  Which?\n  1) Blue\n  2) Red\nAnswer with /plan answer <number, id or text>.",
    );
    expect(code(await say(session, "answer green"))).toBe("ANSWER_INVALID");
    expect(code(await say(session, "answer red"))).toBe("ok");
    expect(session.state().question).toBeNull();
  });

  it("[CH-01, TO-08] the frozen lines decide by plan id", async () => {
    const session = inPhase("pending");
    const { now } = session.state();
    const planId = now.phase === "pending" ? now.submission.planId : "";
    expect(code(await say(session, "[plan-mode] approve plan_id=pln_other"))).toBe("PLAN_NOT_FOUND");
    expect(code(await say(session, `[plan-mode] reject plan_id=${planId} reason=too big`))).toBe("ok");
    expect(session.state().now).toMatchObject({ approval: "rejected", feedback: "too big" });
    expect(code(await say(session, `[plan-mode] approve plan_id=${planId}`))).toBe("APPROVAL_REJECTED");
    const other = inPhase("pending");
    const waiting = other.state().now;
    const shown = waiting.phase === "pending" ? waiting.submission.planId : "";
    expect(code(await say(other, `[plan-mode] approve plan_id=${shown}`))).toBe("ok");
    expect(other.state().now.mode).toBe("executing");
  });

  it("[PL-16, CH-01] auto is set and shown", async () => {
    const session = inPhase("exploring");
    expect(code(await say(session, "auto on"))).toBe("ok");
    expect(message(await say(session, "status"))).toBe(
      [
        "Mode: plan · approval: none · auto on (plans are approved by rule)",
        "Permissions: default (plan mode comes first)",
        "Entered at 2023-11-14T22:13:20Z — reason: explore",
      ].join("\n"),
    );
    submitted(session.attend());
    expect(message(await say(session, "status"))).toContain("Decided by a rule: plan auto on");
  });

  it("[PL-16] that no approval is required here is said before a plan is there", async () => {
    const session = inPhase("exploring", { settings: { requireApproval: false } });
    expect(message(await say(session, "status"))).toContain("no approval is required here");
    expect(message(await say(inPhase("exploring"), "status"))).not.toContain("no approval is required");
  });

  it("[CH-01] view, restate and diff show the plan", async () => {
    const { session, documents } = withDocuments();
    expect(message(await say(session, "view", { documents }))).toContain(
      "Plan: Rename it twice\n\nSteps (0/1 done)\n  [ ] 1. Rename again",
    );
    expect(message(await say(session, "restate", { documents }))).toMatch(
      new RegExp(
        `plan_id=pln_\\w+ revision 2 digest ${DIGEST}\\nWaits for your decision\\.\\n/plan accept [0-9a-f]{6} — Accept\\n`,
      ),
    );
    expect(message(await say(session, "diff", { documents }))).toBe(
      [
        "Revision 1 → 2, by the agent",
        "Title",
        "- Rename the parser",
        "+ Rename it twice",
        "Steps",
        "- 1. Rename the file",
        "-     must hold: imports resolve",
        "-     must hold: tests pass",
        "- 2. Tell the team",
        "+ 1. Rename again",
      ].join("\n"),
    );
    expect(message(await say(session, "view 1", { documents }))).toBe("  [ ] 1. Rename again");
    expect(code(await say(session, "view 2", { documents }))).toBe("COMMAND_USAGE");
    expect(code(await say(inPhase("exploring"), "view"))).toBe("PLAN_NOT_FOUND");
    expect(code(await say(inPhase("exploring"), "diff"))).toBe("PLAN_NOT_FOUND");
  });

  it("[CH-01] view shows progress while the plan is carried out", async () => {
    const { session, documents } = withDocuments();
    session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
    session.must(
      { type: "update", patch: { plan: [{ step: "Rename again", status: "in_progress" }], merge: true } },
      agent,
    );
    expect(message(await say(session, "view", { documents }))).toContain("  [>] 1. Rename again");
  });

  it("[CH-01] restate shows a draft, and the steps as they stand while the plan is carried out", async () => {
    const draft = inPhase("exploring");
    expect(code(await say(draft, "restate"))).toBe("PLAN_NOT_FOUND");
    draft.must({ type: "update", patch: { plan: [{ step: "Look", status: "completed" }] } }, agent);
    expect(message(await say(draft, "restate"))).toBe("Plan: Draft\n\nSteps (1/1 done)\n  [x] 1. Look");

    const { session, documents } = withDocuments();
    session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
    const plan: PlanStep[] = [
      { step: "Rename again", status: "completed" },
      { step: "Look once more", status: "in_progress" },
    ];
    session.must({ type: "update", patch: { plan, merge: true } }, agent);
    const restated = message(await say(session, "restate", { documents }));
    expect(restated).toContain("Steps (1/2 done)\n  [x] 1. Rename again\n  [>] 2. Look once more");
    expect(restated).not.toContain("0/");
  });

  it("[BY-05, CH-01] the status names the steps that are held, until a person accepts them", async () => {
    const session = inPhase("exploring");
    const second: PlanStep = { step: "Look at it", status: "pending" };
    submitted(session, { ...otherBody, plan: [...otherBody.plan, second] });
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "approve", approvalId, steps: [1] } }, alice);
    expect(message(await say(session, "status"))).toContain("Held: steps 2 (/plan accept 2)");
    await say(session, "accept 2");
    expect(message(await say(session, "status"))).not.toContain("Held");
  });

  it("[BY-07, CH-01] decline and defer are told to the agent as what they are", async () => {
    for (const [typed, result] of [
      ["decline not mine to say", "declined"],
      ["defer", "deferred"],
    ] as const) {
      const session = inPhase("exploring");
      session.must({ type: "ask", callId: "c", question: "Which?", options: ["A", "B"] }, agent);
      expect(code(await say(session, typed))).toBe("ok");
      expect(session.session().injections.at(-1)?.text).toContain(`result: ${result}`);
      expect(code(await say(session, typed))).toBe("QUESTION_NOT_PENDING");
    }
  });

  it("[RV-01, CH-01] notes are written, listed and resolved by number", async () => {
    const { session, documents } = withDocuments();
    expect(code(await say(session, "note 9 x"))).toBe("NOTE_INVALID");
    expect(code(await say(session, "note 1 too large"))).toBe("ok");
    expect(message(await say(session, "notes"))).toContain('n1 · change · step 1 "Rename again"');
    expect(code(await say(session, "resolve 2"))).toBe("NOTE_NOT_FOUND");
    expect(code(await say(session, "resolve 1"))).toBe("ok");
    expect(message(await say(session, "notes"))).toContain("resolved by Alice");
    expect(message(await say(session, "diff", { documents }))).toContain("Revision 1 → 2");
    expect(code(await say(inPhase("exploring"), "note 1 x"))).toBe("PLAN_NOT_FOUND");
  });

  it("[BY-06, CH-01] a thread is answered, resolved and opened again by the number of its note", async () => {
    const { session } = withDocuments();
    await say(session, "note 1 too large");
    expect(message(await say(session, "reply 1 half of it?"))).toBe("Your reply stands under n1.");
    expect(code(await say(session, "resolve 1"))).toBe("ok");
    expect(message(await say(session, "reopen n1"))).toBe("n1 is open again.");
    const notes = message(await say(session, "notes"));
    expect(notes).toContain("half of it?");
    expect(notes).not.toContain("resolved by");
    for (const typed of ["reply 2 x", "reopen 2"]) expect(code(await say(session, typed))).toBe("NOTE_NOT_FOUND");
  });

  it("[CH-03] reading is open, but not in a chat channel; everything else needs operator.approvals", () => {
    const scopes = (args: string) => scopesFor(specOf(planCommand), args);
    const inChannel = (args: string) => scopesFor(specOf(planCommand), args, { onChannel: true });
    for (const args of ["", "status"])
      expect([scopes(args), inChannel(args)]).toEqual([["operator.read"], ["operator.read"]]);
    for (const args of ["view", "VIEW", "restate", "notes", "diff"]) {
      expect(scopes(args)).toEqual(["operator.read"]);
      expect(inChannel(args)).toEqual(["operator.read", "operator.approvals"]);
    }
    for (const args of [
      "nonsense",
      "accept everything",
      "on",
      "off",
      "auto on",
      "accept",
      "accept edits",
      "revise x",
      "answer 1",
      "decline",
      "defer",
      "note 1 x",
      "resolve 1",
      "reply 1 x",
      "reopen 1",
      "[plan-mode] approve plan_id=pln_1",
    ]) {
      expect(scopes(args)).toEqual(["operator.approvals"]);
    }
  });
});
