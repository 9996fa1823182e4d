/** Two gateways on one PostgreSQL: a person at the one follows and orders about what runs on the other. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { LEASE_MS } from "../../src/agent/lease.ts";
import type { Model } from "../../src/agent/model.ts";
import { startGateway } from "../../src/gateway.ts";
import type { EventFrame } from "../../src/protocol/frames.ts";
import { APPEND_TOOL, chaosModel } from "../chaos/chaos-model.ts";
import { submittedPlan } from "../chaos/one-plan.ts";
import { localTime } from "../../src/store/store-time.ts";
import { fakeClock } from "../kit/fake-clock.ts";
import { gatewayChild } from "../kit/gateway-child.ts";
import { freshDatabase, gatewayPlace, postgresUrl } from "../kit/postgres.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const Called = z.object({ tool: z.string() });
const Appended = z.object({ entry: z.object({ tool: z.string(), status: z.string() }) });
const Spoken = z.object({ text: z.string() });

const server = (await postgresUrl()) ?? "";

async function freshPlace(url: string): Promise<{ home: string; workspace: string }> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-two-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  return gatewayPlace(folder, url);
}

type Time = Pick<Parameters<typeof startGateway>[0], "clock" | "localTime">;

/** A person at a gateway of their own, and what they heard there. */
async function personAt(url: string, model: Model, time: Time = {}): Promise<Person> {
  const gateway = await startGateway({ ...(await freshPlace(url)), port: 0, log: "silent", model, ...time });
  if ("alreadyRunning" in gateway) throw new Error("a fresh folder cannot be taken");
  closing.push(() => gateway.stop());
  const client = await wireClient({ url: gateway.url, token: gateway.operatorToken });
  closing.push(() => client.close());
  return { client, ...listeningTo(client) };
}

type Person = {
  client: WireClient;
  heard: EventFrame[];
  when(isTrue: () => boolean): Promise<void>;
  until(name: string): Promise<EventFrame>;
};

