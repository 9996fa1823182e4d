import { expect, it } from "vitest";
import { cardsOf as cardsIn, CARD_WORLDS } from "../../test/kit/card-world.ts";
import type { Card } from "../../src/protocol/card/card.ts";
import { OperatorId } from "../../src/protocol/ids.ts";
import { speak } from "../i18n/t.ts";
import type { Connection } from "../state/connection.ts";
import { blockersOf } from "./blockers-of.ts";
import { cardText, personName, statusText } from "./card-text.ts";
import { canAct, canTake, isWaitingCard } from "./waiting-card.ts";

const alice = { id: OperatorId.parse("opr_alice"), name: "Alice", scopes: ["operator.approvals" as const] };
const reader = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob", scopes: ["operator.read" as const] };

function cardOf(world: keyof typeof CARD_WORLDS): Card {
  const [card] = cardsIn(CARD_WORLDS[world]());
  if (card === undefined) throw new Error("no card");
  return card;
}

const free = (card: Card, operator: typeof alice | typeof reader | undefined): string[] =>
  card.actions.filter((action) => canTake(card, action, operator)).map(({ id }) => id);

it("[UI-02, UI-04] the composer makes room for what waits, and only where it can be decided", () => {
  const online = (operator: typeof alice | typeof reader): Connection => ({ status: "online", operator });
  expect(isWaitingCard(cardOf("pending"))).toBe(true);
  expect(isWaitingCard(cardOf("rejected"))).toBe(false);
  expect(isWaitingCard(undefined)).toBe(false);
  expect(canAct(cardOf("pending"), online(alice))).toBe(true);
  expect(canAct(cardOf("approved"), online(alice))).toBe(false);
  expect(canAct(cardOf("pending"), online(reader))).toBe(false);
});

it("[PL-18, BY-06] a button is free where the gateway would take it; whether time is up is for the gateway's clock", () => {
  expect(free(cardOf("pending"), alice)).toEqual(["approve", "approve-allowing-edits", "approve-edition", "reject"]);
  expect(free(cardOf("pending, late"), alice)).toContain("approve");
  expect(free(cardOf("pending, notes must be resolved"), alice)).toEqual(["reject"]);
  expect(free(cardOf("pending, a sub-agent works"), alice)).toEqual(["reject"]);
  expect(free(cardOf("pending"), reader)).toEqual([]);
  expect(free(cardOf("pending"), undefined)).toEqual([]);
});

it("[UI-04] what stands in the way of a yes is said once, and not where the log-in is the reason", () => {
  const codes = (world: keyof typeof CARD_WORLDS, operator = alice) =>
    blockersOf(cardOf(world), operator).map(({ code }) => code);
  expect(codes("pending")).toEqual([]);
  expect(codes("pending, a sub-agent works")).toEqual(["PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS"]);
  expect(codes("pending, notes must be resolved")).toEqual(["PLAN_APPROVAL_BLOCKED_BY_THREADS"]);
  expect(codes("pending, only Root may")).toEqual(["APPROVER_NOT_LISTED"]);
  expect(blockersOf(cardOf("pending"), reader)).toEqual([]);
  expect(blockersOf(cardOf("pending, a sub-agent works"), undefined)).toEqual([]);
});

it("[UI-06, UI-08] words of the gateway are said in the language of the person, and show what they hide", async () => {
  await speak(["en"]); // other tests of this process may have spoken another one
  expect(cardText({ text: "a\u202Eb" })).not.toContain("\u202E");
  const by = { kind: "operator" as const, id: "opr_alice", name: "Alice" };
  expect(personName(by, reader)).toBe("Alice");
  expect(statusText(cardOf("approved"), reader)).toBe("Accepted by Alice");
});
