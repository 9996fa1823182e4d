import { afterEach, expect, it } from "vitest";
import { type Random, seeded } from "../../test/kit/random.ts";
import { repetitions, SEED } from "../../test/kit/repetitions.ts";
import { PLACES, type ServedGateway, serveGateway } from "../../test/kit/served-gateway.ts";
import type { ChannelEvent } from "../plugins/api/channel.ts";
import type { Scope } from "../protocol/actor.ts";
import { OperatorId } from "../protocol/ids.ts";
import type { Follows } from "../store/deliveries.ts";
import { type ChannelInboundParts, createChannelInbound } from "./channel-inbound.ts";
import { createInbound } from "./inbound.ts";

const [EVENTS, CONVERSATIONS, WINDOW, TWICE] = [80, 4, 50, 0.3];

let gateway: ServedGateway;
afterEach(() => gateway.close());

/** One paired person; what places follow is kept here. */
async function opened() {
  gateway = await serveGateway();
  const { engine, store, host, clock, tokens } = gateway;
  const turnedAway: unknown[] = [];
  const receipts: unknown[] = [];
  const follows = new Map<string, Follows>();
  const none = async () => undefined;
  const deliveries: ChannelInboundParts["deliveries"] = {
    following: async ({ conversation }) => follows.get(conversation),
    async followInstead({ conversation }, change) {
      const now = follows.get(conversation);
      if (now === change.instead) follows.set(conversation, change.follows);
      return now === change.instead || now === undefined ? change.follows : now;
    },
    clicked: async () => ({ refused: { code: "APPROVAL_UNKNOWN", message: "" } }),
    clickedSession: none,
    codeTyped: none,
    readIn: async () => [],
    received: async (receipt) => receipts.push(receipt) > 0,
  };
  const reopened = (seenBy: Pick<typeof engine, "session"> = engine) =>
    createChannelInbound({
      inbound: createInbound({ engine, store, host, clock, ...PLACES }),
      engine: { ...engine, session: seenBy.session },
      store,
      clock,
      deliveries,
      operator: (id) => tokens.operator(id),
      turnedAway: (who) => void turnedAway.push(who),
    });
  const receive = reopened();
  const pair = async (name: string, personId: string, scopes: Scope[]) => {
    const { token } = await tokens.create({ name, scopes, by: "test" });
    const person = { surface: "fake", account: "bot", personId };
    const audit = { atMs: 1, actor: "test", facts: [] };
    await store.saveSurfaceAccount({ ...person, operatorId: OperatorId.parse(token.id), createdAtMs: 1 }, audit);
    return token;
  };
  const token = await pair("Alice", "42", ["operator.read", "operator.write"]);
  const event = (text: string, change: Partial<ChannelEvent> = {}): ChannelEvent =>
    ({
      account: "bot",
      conversation: "c1",
      eventId: text,
      person: { id: "42", assured: true },
      kind: "message",
      text,
      ...change,
    }) as ChannelEvent;
  return { receive, reopened, event, turnedAway, receipts, follows, pair, operatorId: token.id };
}

it("[GW-09, CH-09] acts as the paired operator on the channel's own surface, whatever the account elsewhere", async () => {
  const { receive, event, turnedAway, follows, operatorId } = await opened();
  const outcome = await receive("fake", event("hello"));
  expect(outcome).toMatchObject({ kind: "message" });
  const { sessionId } = outcome.kind === "message" ? outcome : { sessionId: undefined };
  expect(follows.get("c1")).toMatchObject({ kind: "session", sessionId });
  const session = sessionId === undefined ? undefined : await gateway.engine.session(sessionId);
  expect(session).toMatchObject({ surface: "fake", inbox: [{ from: "Alice" }] });
  expect(await receive("other", event("hello"))).toEqual({ kind: "dropped" });
  expect(await receive("fake", event("hello", { account: "other" }))).toEqual({ kind: "dropped" });
  expect(turnedAway).toMatchObject([
    { surface: "other", personId: "42", why: "not paired" },
    { surface: "fake", account: "other", why: "not paired" },
  ]);
  const rows = await gateway.inner.auditRows({ afterSeq: 0, limit: 50 });
  expect(rows.filter(({ actor }) => actor === operatorId)).not.toEqual([]);
});

it("[CH-11] throws when an event could not be stored, so that it is not acknowledged, and takes it the next time", async () => {
  const { receive, event } = await opened();
  const first = await receive("fake", event("one"));
  gateway.store.failCommits({ reason: "full", outcome: "nothing-written", message: "The disk is full." });
  await expect(receive("fake", event("two"))).rejects.toThrow("The disk is full.");
  const again = await receive("fake", event("two"));
  expect(again).toMatchObject({ kind: "message" });
  expect(await receive("fake", event("two"))).toEqual(again);
  expect(await receive("fake", event("one"))).toEqual(first);
});

