/** The state of the page against a real gateway: what happens there is seen here, over lost connections too. */
import { afterEach, expect, it } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import { ApprovalId, MessageId, SessionId } from "../../src/protocol/ids.ts";
import type { WireClient } from "../../test/kit/wire-client.ts";
import { type ServedGateway, serveGateway, submitPlan } from "../../test/kit/served-gateway.ts";
import { type AppState, createAppState } from "./app-state.ts";
import { until } from "./cell.ts";
import { decisionOn } from "./decide.ts";
import type { ReadySession } from "./open-session.ts";
import { foremost } from "../../src/protocol/card/card.ts";

let gateway: ServedGateway;
const states: AppState[] = [];
afterEach(async () => {
  for (const state of states.splice(0)) state.close();
  await gateway.close();
});

async function world(): Promise<{ state: AppState; alice: WireClient; errors: unknown[] }> {
  gateway = await serveGateway();
  const alice = await gateway.client();
  const token = await gateway.token();
  const errors: unknown[] = [];
  const connect = (onStatus: (status: "connecting" | "open" | "waiting" | "closed") => void) =>
    connectHoldpoint({ url: gateway.url, token, clientName: "test", surface: "web", patient: true, onStatus });
  const state = createAppState(connect, (error) => void errors.push(error));
  states.push(state);
  await until(state.sessions, ({ status }) => status === "ready");
  return { state, alice, errors };
}

it("[UI-02] shows what a decision made of the session before the session is read again", async () => {
  gateway = await serveGateway();
  const alice = await gateway.client();
  const token = await gateway.token();
  const { session } = await alice.must("sessions.create", {});
  await submitPlan(gateway, session.id);
  let isHeld = false;
  const state = createAppState(
    (onStatus) => {
      const client = connectHoldpoint({ url: gateway.url, token, clientName: "test", surface: "web", onStatus });
      const call: typeof client.call = (method, params, ...rest) =>
        method === "sessions.get" && isHeld ? new Promise(() => undefined) : client.call(method, params, ...rest);
      return { ...client, call };
    },
    () => undefined,
  );
  states.push(state);
  await state.open.open(session.id);
  isHeld = true; // from here on nobody learns anything by reading it
  const open = state.open.get();
  const card = open.status === "ready" ? foremost(open.session.cards ?? []) : undefined;
  const decision = card === undefined ? undefined : decisionOn(card, "approve");
  if (decision === undefined) throw new Error("nothing to approve");
  expect(await state.decide.decide(session.id, decision)).toBe("done");
  expect(state.open.get()).toMatchObject({ status: "ready", plan: { now: { phase: "executing" } } });
});

async function restart(): Promise<void> {
  const { inner, port } = gateway;
  await gateway.close();
  gateway = await serveGateway({ store: inner, port });
}

const say = (sessionId: SessionId, n: number) =>
  gateway.engine.dispatch(
    sessionId,
    { type: "notice.add", text: `line ${n}` },
    { actor: { kind: "system", reason: "test" } },
  );

const ready = (state: AppState, is: (open: ReadySession) => boolean): Promise<unknown> =>
  until(state.open, (open) => open.status === "ready" && is(open));

it("[UI-01] lists sessions, and keeps the list true while others change them", async () => {
  const { state, alice } = await world();
  const { session } = await alice.must("sessions.create", { title: "Shed" });
  await until(state.sessions, ({ sessions }) => sessions.length === 1);
  await alice.must("sessions.patch", { sessionId: session.id, title: "Barn" });
  await until(state.sessions, ({ sessions }) => sessions[0]?.title === "Barn");
  await alice.must("sessions.patch", { sessionId: session.id, archived: true });
  await until(state.sessions, ({ sessions }) => sessions.length === 0);
  await state.sessions.filter({ archived: true });
  expect(state.sessions.get().sessions.map(({ title }) => title)).toEqual(["Barn"]);
});

it("[UI-01] finds sessions by what is typed, also among those that change meanwhile", async () => {
  const { state, alice } = await world();
  await alice.must("sessions.create", { title: "Paint the shed" });
  await alice.must("sessions.create", { title: "Water the garden" });
  await state.sessions.filter({ search: "shed" });
  expect(state.sessions.get().sessions.map(({ title }) => title)).toEqual(["Paint the shed"]);
  await alice.must("sessions.create", { title: "Sweep the shed" });
  await until(state.sessions, ({ sessions }) => sessions.length === 2);
  const titles = state.sessions.get().sessions.map(({ title }) => title);
  expect(titles.toSorted()).toEqual(["Paint the shed", "Sweep the shed"]);
});

it("[UI-01] knows what waits for a person in every session, due first", async () => {
  const { state, alice } = await world();
  const { session: first } = await alice.must("sessions.create", {});
  const { session: second } = await alice.must("sessions.create", {});
  await submitPlan(gateway, first.id);
  const approvalId = ApprovalId.parse(await submitPlan(gateway, second.id));
  await until(state.waiting, (waiting) => waiting.length === 2);
  await alice.must("sessions.patch", { sessionId: second.id, planApproval: { action: "approve", approvalId } });
  await until(state.waiting, (waiting) => waiting.length === 1);
  expect(state.waiting.get()[0]).toMatchObject({
    id: first.id,
    waiting: { kind: "approval", title: "Paint the shed" },
  });
});

