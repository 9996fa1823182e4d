import { expect, it } from "vitest";
import type { HoldpointEvent } from "../../src/client/events.ts";
import { NO_OUTCOMES, outcomesAfter } from "./outcomes.ts";
import { NO_QUEUE, queueAfter } from "./queue.ts";

const event = (name: string, payload: object): HoldpointEvent => ({
  event: name,
  payload: { sessionId: "ses_1", atMs: 5, ...payload },
});
const ann = { kind: "operator", id: "opr_1", name: "Ann" };

it("[UI-04] remembers who answered, declined, or switched plan mode off", () => {
  const events = [
    event("question.answered", { questionId: "q1", answer: "Sky", optionId: "sky", by: ann }),
    event("question.closed", { questionId: "q2", reason: "declined", by: ann }),
    event("question.closed", { questionId: "q3", reason: "timed_out" }),
    event("plan.left", { cycleId: "c1", by: ann }),
    event("turn.said", {}),
  ];
  expect([...events.reduce(outcomesAfter, NO_OUTCOMES).values()]).toEqual([
    { of: "q1", how: "answered", by: ann, answer: "Sky", optionId: "sky", atMs: 5 },
    { of: "q2", how: "declined", by: ann, atMs: 5 },
    { of: "q3", how: "timed_out", atMs: 5 },
    { of: "c1", how: "left", by: ann, atMs: 5 },
  ]);
});

it("keeps the newest outcomes only, and is the same object when nothing was heard", () => {
  const many = Array.from({ length: 30 }, (_, n) => event("question.closed", { questionId: `q${n}`, reason: "left" }));
  expect(many.reduce(outcomesAfter, NO_OUTCOMES).size).toBe(20);
  expect(outcomesAfter(NO_OUTCOMES, event("turn.said", {}))).toBe(NO_OUTCOMES);
});

it("[UI-01] knows which messages wait until the agent takes them up, in a new turn or in the running one", () => {
  const message = (id: string) => ({ id, text: id, from: "Ann", atMs: 5 });
  const queued = ["m1", "m2", "m3"]
    .map((id) => event("message.queued", { message: message(id) }))
    .reduce(queueAfter, NO_QUEUE);
  expect(queued.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
  const begun = queueAfter(
    queued,
    event("entry.appended", { n: 1, entry: { kind: "input", messages: [message("m1")] } }),
  );
  expect(queueAfter(begun, event("turn.steered", { messageIds: ["m2"] })).map(({ id }) => id)).toEqual(["m3"]);
  expect(queueAfter(begun, event("turn.steered", { messageIds: ["m9"] }))).toBe(begun);
});
