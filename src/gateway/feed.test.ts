import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { present, type ServedGateway, serveGateway, submitPlan } from "../../test/kit/served-gateway.ts";
import type { WireClient } from "../../test/kit/wire-client.ts";
import type { EventFrame } from "../protocol/frames.ts";
import { ApprovalId, MessageId, type SessionId } from "../protocol/ids.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

function hear(client: WireClient): EventFrame[] {
  const heard: EventFrame[] = [];
  client.onEvent((event) => void heard.push(event));
  return heard;
}

const say = (sessionId: SessionId, n: number) =>
  gateway.engine.dispatch(
    sessionId,
    { type: "message.send", messageId: MessageId.parse(`msg_${n}`), text: `message ${n}` },
    { actor: { kind: "system", reason: "test" } },
  );

it("[GW-01] sends facts by their own names, numbered without gaps, and keeps the engine's business to itself", async () => {
  gateway = await serveGateway();
  const alice = await gateway.client();
  const { session } = await alice.must("sessions.create", {});
  const heard = hear(alice);
  await alice.must("sessions.subscribe", { sessionId: session.id });
  const approvalId = await submitPlan(gateway, session.id);
  await alice.must("sessions.patch", {
    sessionId: session.id,
    planApproval: { action: "reject", approvalId: ApprovalId.parse(approvalId), feedback: "Use blue." },
  });
  gateway.feed.delta(session.id, { turnId: "trn_1", text: "Hel" });
  await alice.must("sessions.get", { sessionId: session.id });
  const stored = await gateway.store.events({ cursor: 0, sessionId: session.id, limit: 500 });
  const internal = ["injection.queued", "injection.dropped", "timer.set", "timer.cleared", "turn.renewed"];
  const shown = stored
    .filter(({ event }) => !internal.includes(event.type))
    .map(({ cursor, event }) => ({ cursor, event: event.type === "slice.changed" ? event.event.type : event.type }));
  const afterCreation = shown.slice(shown.findIndex(({ event }) => event === "plan.submitted"));
  expect(stored.some(({ event }) => event.type === "injection.queued")).toBe(true);
  const facts = heard.filter(({ event }) => event !== "session.cards");
  expect(facts.map(({ cursor, event }) => ({ cursor, event }))).toEqual([
    ...afterCreation,
    { cursor: undefined, event: "turn.delta" },
  ]);
  expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, index) => index + 1));
  const rejected = heard.find(({ event }) => event === "plan.rejected");
  expect(rejected?.payload).toMatchObject({
    sessionId: session.id,
    atMs: gateway.clock.now(),
    approvalId,
    feedback: "Use blue.",
  });
  expect(heard.at(-1)).toEqual({
    type: "event",
    event: "turn.delta",
    seq: heard.length,
    payload: { sessionId: session.id, turnId: "trn_1", text: "Hel" },
  });
});

it("[GW-01] shows a new session as clients see sessions, without what only the engine needs", async () => {
  gateway = await serveGateway();
  const alice = await gateway.client();
  const { session } = await alice.must("sessions.create", {});
  const heard = hear(alice);
  await alice.must("sessions.subscribe", { sessionId: session.id, afterCursor: 0 });
  const [created] = heard;
  expect(created?.event).toBe("session.created");
  const seen = (present(created).payload as { session: Record<string, unknown> }).session;
  expect(["injections", "timers", "inbox"].filter((field) => field in seen)).toEqual([]);
});

it("[GW-01] goes on after a reconnect from the last cursor, by subscribing and by resuming alike", async () => {
  gateway = await serveGateway();
  const first = await gateway.client();
  const { session } = await first.must("sessions.create", {});
  const sessionId = session.id;
  const { cursor } = await first.must("sessions.subscribe", { sessionId });
  first.close();
  await first.closed;
  await say(sessionId, 1);

  const second = await gateway.client();
  const bySubscribing = hear(second);
  const again = await second.must("sessions.subscribe", { sessionId, afterCursor: cursor });
  await say(sessionId, 2);
  await second.must("health", {});
  expect(again.resumed).toBe(true);

  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/ws`);
  const frames: EventFrame[] = [];
  const token = await gateway.token();
  await new Promise((resolve) => void socket.once("open", resolve));
  const done = new Promise((resolve) => {
    socket.on("message", (data: Buffer) => {
      frames.push(JSON.parse(data.toString()) as EventFrame);
      if (frames.length === 1 + bySubscribing.length) resolve(undefined);
    });
  });
  const client = { name: "t", version: "1" };
  const params = {
    minProtocol: 1,
    maxProtocol: 1,
    client,
    auth: { token },
    resume: { cursor, sessionIds: [sessionId] },
  };
  socket.send(JSON.stringify({ type: "req", id: "1", method: "connect", params }));
  await done;
  const [welcome, ...byResuming] = frames;
  const durable = (events: readonly EventFrame[]) =>
    events.flatMap(({ seq: _place, ...event }) => (event.cursor === undefined ? [] : [event]));
  expect(welcome?.payload).toMatchObject({ resumed: true, cursor: durable(bySubscribing).at(-1)?.cursor });
  expect(durable(byResuming)).toEqual(durable(bySubscribing));
  expect(bySubscribing.filter(({ event }) => event === "message.queued")).toHaveLength(2);
  socket.close();
});

it("[GW-03] resumes nothing for a token that may not read", async () => {
  gateway = await serveGateway();
  const { session } = await (await gateway.client()).must("sessions.create", {});
  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/ws`);
  const token = await gateway.token([]);
  await new Promise((resolve) => void socket.once("open", resolve));
  const frames: { payload: unknown }[] = [];
  socket.on("message", (data: Buffer) => void frames.push(JSON.parse(data.toString()) as { payload: unknown }));
  const client = { name: "t", version: "1" };
  const params = {
    minProtocol: 1,
    maxProtocol: 1,
    client,
    auth: { token },
    resume: { cursor: 0, sessionIds: [session.id] },
  };
  socket.send(JSON.stringify({ type: "req", id: "1", method: "connect", params }));
  await expect.poll(() => frames.length).toBe(1);
  await say(session.id, 1);
  socket.send(
    JSON.stringify({ type: "req", id: "2", method: "sessions.subscribe", params: { sessionId: session.id } }),
  );
  await expect.poll(() => frames.length).toBe(2);
  expect(frames).toMatchObject([{ payload: { resumed: false } }, { ok: false, error: { code: "FORBIDDEN" } }]);
  socket.close();
});

it("[UI-01] tells whoever watches which sessions changed, over all of them, a burst in one notice", async () => {
  gateway = await serveGateway();
  const alice = await gateway.client();
  const heard = hear(alice);
  await alice.must("sessions.watch", {});
  await alice.must("sessions.watch", {}); // said twice, heard once
  const { session } = await alice.must("sessions.create", { title: "Shed" });
  const { session: other } = await alice.must("sessions.create", { title: "Barn" });
  await submitPlan(gateway, session.id);
  await expect.poll(() => heard.length).toBe(1);
  const { sessions } = await alice.must("sessions.list", {});
  const [first] = heard;
  expect(first?.event).toBe("sessions.changed");
  const told = first?.payload as { sessions: typeof sessions; deleted: string[] };
  expect(told.sessions).toHaveLength(2);
  expect(told.sessions).toEqual(expect.arrayContaining(sessions));
  await alice.must("sessions.delete", { sessionId: other.id });
  await expect.poll(() => heard.length).toBe(2);
  expect(heard[1]?.payload).toEqual({ sessions: [], deleted: [other.id] });
});
