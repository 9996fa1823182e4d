import { expect, it } from "vitest";
import {
  agent,
  alice,
  inPhase,
  pendingApprovalId,
  planSession,
  type PlanSession,
  START_MS,
  submitted,
  system,
} from "../../../../test/kit/plan-session.ts";
import { PlanReminders } from "../../protocol/reach/reach.ts";
import { planCards } from "../../cards/plan-cards.ts";
import { closedCard } from "../../cards/closed-card.ts";
import { afterQuiet } from "./quiet-hours.ts";

const MINUTE = 60_000;
const reminders = PlanReminders.parse({ remindAfterMinutes: [30, 120], escalateAfterMinutes: [60, 90] });

const timerOf = (s: PlanSession) => s.session().timers.find(({ key }) => key === "planMode/reach");
const dueAt = (s: PlanSession): number | undefined => {
  const atMs = timerOf(s)?.atMs;
  return atMs === undefined ? undefined : (atMs - START_MS) / MINUTE;
};
const at = (s: PlanSession, minute: number): void => s.advance(START_MS + minute * MINUTE - s.now());

/** The timer fires at its time, or now where that is later. */
function ring(s: PlanSession): void {
  const timer = timerOf(s);
  if (timer === undefined) throw new Error("nothing is due");
  s.advance(Math.max(0, timer.atMs - s.now()));
  s.run({ type: "timer.fire", key: timer.key, atMs: timer.atMs }, system);
}
const cards = (s: PlanSession) => planCards(s.state(), { session: s.session(), settings: s.settings() });
const reminder = (s: PlanSession) => cards(s).find((card) => card.kind === "notice" && card.remindsOf !== undefined);

function waiting(settings: object = {}): PlanSession {
  const s = planSession({ settings: { reminders, ...settings } });
  s.must({ type: "enter", reason: "look" }, agent);
  submitted(s);
  return s;
}

it("[BY-07] what waits is brought back after its times, rises by levels, and nothing is decided by it", () => {
  const s = waiting();
  const seen = [];
  for (let n = 0; n < 4; n++) {
    const due = dueAt(s);
    ring(s);
    const { reminders: count = 0, level } = s.state().reach ?? {};
    // the last is the level of those who are reminded: who was shown it later is not
    seen.push([due, count, level, reminder(s)?.escalation ?? 0]);
  }
  expect(seen).toEqual([
    [30, 1, 0, 0],
    [60, 1, 1, 0],
    [90, 1, 2, 0],
    [120, 2, 2, 2],
  ]);
  expect([dueAt(s), s.state().now.phase]).toEqual([undefined, "pending"]);
  expect(cards(s)).toMatchObject([{ kind: "approval", escalation: 2 }, { kind: "notice" }]);
});

it("[BY-07] a reminder is a card with the actions of the card that waits, and says how that one ended", () => {
  const s = waiting();
  ring(s);
  const shown = reminder(s);
  const [card] = cards(s);
  expect(shown).toMatchObject({ remindsOf: pendingApprovalId(s), title: "Rename the parser", actions: card?.actions });
  const step = s.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(s) } }, alice);
  expect([reminder(s), dueAt(s)]).toEqual([undefined, undefined]);
  const approved = step.events.flatMap((event) => (event.type === "slice.changed" ? [event.event] : []))[0];
  if (shown === undefined || approved === undefined) throw new Error("no reminder");
  expect(closedCard(shown, approved as never)).toMatchObject({
    state: "ended",
    status: { text: "Accepted by Alice" },
    actions: [],
  });
});

it("[BY-07] nobody is reminded of what a person reads, and nobody in quiet hours", () => {
  const s = waiting({
    reminders: { ...reminders, quietHours: { from: "22:00", to: "23:30", timezone: "UTC" } }, // it begins at 22:13:20
  });
  expect(dueAt(s)).toBeCloseTo(76.67, 1);
  at(s, 76);
  s.must({ type: "reading", approvalId: pendingApprovalId(s) }, alice);
  ring(s);
  expect([dueAt(s), s.state().reach?.reminders]).toEqual([77, 0]);
  ring(s);
  // minute 30 and 60 fell into the quiet hours: one reminder says both
  expect([s.state().reach, dueAt(s)]).toMatchObject([{ reminders: 1, level: 1 }, 90]);
});

