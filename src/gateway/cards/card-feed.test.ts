import { afterEach, expect, it } from "vitest";
import { type ServedGateway, serveGateway, submitPlan } from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import { approvalIn, type Card, type SessionCards } from "../../protocol/card/card.ts";
import { ApprovalId, MessageId, type SessionId } from "../../protocol/ids.ts";
import { keptPieces, LARGE_CHARS_MIN } from "../../protocol/kept-text.ts";
import { CARDS_EVENT, createCardFeed } from "./card-feed.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

function heardBy(client: WireClient): SessionCards[] {
  const heard: SessionCards[] = [];
  client.onEvent(({ event, payload }) => {
    if (event === CARDS_EVENT) heard.push(payload as unknown as SessionCards);
  });
  return heard;
}

const inShort = (cards: readonly Card[]): string[] => cards.map(({ kind, state }) => `${kind} ${state}`);

async function waiting(): Promise<{
  alice: WireClient;
  sessionId: SessionId;
  heard: SessionCards[];
  approvalId: string;
}> {
  gateway = await serveGateway();
  const alice = await gateway.client();
  const { session } = await alice.must("sessions.create", {});
  const heard = heardBy(alice);
  await alice.must("sessions.subscribe", { sessionId: session.id });
  const approvalId = await submitPlan(gateway, session.id);
  return { alice, sessionId: session.id, heard, approvalId };
}

it("[PL-08, PL-10, CH-07] subscribers are sent the cards with the commit that changed them, and what it closed", async () => {
  const { alice, sessionId, heard, approvalId } = await waiting();
  const reject = { action: "reject", approvalId: ApprovalId.parse(approvalId), feedback: "Use blue." } as const;
  await alice.must("sessions.patch", { sessionId, planApproval: reject });
  await alice.must("sessions.patch", { sessionId, planMode: "normal" });
  await alice.must("health", {});
  expect(heard.map(({ cards, closed }) => [inShort(cards), inShort(closed)])).toEqual([
    [["approval pending"], []],
    [["approval rejected"], []],
    [[], ["approval left"]],
  ]);
  expect(heard[2]?.closed[0]).toMatchObject({ id: approvalId, outcome: { by: { name: "alice" } }, actions: [] });
});

it("[UI-01] nothing is sent while the cards stay as they are", async () => {
  const { alice, sessionId, heard } = await waiting();
  const actor = { kind: "system", reason: "test" } as const;
  const message = { type: "message.send", messageId: MessageId.parse("msg_1"), text: "hello" } as const;
  await gateway.engine.dispatch(sessionId, message, { actor });
  await alice.must("health", {});
  expect(heard).toHaveLength(1);
});

it("[PL-12] whoever comes back is sent the present cards, and the view and the answer to a patch carry them", async () => {
  const { alice, sessionId, heard, approvalId } = await waiting();
  alice.close();
  await alice.closed;
  const again = await gateway.client();
  const heardAgain = heardBy(again);
  await again.must("sessions.subscribe", { sessionId, afterCursor: 0 });
  await again.must("health", {});
  expect(heardAgain).toEqual([{ ...heard[0], closed: [] }]);
  const { session } = await again.must("sessions.get", { sessionId });
  expect(session.cards).toEqual(heard[0]?.cards);
  const planApproval = { action: "approve", approvalId: ApprovalId.parse(approvalId) } as const;
  const patched = await again.must("sessions.patch", { sessionId, planApproval });
  expect(approvalIn(patched.session?.cards ?? [])).toMatchObject({
    state: "approved",
    outcome: { by: { name: "alice" } },
  });
});

it("[PL-12] a reset withdraws what waited", async () => {
  const { alice, sessionId, heard } = await waiting();
  await alice.must("sessions.reset", { sessionId });
  await alice.must("health", {});
  expect(inShort(heard.at(-1)?.closed ?? [])).toEqual(["approval left"]);
});

it("[PL-18, UI-04] other settings are told where they change the cards; a card whose plugin is gone is withdrawn", async () => {
  const { sessionId } = await waiting();
  const stored = await gateway.engine.session(sessionId);
  if (stored === undefined) throw new Error("no session");
  const [shown] = gateway.engine.cards(stored);
  if (shown === undefined) throw new Error("no card");
  let cards: Card[] = [shown];
  const feed = createCardFeed({ session: async () => stored, cards: () => cards, slices: new Map() });
  expect(JSON.parse((await feed.resettled(sessionId))?.payloadText ?? "")).toMatchObject({ closed: [] });
  expect(await feed.resettled(sessionId)).toBeUndefined();
  cards = [];
  expect(JSON.parse((await feed.resettled(sessionId))?.payloadText ?? "")).toMatchObject({
    cards: [],
    closed: [{ id: shown.id, state: "left", actions: [] }],
  });
});

it("[UI-04] a large session's cards are told once, however their text is put together, and again where a word changed", async () => {
  const { sessionId } = await waiting();
  const stored = await gateway.engine.session(sessionId);
  const [shown] = stored === undefined ? [] : gateway.engine.cards(stored);
  if (stored === undefined || shown === undefined) throw new Error("no card");
  const large = { ...stored, slices: { own: { text: "x".repeat(2 * LARGE_CHARS_MIN) } } };
  keptPieces(large);
  const steps = Array.from({ length: 400 }, (_, n) => ({ text: `Step ${n} of many`, status: "pending", criteria: [] }));
  let cards: unknown[] = [{ ...shown, steps }];
  const feed = createCardFeed({ session: async () => large, cards: () => cards as Card[], slices: new Map() });
  const told = async (): Promise<unknown> => {
    const event = await feed.resettled(sessionId);
    expect(event?.payloadPieces?.join("")).toBe(event?.payloadText);
    return event === undefined ? undefined : JSON.parse(event.payloadText);
  };
  expect(await told()).toMatchObject({ cards, closed: [] });
  for (let n = 0; n < 8; n++) expect(await told()).toBeUndefined(); // by now the text of its steps is kept in one piece
  cards = [{ ...shown, steps: structuredClone(steps) }];
  expect(await told()).toBeUndefined();
  cards = [{ ...shown, steps: steps.with(399, { text: "Step 399 of more", status: "pending", criteria: [] }) }];
  expect(await told()).toMatchObject({ cards });
});