it("[CH-11] keeps the order of a conversation, and of its events makes one session", async () => {
  const { receive, event } = await opened();
  const texts = Array.from({ length: 12 }, (_, n) => `line ${n}`);
  const outcomes = await Promise.all(texts.map((text) => receive("fake", event(text))));
  const ids = new Set(outcomes.map((outcome) => (outcome.kind === "message" ? outcome.sessionId : undefined)));
  expect(ids.size).toBe(1);
  const [id] = ids;
  const session = id === undefined ? undefined : await gateway.engine.session(id);
  expect(session?.inbox.map(({ text }) => text)).toEqual(texts);
});

it("[CH-11, SC-02] goes on in a session that another gateway created just after we looked for it", async () => {
  const { receive, reopened, event, follows } = await opened();
  const first = await receive("fake", event("first"));
  const looks: string[] = [];
  const late = reopened({
    session: async (id) => (looks.push(id) === 1 ? undefined : gateway.engine.session(id)),
  });
  const second = await late("fake", event("second"));
  expect(second).toMatchObject({ kind: "message", sessionId: first.kind === "message" ? first.sessionId : "" });
  expect(follows.get("c1")).toMatchObject({ sessionId: looks[0] });
});

it("[CH-11, SC-02] makes one session of a new conversation whose first messages come to two gateways at once, text or command", async () => {
  const { receive, reopened, event } = await opened();
  const other = reopened();
  const idIn = (outcome: Awaited<ReturnType<typeof receive>>) =>
    outcome.kind === "message" ? outcome.sessionId : outcome.kind;
  for (const conversation of ["c1", "c2", "c3"]) {
    const said = (text: string) => event(text, { conversation, eventId: `${conversation} ${text}` });
    const outcomes = await Promise.all([
      receive("fake", said("one")),
      other("fake", said("/plan status")),
      other("fake", said("two")),
      receive("fake", said("one")),
    ]);
    const [first, command, second, again] = outcomes.map(idIn);
    expect([command, second, again]).toEqual(["reply", first, first]);
  }
  const { items } = await gateway.store.sessions({}, { cursor: null, limit: 100 });
  expect(items).toHaveLength(3);
});

it("[CH-11] a message and the session that it opens are one commit", async () => {
  const { receive, event } = await opened();
  const outcome = await receive("fake", event("hello"));
  if (outcome.kind !== "message") throw new Error(outcome.kind);
  expect((await gateway.store.session(outcome.sessionId))?.version).toBe(1);
  gateway.store.failCommits({ reason: "full", outcome: "nothing-written", message: "The disk is full." });
  await expect(receive("fake", event("elsewhere", { conversation: "c2" }))).rejects.toThrow("The disk is full.");
  expect((await gateway.store.sessions({}, { cursor: null, limit: 100 })).items).toHaveLength(1);
});

/** As vendors send them when they doubt that they were heard: 3 of 10 twice, and each up to 50 places from its own. */
function redelivered(events: readonly ChannelEvent[], random: Random): ChannelEvent[] {
  const sent = [...events, ...events.filter(() => random.next() < TWICE)];
  const places = new Map(sent.map((_, n) => [n, n + random.below(WINDOW)]));
  return [...sent.entries()].toSorted(([a], [b]) => (places.get(a) ?? 0) - (places.get(b) ?? 0)).map(([, one]) => one);
}

it("[I13, CH-11] gives each event one effect: sent twice, out of order, and again after a restart", async () => {
  const { receive, reopened, event, follows } = await opened();
  const random = seeded(SEED);
  for (const round of repetitions(1)) {
    const events = Array.from({ length: EVENTS }, (_, n) =>
      event(`${round}.${n}`, { conversation: `${round}.${n % CONVERSATIONS}` }),
    );
    const answers = new Map<string, Set<string>>();
    const deliver = async (by: typeof receive, one: ChannelEvent): Promise<void> => {
      const outcome = JSON.stringify(await by("fake", one));
      answers.set(one.eventId, (answers.get(one.eventId) ?? new Set()).add(outcome));
    };
    await Promise.all(redelivered(events, random).map((one) => deliver(receive, one)));
    const restarted = reopened();
    await Promise.all(events.filter(() => random.next() < TWICE).map((one) => deliver(restarted, one)));
    expect([...answers.values()].filter(({ size }) => size !== 1)).toEqual([]);
    const read = await Promise.all(
      Array.from({ length: CONVERSATIONS }, async (_, n) => {
        const place = follows.get(`${round}.${n}`);
        const session = place?.kind === "session" ? await gateway.engine.session(place.sessionId) : undefined;
        return session?.inbox.map(({ text }) => text) ?? [];
      }),
    );
    expect(read.flat().toSorted()).toEqual(events.map(({ eventId }) => eventId).toSorted());
  }
});

