/** A disk that is full, cannot be written, or does not answer. */
import { describe, expect, it } from "vitest";
import { gatewayChild, type GatewayChild } from "../kit/gateway-child.ts";
import { seeded } from "../kit/random.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import {
  compiler,
  fillDisk,
  makeReadOnly,
  type Offered,
  onSmallDisk,
  slowFsync,
  smallDisk,
  tracer,
} from "./disk-faults.ts";
import { createKnowledge } from "./knowledge.ts";
import { submittedPlan } from "./one-plan.ts";
import { pendingApproval, type Person, work } from "./people.ts";
import { throwAwayPlace } from "./place.ts";
import { verify } from "./verify.ts";

const DISK_MIB = 16;
const ROUNDS = 2;
const READS = 50;
const WORK_STEPS = 80;

/** Says why a fault cannot be made here, so that a skipped test is no secret. */
function cannot({ reason }: Offered): boolean {
  if (reason !== undefined) process.stdout.write(`skipped: ${reason}\n`);
  return reason !== undefined;
}

const titled = (client: WireClient, sessionId: string, title: string) =>
  client.request("sessions.patch", { sessionId, title });

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { message: what }).toBe(true);
}

/** While the disk refuses: changes are refused by their reason, reading works. */
async function expectRefused(client: WireClient, sessionId: string, code: string): Promise<void> {
  await until(`changes are refused as ${code}`, async () => {
    const answer = await titled(client, sessionId, "too much");
    return answer?.ok === false && answer.error.code === code;
  });
  expect(await client.request("chat.send", { sessionId, text: "hello" })).toMatchObject({
    ok: false,
    error: { code, retry: true },
  });
  expect(await client.must("sessions.get", { sessionId })).toMatchObject({ session: { id: sessionId } });
  expect(await client.must("sessions.list", {})).toHaveProperty("sessions");
  expect(await client.must("health", {})).toMatchObject({ store: { writable: false } });
}

async function expectRecovered(client: WireClient, sessionId: string): Promise<void> {
  await until("changes are taken again", async () => (await titled(client, sessionId, "after"))?.ok === true);
  expect(await client.must("health", {})).toMatchObject({ store: { writable: true } });
}

async function expectIntact(gateway: GatewayChild, client: WireClient): Promise<void> {
  expect(await client.must("audit.verify", {})).toMatchObject({ verdict: { intact: true } });
  gateway.signal("SIGTERM");
  expect(await gateway.exited).toBe(0);
}

describe("[QA-05] the disk", () => {
  it.skipIf(cannot(smallDisk()))(
    "is full: changes are refused, reading and rejecting work, and it goes on without a restart",
    async () => {
      const place = await throwAwayPlace();
      const gateway = await gatewayChild({ ...place, under: onSmallDisk(place.home, DISK_MIB) });
      const client = await wireClient(gateway);
      for (let round = 0; round < ROUNDS; round++) {
        const { sessionId, approvalId } = await submittedPlan(client);
        const free = fillDisk(gateway.pid, place.home);
        await expectRefused(client, sessionId, "STORE_FULL");
        const approve = { action: "approve", approvalId } as const;
        expect(await client.request("sessions.patch", { sessionId, planApproval: approve })).toMatchObject({
          ok: false,
          error: { code: "STORE_FULL" },
        });
        const reject = { action: "reject", approvalId, feedback: "not now" } as const;
        await client.must("sessions.patch", { sessionId, planApproval: reject });
        free();
        await expectRecovered(client, sessionId);
        await until("the agent was told and has submitted again", async () => {
          const { session } = await client.must("sessions.get", { sessionId });
          const pending = pendingApproval(session);
          return pending !== undefined && pending !== approvalId;
        });
      }
      await expectIntact(gateway, client);
      await place.remove();
    },
  );

  it.skipIf(cannot(tracer()))(
    "cannot be written: changes are refused, reading works, and it goes on without a restart",
    async () => {
      const place = await throwAwayPlace();
      const gateway = await gatewayChild(place);
      const client = await wireClient(gateway);
      const { sessionId } = await submittedPlan(client);
      expect(await client.must("health", {})).toMatchObject({ store: { writable: true } });
      const restore = await makeReadOnly(gateway.pid);
      await expectRefused(client, sessionId, "STORE_UNAVAILABLE");
      await restore();
      await expectRecovered(client, sessionId);
      await expectIntact(gateway, client);
      await place.remove();
    },
  );

  it.skipIf(cannot(compiler()))(
    "does not answer: the event loop does not wait for it, what it holds up is answered later, and nothing is lost",
    async () => {
      const place = await throwAwayPlace();
      const disk = slowFsync(place.folder);
      const gateway = await gatewayChild({ ...place, env: disk.env });
      const client = await wireClient(gateway);
      const { session } = await client.must("sessions.create", {});
      disk.begin();
      let isAnswered = false;
      const change = titled(client, session.id, "held up").finally(() => (isAnswered = true));
      await expect.poll(() => disk.isWaiting()).toBe(true);
      for (let n = 0; n < READS; n++) await client.must("sessions.get", { sessionId: session.id });
      expect(isAnswered).toBe(false);
      disk.end();
      expect(await change).toMatchObject({ ok: true });

      const knowledge = createKnowledge();
      const people: Person[] = Array.from({ length: 8 }, (_, n) => ({ name: `slow-${n}`, own: [] }));
      const clients = await Promise.all(people.map(() => wireClient(gateway)));
      const working = people.map((person, n) => work(person, clients[n] as never, { knowledge, random: seeded(n) }));
      await knowledge.ledger.steps(WORK_STEPS);
      disk.begin();
      await expect.poll(() => disk.isWaiting()).toBe(true);
      await gateway.kill();
      await Promise.all(working);
      disk.end();
      expect(knowledge.ledger.acknowledged).toBeGreaterThan(0);
      const second = await gatewayChild(place);
      const reader = await wireClient(second);
      expect((await verify({ client: reader, knowledge, workspace: place.workspace })).faults).toEqual([]);
      await second.kill();
      await place.remove();
    },
  );
});