it("[UI-01] follows the open session: its entries once each, its plan, its words while they are said", async () => {
  const { state, alice } = await world();
  const { session } = await alice.must("sessions.create", {});
  await say(session.id, 1);
  await state.open.open(session.id);
  await say(session.id, 2);
  gateway.feed.delta(session.id, { turnId: "trn_1", text: "Hel" });
  gateway.feed.delta(session.id, { turnId: "trn_1", text: "lo" });
  gateway.feed.delta(session.id, { turnId: "trn_1", text: "output", callId: "call_1" });
  await ready(state, ({ items, speech, outputs }) => items.length >= 2 && speech === "Hello" && outputs.size === 1);
  const approvalId = await submitPlan(gateway, session.id);
  await ready(state, ({ session: seen }) => foremost(seen.cards ?? [])?.id === approvalId);
  const { items } = await alice.must("chat.history", { sessionId: session.id });
  expect(state.open.get()).toMatchObject({ items });
  state.open.close();
  expect(state.open.get()).toEqual({ status: "none" });
});

it("[UI-04] comes back after a restart by itself, with everything that happened meanwhile", async () => {
  const { state, alice, errors } = await world();
  const { session } = await alice.must("sessions.create", {});
  await state.open.open(session.id);
  const seen: string[] = [];
  state.connection.subscribe(() => void seen.push(state.connection.get().status));
  await restart();
  await say(session.id, 1);
  const approvalId = await submitPlan(gateway, session.id);
  await ready(state, ({ items, session: now }) => items.length > 0 && foremost(now.cards ?? [])?.id === approvalId);
  await until(state.waiting, (waiting) => waiting.length === 1);
  expect(seen).toEqual(["reconnecting", "online"]);
  expect(errors).toEqual([]);
});

it("[UI-01] pages back through a long history without gaps", async () => {
  const { state, alice } = await world();
  const { session } = await alice.must("sessions.create", {});
  for (let n = 1; n <= 450; n += 1) await say(session.id, n);
  await state.open.open(session.id);
  await ready(state, ({ items, hasEarlier }) => items.length === 200 && hasEarlier);
  await Promise.all([state.open.earlier(), state.open.earlier()]); // asked twice, added once
  await state.open.earlier();
  const open = state.open.get();
  if (open.status !== "ready") throw new Error("not open");
  expect(open.items.map(({ n }) => n)).toEqual(Array.from({ length: open.items.length }, (_, index) => index + 1));
  expect([open.items.length >= 450, open.hasEarlier]).toEqual([true, false]);
});

it("[UI-04] says so when a session is not there, or not any more", async () => {
  const { state, alice } = await world();
  const nowhere = SessionId.parse("ses_nowhere");
  await state.open.open(nowhere);
  expect(state.open.get()).toEqual({ status: "missing", id: nowhere });
  const { session } = await alice.must("sessions.create", {});
  await state.open.open(session.id);
  await alice.must("sessions.delete", { sessionId: session.id });
  await until(state.open, ({ status }) => status === "missing");
  expect(state.open.get()).toEqual({ status: "missing", id: session.id });
});

it("[GW-03] is signed out for good when its token is revoked", async () => {
  const { state } = await world();
  for (const { id } of await gateway.tokens.list()) await gateway.tokens.revoke(id, "test");
  await until(state.connection, ({ status }) => status === "signed-out");
  await expect(state.call("health", {})).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

it("[UI-01] keeps the newer answer of two, whichever comes last", async () => {
  const { state, alice } = await world();
  await alice.must("sessions.create", { title: "a" });
  await alice.must("sessions.create", { title: "b" });
  await Promise.all([state.sessions.filter({ search: "a" }), state.sessions.filter({ search: "b" })]);
  expect(state.sessions.get().sessions.map(({ title }) => title)).toEqual(["b"]);
});

it("a message that is queued is seen in the session's state", async () => {
  const { state, alice } = await world();
  const { session } = await alice.must("sessions.create", {});
  await state.open.open(session.id);
  await gateway.engine.dispatch(
    session.id,
    { type: "message.send", messageId: MessageId.parse("msg_1"), text: "hello" },
    { actor: { kind: "system", reason: "test" } },
  );
  await ready(state, ({ session: { turn } }) => turn.status === "requested");
  expect(state.open.get()).toMatchObject({ session: { queuedMessages: 1 } });
});

it("[UI-01] knows what messages that wait say, though they were written before it looked", async () => {
  const { state, alice } = await world();
  const { session } = await alice.must("sessions.create", {});
  for (const text of ["first", "second"]) {
    await gateway.engine.dispatch(
      session.id,
      { type: "message.send", messageId: MessageId.parse(`msg_${text}`), text },
      { actor: { kind: "system", reason: "test" } },
    );
  }
  await state.open.open(session.id);
  await ready(state, ({ queue }) => queue.length > 0);
  expect(state.open.get()).toMatchObject({ queue: [{ text: "first" }, { text: "second" }] });
});
