/** A person writes the plan of an agent outside. */
import { expect, it } from "vitest";
import { cardsOf } from "../../../../test/kit/card-world.ts";
import { admin, agent, alice, planSession, reader, system } from "../../../../test/kit/plan-session.ts";

const TEXT = "# Tidy up\n\nBecause it is time.\n\n1. Move the files\n   - nothing is lost\n2. Delete the folder\n";

it("[PL-04, IG-03] begins a cycle where none is open, waits for a signature, and names its author", () => {
  const session = planSession({ kind: "external" });
  expect(session.outcome({ type: "write", text: TEXT }, alice)).toBe("plan.entered plan.submitted");
  const { now } = session.state();
  expect(now).toMatchObject({
    phase: "pending",
    submission: {
      title: "Tidy up",
      writtenBy: { kind: "operator", id: "opr_alice" },
      steps: [{ step: "Move the files", acceptanceCriteria: ["nothing is lost"] }, { step: "Delete the folder" }],
    },
  });
});

it("[PL-04] a plan without a list has a step for each line, and its first step for a title", () => {
  const session = planSession({ kind: "external" });
  session.must({ type: "write", text: "move it\n\ntest it\n" }, alice);
  expect(session.state().now).toMatchObject({
    submission: { title: "move it", steps: [{ step: "move it" }, { step: "test it" }] },
  });
  session.must({ type: "write", text: "- other", title: " Mine " }, alice);
  expect(session.state().now).toMatchObject({ submission: { title: "Mine", revision: 2 } });
});

it("[GA-11, PL-02] only people who may decide write one, and only for an agent outside", () => {
  const outside = planSession({ kind: "external" });
  for (const actor of [agent, system, reader]) {
    expect(outside.outcome({ type: "write", text: "- x" }, actor)).toBe("PERMISSION_DENIED");
  }
  expect(planSession().outcome({ type: "write", text: "- x" }, alice)).toBe("PLAN_INVALID");
  expect(outside.outcome({ type: "write", text: `- ${"x".repeat(3_000)}` }, alice)).toBe("PLAN_INVALID");
  expect(outside.outcome({ type: "write", text: "# Only a heading" }, alice)).toBe("PLAN_INVALID");
  expect(outside.state().now.phase).toBe("off");
});

it("[PL-09] whoever wrote it signs it, unless somebody else must; while it is carried out none is written", () => {
  const session = planSession({ kind: "external" });
  session.must({ type: "write", text: "- x" }, alice);
  const { now } = session.state();
  if (now.phase !== "pending") throw new Error("no plan waits");
  const approval = { action: "approve", approvalId: now.submission.approvalId } as const;
  session.must({ type: "decide", approval }, alice);
  expect(session.outcome({ type: "write", text: "- y" }, alice)).toBe("PLAN_INVALID");

  const strict = planSession({ kind: "external", settings: { approvals: { quorum: 1, notAuthor: true } } });
  strict.must({ type: "write", text: "- x" }, alice);
  const waiting = strict.state().now;
  if (waiting.phase !== "pending") throw new Error("no plan waits");
  const own = { action: "approve", approvalId: waiting.submission.approvalId } as const;
  expect(strict.outcome({ type: "decide", approval: own }, alice)).toBe("AUTHOR_NOT_APPROVER");
  expect(strict.outcome({ type: "decide", approval: own }, admin)).toBe("plan.approved");
});

it("[BY-02, IG-03] whoever signs is told before that a scope keeps a run held; without one nobody is", () => {
  for (const unlock of ["open", "scoped"] as const) {
    const session = planSession({ kind: "external", settings: { unlock } });
    session.must({ type: "write", text: "- x" }, alice);
    const [card] = cardsOf(session);
    const warned = (card?.warnings ?? []).map(({ text }) => text).filter((text) => text.includes("stays held"));
    expect([unlock, warned.length]).toEqual([unlock, unlock === "scoped" ? 1 : 0]);
  }
});

it("[IG-03] people are shown that an agent works past its hooks, as long as it does; nobody but the gateway says so", () => {
  const session = planSession({ kind: "external" });
  const ungated = () => cardsOf(session).filter(({ heading }) => heading.text === "This agent works past its hooks");
  expect(session.outcome({ type: "gated", gated: false }, agent)).toBe("PERMISSION_DENIED");
  expect(session.outcome({ type: "gated", gated: true }, system)).toBe("");
  session.must({ type: "gated", gated: false }, system);
  expect([session.outcome({ type: "gated", gated: false }, system), ungated().length]).toEqual(["", 1]);
  session.must({ type: "gated", gated: true }, system);
  expect(ungated()).toEqual([]);
});

it("[IG-03] people are shown what the kernel refused a held run: without a plan, and beside the plan while they decide", () => {
  const session = planSession({ kind: "external" });
  const tried = { path: "src/\u202Ea.ts", program: "make", others: 0 };
  expect(session.outcome({ type: "tried", tried }, agent)).toBe("PERMISSION_DENIED");
  session.must({ type: "tried", tried }, system);
  expect(session.outcome({ type: "tried", tried }, system)).toBe(""); // nothing new
  expect(cardsOf(session)[0]?.status.text).toMatch(/^It was refused a change: src\/‹U\+202E›a\.ts \(make\)\. /);
  session.must({ type: "write", text: "- x" }, alice);
  session.must({ type: "tried", tried: { ...tried, others: 4 } }, system);
  const [card] = cardsOf(session);
  const sections = card?.kind === "approval" ? (card.sections ?? []) : [];
  expect(sections.map(({ heading, items }) => [heading.text, items])).toEqual([
    ["The first of 5 changes that it was refused", ["src/‹U+202E›a.ts (make)"]],
  ]);
  const { now } = session.state();
  if (now.phase !== "pending") throw new Error("no plan waits");
  const approval = { action: "approve", approvalId: now.submission.approvalId } as const;
  session.must({ type: "decide", approval }, alice);
  const [after] = cardsOf(session);
  expect(after?.kind === "approval" && after.sections).toBeUndefined();
});
