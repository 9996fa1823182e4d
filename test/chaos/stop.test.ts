/** SIGTERM in the middle of work. */
import { expect, it } from "vitest";
import { gatewayChild } from "../kit/gateway-child.ts";
import { seeded } from "../kit/random.ts";
import { wireClient } from "../kit/wire-client.ts";
import { createKnowledge } from "./knowledge.ts";
import { submittedPlan } from "./one-plan.ts";
import { type Person, work } from "./people.ts";
import { throwAwayPlace } from "./place.ts";
import { verify } from "./verify.ts";

const PEOPLE = 4;
const WORK_STEPS = 60;
const GOING_AWAY = 1001;

it("[GW-05] [QA-05] SIGTERM under load ends in order: sockets are told, a parked approval delays nothing, nothing acknowledged is lost", async () => {
  const place = await throwAwayPlace();
  const first = await gatewayChild(place);
  const owner = await wireClient(first);
  const parked = await submittedPlan(owner);

  const knowledge = createKnowledge();
  const random = seeded(1);
  const people: Person[] = Array.from({ length: PEOPLE }, (_, n) => ({ name: `stop-${n}`, own: [] }));
  const clients = await Promise.all(people.map(() => wireClient(first)));
  const working = people.map((person, n) => work(person, clients[n] as never, { knowledge, random }));
  await knowledge.ledger.steps(WORK_STEPS);
  first.signal("SIGTERM");
  const how = await first.exited;
  await Promise.all(working);

  expect(how).toBe(0);
  expect(await Promise.all([owner, ...clients].map((client) => client.closed))).toEqual(
    Array.from({ length: PEOPLE + 1 }, () => GOING_AWAY),
  );

  const second = await gatewayChild(place);
  const client = await wireClient(second);
  const { faults } = await verify({ client, knowledge, workspace: place.workspace });
  expect(faults).toEqual([]);
  expect(knowledge.ledger.acknowledged).toBeGreaterThan(0);
  const { session } = await client.must("sessions.get", { sessionId: parked.sessionId });
  expect(session.waiting).toMatchObject({ kind: "approval", id: parked.approvalId });
  await second.kill();
  await place.remove();
});
