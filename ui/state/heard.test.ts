import { expect, it } from "vitest";
import type { HoldpointEvent } from "../../src/client/events.ts";
import type { Card } from "../../src/protocol/card/card.ts";
import { closedAfter, NO_CLOSED } from "./closed-cards.ts";
import { NO_QUEUE, queueAfter } from "./queue.ts";

const event = (name: string, payload: object): HoldpointEvent => ({
  event: name,
  payload: { sessionId: "ses_1", atMs: 5, ...payload },
});
it("[UI-04] remembers what became of cards that are gone, the newest of them only", () => {
  const closed = (n: number): Card => ({
    kind: "notice",
    id: `n${n}`,
    slice: "theirs",
    state: "ended",
    heading: { text: "Gone" },
    title: "",
    status: { text: "It is over." },
    sinceMs: 0,
    level: "info",
    actions: [],
  });
  const many = Array.from({ length: 30 }, (_, n) => [closed(n)]);
  expect([...many.reduce(closedAfter, NO_CLOSED).keys()]).toEqual(Array.from({ length: 20 }, (_, n) => `n${n + 10}`));
  expect(closedAfter(NO_CLOSED, [])).toBe(NO_CLOSED);
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