it("[CH-01, CH-03] answers commands to their sender, and drops what the sender may not do", async () => {
  const { receive, event, turnedAway } = await opened();
  expect(await receive("fake", event("/plan status"))).toMatchObject({ kind: "reply", text: expect.any(String) });
  expect(await receive("fake", event("/nonsense"))).toMatchObject({
    kind: "refused",
    refusal: { code: "COMMAND_UNKNOWN" },
  });
  expect(await receive("fake", event("/plan off"))).toEqual({ kind: "dropped" });
  expect(turnedAway).toMatchObject([{ personId: "42", why: expect.stringContaining("operator.approvals") }]);
});

it("[CH-03] prints plan text on a channel for whoever may decide, and by RPC for whoever may read", async () => {
  const { receive, event, turnedAway, follows, pair } = await opened();
  await receive("fake", event("hello"));
  const place = follows.get("c1");
  if (place?.kind !== "session") throw new Error("no session");
  const { sessionId } = place;
  const command = { type: "update", patch: { plan: [{ step: "Paint the shed", status: "pending" }] } };
  const by = { actor: { kind: "agent", sessionId } } as const;
  await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, by);
  const reader = await gateway.client(["operator.read"], "bob");
  for (const verb of ["view", "restate", "notes", "diff"]) {
    expect(await receive("fake", event(`/plan ${verb}`))).toEqual({ kind: "dropped" });
    const answer = await reader.request("commands.run", { sessionId, name: "plan", args: verb });
    expect(answer?.ok === false ? answer.error.code : "ok").not.toBe("FORBIDDEN");
  }
  expect(turnedAway).toHaveLength(4);
  expect(turnedAway).toMatchObject([{ why: expect.stringContaining("operator.approvals") }, {}, {}, {}]);
  expect(await reader.must("commands.run", { sessionId, name: "plan", args: "view" })).toMatchObject({
    message: expect.stringContaining("Paint the shed"),
  });
  await pair("Carol", "43", ["operator.read", "operator.approvals"]);
  const carol = { person: { id: "43", assured: true }, eventId: "carol" };
  expect(await receive("fake", event("/plan view", carol))).toMatchObject({
    kind: "reply",
    text: expect.stringContaining("Paint the shed"),
  });
});

it("[CH-12] takes receipts without a person, and a new session in place of one that is gone", async () => {
  const { receive, event, receipts, follows } = await opened();
  const place = { account: "bot", conversation: "c1", eventId: "r" };
  const nobody = { id: "", assured: false };
  const receipt = { ...place, kind: "receipt", messageId: "m1", state: "read", person: nobody } as const;
  expect(await receive("fake", receipt)).toEqual({ kind: "recorded" });
  expect(receipts).toMatchObject([{ place: { surface: "fake" }, messageId: "m1", state: "read" }]);
  const first = await receive("fake", event("one"));
  const id = first.kind === "message" ? first.sessionId : undefined;
  if (id === undefined) throw new Error("no session");
  const admin = await gateway.client();
  await admin.must("sessions.delete", { sessionId: id });
  expect(await receive("fake", event("two"))).toMatchObject({ kind: "message" });
  expect(follows.get("c1")).not.toMatchObject({ sessionId: id });
});

it("[CH-11] refuses what has no shape of an event, whoever sent it", async () => {
  const { receive, event, turnedAway } = await opened();
  const wrong: Partial<ChannelEvent>[] = [
    { eventId: "" },
    { conversation: "c".repeat(513) },
    { kind: "message", text: "\ud800" },
    { kind: "message", text: " \n" },
    { kind: "click" },
  ];
  for (const change of wrong)
    expect(await receive("fake", event("x", change))).toMatchObject({
      kind: "refused",
      refusal: { code: "INVALID_REQUEST" },
    });
  expect(turnedAway).toEqual([]);
});

it("[CH-03, CH-09] of something that cannot be read only somebody known is told; a stranger learns nothing", async () => {
  const { receive, event, turnedAway } = await opened();
  const huge = "x".repeat(70_000);
  const stranger = { id: "666", assured: true };
  expect(await receive("fake", event(huge, { eventId: "e1", person: stranger }))).toEqual({ kind: "dropped" });
  expect(await receive("fake", event("", { eventId: "e2", person: stranger }))).toEqual({ kind: "dropped" });
  expect(await receive("fake", event("hi", { eventId: "", person: stranger }))).toEqual({ kind: "dropped" });
  expect(turnedAway).toMatchObject([1, 2, 3].map(() => ({ personId: "666" })));
  expect(await receive("fake", event(huge, { eventId: "e3" }))).toMatchObject({
    kind: "refused",
    refusal: { message: expect.stringMatching(/^Your message has 70000 characters; at most \d+ are taken/) },
  });
});
