/** Sessions with much in them: their row, their events and their answers are put together from kept texts. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { plugin } from "../../../test/kit/plugins.ts";
import { type ServedGateway, serveGateway, submitPlan } from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import { type SessionState, z } from "../../plugins/sdk.ts";
import type { SessionCards } from "../../protocol/card/card.ts";
import { ApprovalId, NoteId, type SessionId } from "../../protocol/ids.ts";
import { databasePath } from "../../store/sqlite/database-file.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { CARDS_EVENT } from "../cards/card-feed.ts";

const STEPS = 300;
const NOTES = 20;
const SECRET = "only its plugin may read this. ";

const open = (): Promise<Store> => openSqliteStore({ folder: join(home, "store"), onFatal: () => undefined });

let home = "";
let store: Store;
let gateway: ServedGateway;
let shown = { seen: 0, text: "" };
let hidden: SessionState<{ text: string }>;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "holdpoint-large-"));
  store = await open();
  shown = { seen: 0, text: "for everybody ".repeat(30) };
  const keeper = plugin("keeper", (api) => {
    hidden = api.session.state.registerSessionExtension({
      namespace: "own",
      description: "for tests",
      schema: z.strictObject({ text: z.string() }),
      initial: { text: "" },
      project: () => shown,
    });
  });
  gateway = await serveGateway({ store, plugins: [planModePlugin, keeper] });
});
afterEach(async () => {
  await gateway.close();
  await store.close();
  await rm(home, { recursive: true, force: true });
});

/** A long plan with notes in several scripts, in a session in which a plugin keeps something to itself. */
async function annotated(person: WireClient, title: string): Promise<SessionId> {
  const { session } = await person.must("sessions.create", { title });
  const steps = Array.from({ length: STEPS }, (_, n) => ({ step: `${title} ${n}: größer, 大きい`, status: "pending" }));
  const approvalId = ApprovalId.parse(await submitPlan(gateway, session.id, { title, plan: steps }));
  await hidden.update(session.id, () => ({ text: `${title}: ${SECRET.repeat(20)}` }));
  for (let step = 1; step <= NOTES; step++) {
    const planNote = {
      action: "add",
      approvalId,
      anchor: { on: "step", step },
      text: `"Why" \u2028 🚜 ${step}?`,
    } as const;
    await person.must("sessions.patch", { sessionId: session.id, planNote });
  }
  return session.id;
}

it("[GW-02] the answer to a patch, the event, every reader's view and the stored row say the same of a large session", async () => {
  const alice = await gateway.client();
  const bob = await gateway.client(["operator.read"], "bob");
  const ids = [await annotated(alice, "Barn"), await annotated(alice, "Mill")];
  const sent: SessionCards[] = [];
  alice.onEvent(({ event, payload }) => {
    if (event === CARDS_EVENT) sent.push(payload as unknown as SessionCards);
  });
  for (const sessionId of ids) {
    await alice.must("sessions.subscribe", { sessionId });
    const { session } = await bob.must("sessions.get", { sessionId });
    const noteId = NoteId.parse(firstNote(session));
    const answer = await alice.must("sessions.patch", { sessionId, planNote: { action: "resolve", noteId } });
    const seen = await bob.must("sessions.get", { sessionId });
    expect(answer.session).toEqual(seen.session);
    expect(sent.at(-1)?.cards).toEqual(seen.session.cards);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    const kept = await gateway.engine.session(sessionId);
    expect(JSON.stringify(kept)).toContain(SECRET);
    expect((await store.session(sessionId))?.session).toEqual(kept);
  }
  const views = await Promise.all(ids.map((sessionId) => bob.must("sessions.get", { sessionId })));
  expect(views.map((view) => JSON.stringify(view).includes("Barn"))).toEqual([true, false]);
});

