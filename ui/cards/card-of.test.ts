import { describe, expect, it } from "vitest";
import { OperatorId } from "../../src/protocol/ids.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import { callQuestion } from "../../src/plan-mode/machine/grant/ask-call.ts";
import {
  callShownIn,
  canAct,
  canBeAccepted,
  cardOf,
  reconsidered,
  shortDigest,
  shownDeadline,
  signedBy,
} from "./card-of.ts";

const submission = {
  planId: "pln_1",
  approvalId: "apr_1",
  revision: 1,
  digest: "sha256:0123456789abcdef",
  title: "Paint",
  steps: [{ step: "a", status: "pending" }],
  submittedAtMs: 0,
  deadlineAtMs: 100_000,
};
const ann = { kind: "operator", id: "opr_ann", name: "Ann" };
const withPlan = (now: object, more: object = {}, slices: object = {}): Pick<SessionView, "slices"> =>
  ({ slices: { planMode: { now, auto: false, question: null, ...more }, ...slices } }) as Pick<SessionView, "slices">;
const pending = { phase: "pending", mode: "plan", approval: "pending", cycle: { id: "cyc_1" }, steps: [], submission };

it("[UI-02] [PL-18] knows who has signed these bytes already, and what stands in the way of accepting", () => {
  const signatures = [{ by: ann, scopes: [], unlock: "approved", atMs: 1, digest: submission.digest }];
  const card = cardOf(withPlan({ ...pending, signatures }));
  if (card?.kind !== "approval") throw new Error("no approval");
  const operator = (id: string): Parameters<typeof signedBy>[1] => ({
    id: OperatorId.parse(id),
    name: id,
    scopes: [],
  });
  expect([operator("opr_ann"), operator("opr_bo"), undefined].map((who) => signedBy(card, who))).toEqual([
    true,
    false,
    false,
  ]);
  const blocked = [[], "unknown" as const, [{ id: "ses_2", title: "" }]];
  expect(blocked.map((blockedBy) => canBeAccepted({ ...card, blockedBy }))).toEqual([true, false, false]);
});

describe("the card of a session", () => {
  it("[UI-02] is the plan that waits, with its open notes and the signatures on these very bytes", () => {
    const signature = { by: ann, scopes: [], unlock: "approved", atMs: 1 };
    const signatures = [
      { ...signature, digest: submission.digest },
      { ...signature, digest: "sha256:of-another" },
    ];
    const review = { lastN: 2, notes: [{ resolved: null }, { resolved: { by: ann, atMs: 2 } }] };
    expect(cardOf(withPlan({ ...pending, signatures }, { review }))).toEqual({
      kind: "approval",
      id: "apr_1",
      submission,
      signatures: [signatures[0]],
      needs: undefined,
      reading: undefined,
      openNotes: 1,
      blockedBy: [],
    });
  });

  it("[UI-04] is blocked by the sub-agents that run, and by a list that cannot be read", () => {
    const children = [
      { id: "ses_a", title: "A", status: "running" },
      { id: "ses_b", title: "B", status: "ended" },
    ];
    expect(cardOf(withPlan(pending, {}, { subagents: { children } }))).toMatchObject({ blockedBy: [children[0]] });
    expect(cardOf(withPlan(pending, {}, { subagents: {} }))).toMatchObject({ blockedBy: "unknown" });
    expect(cardOf(withPlan(pending, {}, { subagents: { children: 7 } }))).toMatchObject({ blockedBy: "unknown" });
  });

  it("[UI-02] is the question before anything else, and nothing while nothing waits", () => {
    const question = { approvalId: "apr_q", questionId: "qst_1" };
    expect(cardOf(withPlan({ phase: "exploring" }, { question }))).toEqual({ kind: "question", id: "apr_q", question });
    expect([
      cardOf(withPlan({ phase: "exploring" })),
      cardOf(withPlan({ phase: "off" })),
      cardOf({ slices: {} }),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it("[UI-04] says what became of a plan, and lets a person change their mind about a rejection", () => {
    const steps = [{ status: "completed" }, { status: "cancelled" }, { status: "pending" }];
    const executing = { ...pending, phase: "executing", approval: "edited", decidedBy: ann, steps };
    const rejected = { ...pending, phase: "rejected", approval: "rejected", decidedBy: ann, feedback: "No." };
    expect(cardOf(withPlan(executing))).toMatchObject({ kind: "decided", how: "edited", by: ann, done: 1, steps: 2 });
    expect(cardOf(withPlan(rejected))).toMatchObject({ kind: "decided", how: "rejected", feedback: "No." });
    expect(cardOf(withPlan({ ...pending, phase: "timed_out" }))).toMatchObject({ how: "timed_out", by: undefined });
    expect(reconsidered(withPlan(rejected))).toMatchObject({ kind: "approval", id: "apr_1" });
    expect(reconsidered(withPlan(executing))).toBe(undefined);
  });

  it("[UI-02] can act only online, for who may decide, and while it waits", () => {
    const card = cardOf(withPlan(pending));
    const operator = { id: "opr_1", name: "A", scopes: ["operator.approvals"] } as never;
    const reader = { id: "opr_1", name: "A", scopes: ["operator.read", "operator.write"] } as never;
    expect([
      canAct(card, { status: "online", operator }),
      canAct(card, { status: "reconnecting", operator }),
      canAct(card, { status: "online", operator: reader }),
      canAct(cardOf(withPlan({ ...pending, phase: "timed_out" })), { status: "online", operator }),
      canAct(undefined, { status: "online", operator }),
    ]).toEqual([true, false, false, false, false]);
  });
});

describe("a held call", () => {
  const call = { tool: "exec", folder: "/w", gate: "plan", rule: "r", matched: "m" } as const;

  it.each(["rm -rf /", "one\n\n    two", "    \nlast line\n", "May it make exactly this call, once?"])(
    "[UI-02] is shown exactly as the gateway wrote it: %j",
    (shown) => {
      const text = callQuestion({ call: call as never, shown }) ?? "";
      expect(callShownIn(text)).toBe(shown);
    },
  );

  it("[UI-02] is never guessed from a text that is built otherwise", () => {
    for (const text of ["", "a\nb", "a\n    b\nc", "a\n    b\nnot indented\nc\nd", "    a\n    b\nc\nd"]) {
      expect(callShownIn(text)).toBe(undefined);
    }
  });
});

it("[BY-07] stands still while somebody reads, and runs on afterwards", () => {
  const reading = { by: ann, untilMs: 60_000, extendedMs: 60_000 } as never;
  expect(shownDeadline({ deadlineAtMs: 160_000, reading }, 20_000)).toEqual({ untilMs: 120_000, paused: true });
  expect(shownDeadline({ deadlineAtMs: 160_000, reading }, 40_000)).toEqual({ untilMs: 140_000, paused: true }); // 100 s left, as before
  expect(shownDeadline({ deadlineAtMs: 160_000, reading }, 70_000)).toEqual({ untilMs: 160_000, paused: false });
  expect(shownDeadline({ deadlineAtMs: 5, reading: undefined }, 0)).toEqual({ untilMs: 5, paused: false });
});

it("shortens a digest, however it is prefixed", () => {
  expect([shortDigest("sha256:0123456789abcdef"), shortDigest("0123456789abcdef")]).toEqual([
    "0123456789ab",
    "0123456789ab",
  ]);
});
