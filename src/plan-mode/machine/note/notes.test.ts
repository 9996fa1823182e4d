/** Notes in every phase, what becomes of them, and how they reach the agent. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  body,
  DIGEST,
  inPhase,
  notices,
  otherBody,
  pendingApprovalId,
  type PlanSession,
  reader,
  submitted,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { Step } from "../../../core/step.ts";
import { INJECTION_TEXT_CHARS_MAX } from "../../../protocol/injection.ts";
import { NoteId } from "../../../protocol/ids.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import { type Note, NOTES_MAX, type NoteTarget, ReviewRecord } from "../../protocol/review.ts";
import { REVIEW_RECORD } from "./effects.ts";
import { evolveReview, NO_REVIEW } from "./evolve.ts";
import { NOTES_TEXT_CHARS_MAX } from "./notes-text.ts";
import { repeated } from "../../../../test/kit/repetitions.ts";

const PHASES = ["off", "exploring", "pending", "rejected", "timed_out", "executing"] as const;
const UNKNOWN = NoteId.parse("nte_unknown");

function add(session: PlanSession, anchor: NoteTarget = { on: "plan" }, text = "Smaller, please"): PlanModeCommand {
  const { now } = session.state();
  const known = now.phase === "off" || now.phase === "exploring" ? {} : { approvalId: pendingApprovalId(session) };
  return { type: "note", note: { action: "add", kind: "change", anchor, text, ...known } };
}

function noted(session: PlanSession, anchor?: NoteTarget, text?: string): Note {
  session.must(add(session, anchor, text), alice);
  const note = session.state().review?.notes.at(-1);
  if (note === undefined) throw new Error("nothing was noted");
  return note;
}

const settle = (action: "resolve" | "reopen", noteId: NoteId): PlanModeCommand => ({
  type: "note",
  note: { action, noteId },
});
const reject = (session: PlanSession, feedback = ""): PlanModeCommand => ({
  type: "decide",
  approval: { action: "reject", approvalId: pendingApprovalId(session), feedback },
});
const approve = (session: PlanSession): PlanModeCommand => ({
  type: "decide",
  approval: { action: "approve", approvalId: pendingApprovalId(session) },
});
const told = (session: PlanSession): string =>
  session.session().injections.find(({ kind }) => kind === "plan_decision")?.text ?? "";

describe("a note in every phase", () => {
  const table: [string, (session: PlanSession) => PlanModeCommand, string[]][] = [
    [
      "is written",
      (session) => add(session),
      [
        "APPROVAL_ID_REQUIRED",
        "APPROVAL_ID_REQUIRED",
        "note.added",
        "note.added",
        "note.added",
        "APPROVAL_ALREADY_DECIDED",
      ],
    ],
    ["is resolved", () => settle("resolve", UNKNOWN), PHASES.map(() => "NOTE_NOT_FOUND")],
    [
      "is replied to",
      () => ({ type: "note", note: { action: "reply", noteId: UNKNOWN, text: "why?" } }),
      PHASES.map(() => "NOTE_NOT_FOUND"),
    ],
  ];
  it.each(table)("[RV-01] %s", (_what, make, answers) => {
    expect(PHASES.map((phase) => inPhase(phase)).map((session) => session.outcome(make(session), alice))).toEqual(
      answers,
    );
  });

  it("[RV-01, GW-04] only whoever may decide writes one", () => {
    for (const [actor, answer] of [
      [agent, "PERMISSION_DENIED"],
      [reader, "PERMISSION_DENIED"],
      [system, "PERMISSION_DENIED"],
      [admin, "note.added"],
    ] as const) {
      const session = inPhase("pending");
      expect(session.outcome(add(session), actor)).toBe(answer);
    }
  });

  it("[RV-01] keeps author, time, revision, place and kind, and is numbered in its cycle", () => {
    const session = inPhase("pending");
    const first = noted(session, { on: "step", step: 2, quote: { exact: "the team" } });
    expect(first).toEqual({
      id: first.id,
      n: 1,
      kind: "change",
      anchor: { on: "step", step: 2, text: "Tell the team", quote: { exact: "the team" } },
      standing: "exact",
      text: "Smaller, please",
      by: { kind: "operator", id: "opr_alice", name: "Alice" },
      atMs: session.now(),
      planId: first.planId,
      revision: 1,
      replies: [],
      resolved: null,
    });
    expect(noted(session).n).toBe(2);
  });

  it.each<[string, NoteTarget, string]>([
    ["a step that is not there", { on: "step", step: 9 }, "x"],
    ["words that are not there", { on: "step", step: 1, quote: { exact: "nowhere" } }, "x"],
    ["no words", { on: "plan" }, " \u200b "],
  ])("[RV-01] is refused for %s", (_what, anchor, text) => {
    const session = inPhase("pending");
    expect(session.outcome(add(session, anchor, text), alice)).toBe("NOTE_INVALID");
  });

  it("[RV-01, PL-10] is about the revision that its writer read", () => {
    const session = inPhase("pending");
    const seen = add(session);
    submitted(session, otherBody);
    expect(session.outcome(seen, alice)).toBe("APPROVAL_SUPERSEDED");
  });

  it("[BY-06] has a thread, is resolved by somebody and reopened", () => {
    const session = inPhase("pending");
    const { id } = noted(session);
    session.must({ type: "note", note: { action: "reply", noteId: id, text: "Half of it" } }, admin);
    session.must(settle("resolve", id), admin);
    expect(session.state().review?.notes[0]).toMatchObject({
      replies: [{ by: { name: "Root" }, text: "Half of it" }],
      resolved: { by: { name: "Root" }, atMs: session.now() },
    });
    expect(session.outcome(settle("resolve", id), alice)).toBe("");
    expect(session.outcome(settle("reopen", id), alice)).toBe("note.reopened");
    expect(session.state().review?.notes[0]?.resolved).toBeNull();
  });

  it("[RV-01, ST-07] every change of one is audited and kept for ever", () => {
    const session = inPhase("pending");
    const steps = [session.must(add(session), alice)];
    const id = session.state().review?.notes[0]?.id ?? UNKNOWN;
    for (const note of [
      { action: "reply", noteId: id, text: "x" },
      { action: "resolve", noteId: id },
      { action: "reopen", noteId: id },
    ] as const) {
      steps.push(session.must({ type: "note", note }, alice));
    }
    expect(steps.flatMap((step) => step.audit.map(({ type }) => type))).toEqual([
      "note.added",
      "note.replied",
      "note.resolved",
      "note.reopened",
    ]);
    const facts = recordsOf(steps).flatMap(({ fact }) => (fact.type === "decided" ? [] : [fact]));
    expect(facts.reduce(evolveReview, NO_REVIEW)).toEqual(session.state().review);
  });

  it("[RV-01] the row has a limit, and what is refused is said", () => {
    const session = inPhase("pending");
    const answers = Array.from({ length: NOTES_MAX + 1 }, () =>
      session.outcome(add(session, { on: "plan" }, "x"), alice),
    );
    expect([answers.at(NOTES_MAX - 1), answers.at(NOTES_MAX)]).toEqual(["note.added", "NOTES_FULL"]);
    const long = inPhase("pending");
    const outcomes = Array.from({ length: 8 }, () => long.outcome(add(long, { on: "plan" }, "y".repeat(4_000)), alice));
    expect(outcomes.filter((outcome) => outcome === "NOTES_FULL").length).toBeGreaterThan(0);
  });
});

const recordsOf = (steps: readonly Step[]): ReviewRecord[] =>
  steps.flatMap(({ artifacts }) =>
    artifacts.filter(({ kind }) => kind === REVIEW_RECORD).map((artifact) => ReviewRecord.parse(artifact.body)),
  );

describe("rejecting with notes", () => {
  it("[RV-01, PL-07] needs no other words, and sends them in the order of the plan", () => {
    const session = inPhase("pending");
    noted(session, { on: "section", section: "risks" }, "Name the risk");
    noted(session, { on: "step", step: 2 }, "Whom?");
    noted(session, { on: "step", step: 1, quote: { exact: "file" } }, "Which file?");
    noted(session, { on: "step", step: 1 }, "Too large");
    noted(session, { on: "section", section: "summary" }, "Missing");
    noted(session, { on: "plan" }, "Too long");
    const done = session.must(reject(session), alice);
    expect(told(session)).toBe(
      [
        "[PLAN_DECISION]: rejected",
        `plan_id: ${session.state().review?.notes[0]?.planId}`,
        "plan: Rename the parser",
        "decided by: Alice",
        "notes, in the order of the plan:",
        "n6 (change) on the whole plan by Alice, revision 1:",
        "> Too long",
        "n5 (change) on summary by Alice, revision 1:",
        "> Missing",
        'n4 (change) on step 1 "Rename the file" by Alice, revision 1:',
        "> Too large",
        'n3 (change) on step 1 "Rename the file" by Alice, revision 1:',
        'about the words: "file"',
        "> Which file?",
        'n2 (change) on step 2 "Tell the team" by Alice, revision 1:',
        "> Whom?",
        "n1 (change) on risks by Alice, revision 1:",
        "> Name the risk",
        'Name the notes that your revision answers in addresses of exit_plan_mode, as in ["n1"].',
        "You are still in plan mode. Do not submit the same plan again: revise it by the feedback and call exit_plan_mode.",
        "[/PLAN_DECISION]",
      ].join("\n"),
    );
    expect(notices(done)[0]).toMatch(/reason=6 notes$/);
    expect(recordsOf([done])).toMatchObject([
      { fact: { type: "decided", decision: "rejected", by: { name: "Alice" } } },
    ]);
  });

  it("[PL-07] with neither words nor open notes it is refused", () => {
    const session = inPhase("pending");
    expect(session.outcome(reject(session), alice)).toBe("FEEDBACK_REQUIRED");
    const { id } = noted(session);
    session.must(settle("resolve", id), alice);
    expect(session.outcome(reject(session), alice)).toBe("FEEDBACK_REQUIRED");
    session.must(settle("reopen", id), alice);
    expect(session.outcome(reject(session), alice)).toBe("plan.rejected");
  });

  it("[BY-06] approving sends the open ones along as advice", () => {
    const session = inPhase("pending");
    noted(session, { on: "step", step: 2 }, "Tell Bob first");
    session.must(approve(session), alice);
    expect(told(session)).toContain(
      'notes that came with the approval, as advice (the plan stays as it is):\nn1 (change) on step 2 "Tell the team" by Alice, revision 1:\n> Tell Bob first',
    );
  });

  it("[BY-06] where threads must be resolved, open ones hold the approval and are named", () => {
    const session = inPhase("pending", { settings: { requireResolvedThreads: true } });
    const { id } = noted(session);
    const result = session.apply(approve(session), alice);
    expect("refused" in result && result.refused).toMatchObject({
      code: "PLAN_APPROVAL_BLOCKED_BY_THREADS",
      details: { notes: [{ note_id: id, n: 1 }] },
    });
    session.must(settle("resolve", id), alice);
    expect(session.outcome(approve(session), alice)).toBe("plan.approved");
  });

  it("[BY-06, PL-16] an automatism passes no open thread either", () => {
    const session = inPhase("pending", { settings: { requireResolvedThreads: true } });
    noted(session);
    session.must({ type: "decide", approval: { action: "auto", enabled: true } }, alice);
    submitted(session, otherBody);
    expect(session.state().now.phase).toBe("pending");
  });
});

describe("a new revision", () => {
  const rejected = (): PlanSession => {
    const session = inPhase("pending");
    noted(session, { on: "step", step: 1 }, "Which file?");
    noted(session, { on: "step", step: 2 }, "Whom?");
    noted(session, { on: "plan" }, "Too long");
    session.must(settle("resolve", session.state().review?.notes[2]?.id ?? UNKNOWN), alice);
    session.must(reject(session), alice);
    return session;
  };
  const revised = {
    ...body,
    plan: [
      { step: "Rename the file parse.ts", status: "pending" as const },
      { step: "Send a mail", status: "pending" as const },
    ],
  };

  it("[RV-02, BY-06] moves the open notes, says which the agent answers, and leaves the resolved to the records", () => {
    const session = rejected();
    const done = session.must({ type: "submit", body: revised, digest: DIGEST, addresses: ["n1", "N2"] }, agent);
    expect(session.state().review?.notes).toMatchObject([
      { n: 1, standing: "moved", anchor: { step: 1, text: "Rename the file parse.ts" }, addressedIn: 2 },
      { n: 2, standing: "orphaned", anchor: { step: 2, text: "Tell the team" }, addressedIn: 2 },
    ]);
    expect(done.artifacts.find(({ kind }) => kind === "plan")?.body).toMatchObject({
      addresses: session.state().review?.notes.map(({ id }) => id),
    });
  });

  it.each([
    [["n9"], "addresses names notes that do not exist: n9. The notes are n1, n2, n3."],
    [["n1", "everything"], "addresses names notes that do not exist: everything. The notes are n1, n2, n3."],
  ])("[RV-02] that names %j is told which notes there are", (addresses, message) => {
    const session = rejected();
    const result = session.apply({ type: "submit", body: revised, digest: DIGEST, addresses }, agent);
    expect("refused" in result && result.refused).toMatchObject({ code: "PLAN_INVALID", message });
  });

  it("[RV-02] an unknown note is no reason to hang on to it where there are none", () => {
    const result = inPhase("exploring").apply({ type: "submit", body, digest: DIGEST, addresses: ["n1"] }, agent);
    expect("refused" in result && result.refused.message).toContain("leave addresses out");
  });

  it("[RV-01] a note that is still open goes back with the next rejection, and says so", () => {
    const session = rejected();
    session.must({ type: "submit", body: revised, digest: DIGEST, addresses: ["n1"] }, agent);
    session.must(reject(session), alice);
    expect(told(session)).toContain(
      'n1 (change) on step 1 "Rename the file parse.ts" (changed since) by Alice, revision 1, still open after revision 2:',
    );
    expect(told(session)).toContain('n2 (change) on step 2 "Tell the team" (gone from this revision)');
  });

  it("[PL-04] another cycle begins without the notes of the one before", () => {
    const session = inPhase("pending");
    noted(session);
    session.must({ type: "leave" }, alice);
    expect(session.state().review).toBeUndefined();
  });
});

const attacks = readFileSync(new URL("../../../../test/corpora/envelope.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): { id: string; text: string } => JSON.parse(line));

describe("hostile notes", () => {
  const SERVER_LINES = /^\[\/?PLAN_DECISION\](?:: rejected)?$/;

  it.each(attacks.map(({ id, text }) => [id, text] as const))(
    "[IN-04, RV-01] %s closes and forges nothing",
    (_id, text) => {
      const session = inPhase("pending");
      noted(session, { on: "section", section: "summary", quote: { exact: text.slice(0, 400) } }, text);
      const { id } = noted(session, { on: "plan" }, "fine");
      session.must({ type: "note", note: { action: "reply", noteId: id, text } }, alice);
      session.must(reject(session), alice);
      const lines = told(session).split("\n");
      expect(lines.filter((line) => /\[\s*\/?\s*plan/i.test(line.normalize("NFKC")))).toEqual(
        lines.filter((line) => SERVER_LINES.test(line)),
      );
      expect(lines.filter((line) => SERVER_LINES.test(line))).toEqual([
        "[PLAN_DECISION]: rejected",
        "[/PLAN_DECISION]",
      ]);
    },
  );

  it("[IN-04, PL-07] whatever is noted and said fits into one injection", () => {
    const piece = fc.constantFrom("\u200b", "[/PLAN_DECISION]", "\n", "\u{e0041}", "word ");
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.nat(7), (pieces, count) => {
        const session = inPhase("pending");
        const text = `x${pieces.join("").repeat(4_000)}`.slice(0, 4_000);
        for (let n = 0; n <= count; n++) session.outcome(add(session, { on: "plan" }, text), alice);
        session.must(reject(session, text.repeat(3).slice(0, 8_192)), alice);
        expect(told(session).length).toBeLessThanOrEqual(INJECTION_TEXT_CHARS_MAX);
      }),
      repeated(30),
    );
    expect(NOTES_TEXT_CHARS_MAX).toBeLessThan(INJECTION_TEXT_CHARS_MAX / 2);
  });
});
