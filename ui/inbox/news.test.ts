import { expect, it } from "vitest";
import { SessionId } from "../../src/protocol/ids.ts";
import type { WaitingSession } from "../state/waiting-list.ts";
import { newsBetween } from "./news.ts";

const waits = (id: string): WaitingSession => ({
  id: SessionId.parse(`ses_${id}`),
  agentId: "main",
  kind: "chat",
  title: "",
  archived: false,
  createdAtMs: 0,
  updatedAtMs: 0,
  waiting: { kind: "approval", id, title: "Paint", sinceMs: 0, deadlineMs: null },
});

it("[UI-07] tells what came to wait and what is decided, once each, a new revision too", () => {
  const [one, two, three] = [waits("a"), waits("b"), waits("c")];
  expect(newsBetween([one, two], [two, three])).toEqual({ arrived: [three], gone: ["a"] });
  expect(newsBetween([one], [one])).toEqual({ arrived: [], gone: [] });
  const revised = { ...one, waiting: { ...one.waiting, id: "a2" } };
  expect(newsBetween([one], [revised])).toEqual({ arrived: [revised], gone: ["a"] });
});