function listeningTo(client: WireClient): Omit<Person, "client"> {
  const heard: EventFrame[] = [];
  const waiting = new Set<() => void>();
  client.onEvent((event) => {
    heard.push(event);
    for (const look of waiting) look();
  });
  const when = (isTrue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isTrue()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const named = (name: string): EventFrame | undefined => heard.find(({ event }) => event === name);
  const until = async (name: string): Promise<EventFrame> => {
    await when(() => named(name) !== undefined);
    return named(name) as EventFrame;
  };
  return { heard, when, until };
}

const durable = ({ heard }: Person): unknown[] =>
  heard.flatMap(({ event, cursor }) => (cursor === undefined ? [] : [[event, cursor]]));

it.skipIf(server === "")(
  "[SC-02] events of a session reach people at every gateway, the same ones in the same order",
  async () => {
    const url = await freshDatabase(server);
    const [here, there] = [await personAt(url, chaosModel()), await personAt(url, chaosModel())];
    await there.client.must("sessions.watch", {});
    const { session } = await here.client.must("sessions.create", { title: "Shared" });
    const { id: sessionId } = session;
    for (const { client } of [here, there]) await client.must("sessions.subscribe", { sessionId });
    await here.client.must("chat.send", { sessionId, text: "please" });
    for (const person of [here, there]) await person.until("turn.finished");
    expect(durable(there)).toEqual(durable(here));
    expect(there.heard.map(({ event }) => event)).toContain("plan.submitted");
    expect(await there.until("sessions.changed")).toMatchObject({ payload: { sessions: [{ id: sessionId }] } });
  },
);

it.skipIf(server === "")(
  "[SC-02] what an agent is saying is seen at every gateway, and not behind what it has said",
  async () => {
    const goOn = Promise.withResolvers<void>();
    const words = "漢字 und ".repeat(300); // longer than one piece
    const talking: Model = {
      id: "talking",
      scripted: true,
      async *stream() {
        yield { type: "text", delta: words };
        await goOn.promise;
        yield { type: "text", delta: "the end" };
        yield { type: "end", reason: "stop" };
      },
    };
    const url = await freshDatabase(server);
    const [here, there] = [await personAt(url, talking), await personAt(url, talking)];
    const { session } = await here.client.must("sessions.create", {});
    for (const { client } of [here, there]) await client.must("sessions.subscribe", { sessionId: session.id });
    await here.client.must("chat.send", { sessionId: session.id, text: "please" });
    const spoken = ({ heard }: Person): string =>
      heard.flatMap(({ event, payload }) => (event === "turn.delta" ? [Spoken.parse(payload).text] : [])).join("");
    for (const person of [here, there]) await person.when(() => spoken(person) === words);
    goOn.resolve();
    for (const person of [here, there]) await person.until("turn.finished");
    const order = there.heard.map(({ event }) => event);
    expect(order.lastIndexOf("turn.delta")).toBeLessThan(order.lastIndexOf("entry.appended"));
  },
);

it.skipIf(server === "")("[SC-02] a person at one gateway stops the turn that runs on the other", async () => {
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const silent: Model = {
    id: "silent",
    scripted: true,
    async *stream({ signal }) {
      asked.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ended.resolve();
      yield { type: "end", reason: "stop" };
    },
  };
  const url = await freshDatabase(server);
  const [here, there] = [await personAt(url, silent), await personAt(url, silent)];
  const { session } = await here.client.must("sessions.create", {});
  await here.client.must("sessions.subscribe", { sessionId: session.id });
  await here.client.must("chat.send", { sessionId: session.id, text: "please" });
  await asked.promise;
  await there.client.must("chat.abort", { sessionId: session.id });
  await ended.promise;
  expect(await here.until("turn.finished")).toMatchObject({ payload: { outcome: "aborted" } });
});

it.skipIf(server === "")(
  "[SC-02] the turn of a gateway that was killed is finished by another, and no change is made twice",
  async () => {
    const url = await freshDatabase(server);
    const clock = fakeClock(Date.now());
    const there = await personAt(url, chaosModel(), { clock });
    const dying = await gatewayChild({ ...(await freshPlace(url)), toolMs: 600_000 });
    closing.push(() => dying.kill());
    const here = await wireClient(dying);
    const { sessionId, approvalId } = await submittedPlan(here);
    await there.client.must("sessions.subscribe", { sessionId });
    await here.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    await there.when(() =>
      there.heard.some(({ event, payload }) => event === "call.claimed" && Called.parse(payload).tool === APPEND_TOOL),
    );
    await dying.kill();
    const isOver = (): boolean => there.heard.some(({ event }) => event === "turn.finished");
    while (!isOver()) {
      clock.advance(LEASE_MS / 4); // as long as it takes: what is under way sets its next alarm from the time by then
      await there.client.must("sessions.get", { sessionId });
    }
    const results = there.heard.flatMap(({ event, payload }) => {
      const said = Appended.safeParse(payload);
      return event === "entry.appended" && said.success ? [said.data.entry] : [];
    });
    expect(results.filter(({ tool }) => tool === APPEND_TOOL)[0]).toEqual({ tool: APPEND_TOOL, status: "unknown" });
  },
);

const HOUR_MS = 3_600_000;
const machineAhead = (aheadMs: number): Time => ({ localTime: { ...localTime, wallMs: () => Date.now() + aheadMs } });

it.skipIf(server === "")(
  "[SC-04] gateways whose clocks are wrong go by the store's: no plan of another expires, and leases end when they should",
  async () => {
    const url = await freshDatabase(server);
    const ahead = await personAt(url, chaosModel(), machineAhead(25 * HOUR_MS));
    const behind = await personAt(url, chaosModel(), machineAhead(-HOUR_MS));
    const { sessionId } = await submittedPlan(behind.client);
    const { session } = await ahead.client.must("sessions.create", { title: "Ahead" });
    expect(Math.abs(session.createdAtMs - Date.now())).toBeLessThan(HOUR_MS / 2);
    const timers = await rowsOf(url, `SELECT at_ms FROM holdpoint.timers WHERE session_id = '${sessionId}'`);
    expect(timers.length).toBeGreaterThan(0);
    for (const { at_ms } of timers) expect(Number(at_ms)).toBeGreaterThan(Date.now());
    const { session: waiting } = await ahead.client.must("sessions.get", { sessionId });
    expect(waiting.waiting).not.toBeNull();
    const leases = await rowsOf(
      url,
      "SELECT body::json -> 'leaseUntilMs' AS until FROM holdpoint.events WHERE body LIKE '%leaseUntilMs%'",
    );
    expect(leases.length).toBeGreaterThan(0);
    for (const { until } of leases) expect(Math.abs(Number(until) - Date.now())).toBeLessThan(HOUR_MS / 2);
  },
);

async function rowsOf(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}