it("[GW-02] a large session's cards and answers reach a connection as text, as all frames do", async () => {
  const alice = await gateway.client();
  const sessionId = await annotated(alice, "Barn");
  const frames: { isBinary: boolean; text: string }[] = [];
  const socket = new WebSocket(`${gateway.url.replace(/^http/, "ws")}/ws`, { perMessageDeflate: false });
  let answered = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer, isBinary) => {
    frames.push({ isBinary, text: data.toString() });
    if (data.subarray(0, 20).includes('"type":"res"')) answered.resolve();
  });
  await once(socket, "open");
  const ask = (id: string, method: string, params: object): Promise<void> => {
    answered = Promise.withResolvers();
    socket.send(JSON.stringify({ type: "req", id, method, params }));
    return answered.promise;
  };
  const client = { name: "test", version: "1" };
  await ask("hello", "connect", { minProtocol: 1, maxProtocol: 1, client, auth: { token: await gateway.token() } });
  await ask("follow", "sessions.subscribe", { sessionId });
  const { session } = await alice.must("sessions.get", { sessionId });
  const noteId = NoteId.parse(firstNote(session));
  await ask("last", "sessions.patch", { sessionId, planNote: { action: "resolve", noteId } });
  socket.close();
  expect(frames.map(({ isBinary }) => isBinary)).not.toContain(true);
  const sent = frames.map(({ text }) => JSON.parse(text) as { event?: string; payload: { cards?: unknown } });
  const seen = await alice.must("sessions.get", { sessionId });
  expect(sent.find(({ event }) => event === CARDS_EVENT)?.payload.cards).toEqual(seen.session.cards);
  expect(sent.at(-1)?.payload).toMatchObject({ session: seen.session });
});

it("[SC-01] the row of a large session holds text with a checksum that holds, and opens again", async () => {
  const alice = await gateway.client();
  const ids = [await annotated(alice, "Barn"), await annotated(alice, "Mill")];
  const renames = ids.map((sessionId) => alice.must("sessions.patch", { sessionId, title: "Both at once" }));
  await Promise.all(renames);
  const before = await Promise.all(ids.map((sessionId) => store.session(sessionId)));
  expect(before.map((found) => found?.session.title)).toEqual(["Both at once", "Both at once"]);
  const db = new DatabaseSync(databasePath(join(home, "store")), { readOnly: true });
  const rows = db.prepare("SELECT typeof(doc) AS form, length(doc) > 16384 AS large FROM sessions").all();
  db.close();
  expect(rows.map((row) => ({ ...row }))).toEqual(ids.map(() => ({ form: "text", large: 1 })));
  await store.close();
  store = await open();
  expect(await Promise.all(ids.map((sessionId) => store.session(sessionId)))).toEqual(before);
});

const firstNote = ({ slices }: { slices: Record<string, unknown> }): unknown =>
  z
    .looseObject({ review: z.looseObject({ notes: z.array(z.looseObject({ id: z.string() })) }) })
    .parse(slices["planMode"]).review.notes[0]?.id;

it("[PG-05] what a plugin shows of a large session stays its own: it may change it, and what was sent before is as it was", async () => {
  const alice = await gateway.client();
  const sessionId = await annotated(alice, "Barn");
  const seen: unknown[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const { session } = await alice.must("sessions.patch", { sessionId, title });
    seen.push(session?.plugins?.["keeper"]?.["own"]);
    shown.seen += 1;
  }
  const { text } = shown;
  expect(seen).toEqual([0, 1, 2].map((times) => ({ seen: times, text })));
});

it("[GW-02] a client that follows the events may ask for an answer without the session; under one key both are one request", async () => {
  const alice = await gateway.client();
  const { session } = await alice.must("sessions.create", {});
  const rename = { sessionId: session.id, title: "Barn", idempotencyKey: "key-1" };
  const brief = await alice.must("sessions.patch", { ...rename, withoutSession: true });
  expect(brief).toEqual({ reply: null, session: null });
  const whole = await alice.must("sessions.patch", rename);
  expect(whole).toMatchObject({ reply: null, session: { title: "Barn" } });
  const wrong = await alice.request("sessions.patch", { ...rename, withoutSession: false as never });
  expect(wrong).toMatchObject({ ok: false, error: { code: "INVALID_REQUEST" } });
});