it("[BY-07] quiet hours may cross midnight, and are those of a place", () => {
  const night = { from: "22:00", to: "07:00", timezone: "Europe/Berlin" };
  const at22 = Date.UTC(2026, 0, 5, 22, 30); // 23:30 there
  expect(new Date(afterQuiet(at22, night)).toISOString()).toBe("2026-01-06T06:00:00.000Z");
  expect(afterQuiet(Date.UTC(2026, 0, 5, 12), night)).toBe(Date.UTC(2026, 0, 5, 12));
  // clocks go forward in that night
  expect(new Date(afterQuiet(Date.UTC(2026, 2, 28, 23), night)).toISOString()).toMatch(/^2026-03-29T0[56]:/);
});

it("[BY-07] a question is reminded of too; its answer ends it, and so does a deadline that comes first", () => {
  const s = planSession({ settings: { reminders, approvalTimeoutSeconds: 2_400 } });
  s.must({ type: "ask", callId: "c1", question: "Which?", options: ["a", "b"] }, agent);
  ring(s);
  expect([reminder(s)?.title, dueAt(s)]).toEqual(["Which?", undefined]); // 60 minutes are behind its deadline
  const approvalId = s.state().question?.approvalId;
  if (approvalId === undefined) throw new Error("no question");
  s.must({ type: "decide", approval: { action: "answer", approvalId, answer: "a" } }, alice);
  expect(reminder(s)).toBeUndefined();
  s.must({ type: "ask", callId: "c2", question: "And now?", options: ["a", "b"] }, agent);
  expect([dueAt(s), reminder(s)]).toEqual([60, undefined]);
});

it("[BY-07] without settings there is no timer, and a stale or foreign ring changes nothing", () => {
  expect(timerOf(inPhase("pending"))).toBeUndefined();
  const s = waiting();
  const approvalId = pendingApprovalId(s);
  expect(s.outcome({ type: "remind", approvalId, ring: 0 }, alice)).toBe("PERMISSION_DENIED");
  s.must({ type: "decide", approval: { action: "reject", approvalId, feedback: "no" } }, alice);
  expect(s.outcome({ type: "remind", approvalId, ring: 0 }, system)).toBe("TIMER_GONE");
  expect(dueAt(s)).toBeUndefined();
});

it("[BY-07] undelivered is another end than expired, also where it is learnt after the end", () => {
  const why = { place: "telegram:main:42", why: "chat not found" };
  const reached = inPhase("timed_out");
  const [expired] = cards(reached);
  expect(expired?.status.text).toContain("before anybody decided");
  const approvalId = pendingApprovalId(reached);
  reached.must({ type: "undelivered", approvalId, ...why }, system);
  expect(cards(reached)[0]?.status.text).toContain("could not be delivered");

  const early = inPhase("pending");
  const id = pendingApprovalId(early);
  expect(early.outcome({ type: "undelivered", approvalId: id, ...why }, system)).toBe("approval.undelivered");
  expect(early.outcome({ type: "undelivered", approvalId: id, ...why }, system)).toBe(""); // once for each place
  early.must({ type: "expire", approvalId: id }, system);
  early.attend();
  expect(early.state().reach?.undelivered).toEqual([why]);
  expect(early.outcome({ type: "undelivered", approvalId: id, ...why }, alice)).toBe("PERMISSION_DENIED");
});

it("[BY-07] what somebody read and left is expired, not undelivered, whatever place was missed", () => {
  const s = inPhase("pending");
  const approvalId = pendingApprovalId(s);
  s.must({ type: "reading", approvalId }, alice);
  s.must({ type: "undelivered", approvalId, place: "telegram:main:42", why: "chat not found" }, system);
  const { now } = s.state();
  if (now.phase !== "pending") throw new Error("not pending");
  s.advance(now.submission.deadlineAtMs - s.now());
  s.must({ type: "expire", approvalId }, system);
  expect(cards(s)[0]?.status.text).toContain("before anybody decided");
});
