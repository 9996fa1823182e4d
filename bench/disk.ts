/** What a disk that takes half a second for each fsync does to the gateway's event loop, beside a disk that does not. */
import { setTimeout as sleep } from "node:timers/promises";
import { compiler, slowFsync } from "../test/chaos/disk-faults.ts";
import { createKnowledge } from "../test/chaos/knowledge.ts";
import { type Person, work } from "../test/chaos/people.ts";
import { throwAwayPlace } from "../test/chaos/place.ts";
import { type GatewayChild, gatewayChild } from "../test/kit/gateway-child.ts";
import { seeded } from "../test/kit/random.ts";
import { wireClient } from "../test/kit/wire-client.ts";
import { against, figure, type Group } from "./figure.ts";

const PEOPLE = 8;
const SLOW_MS = 500;
const MEASURE_MS = 3_000;

export const disk: Group = async (report) => {
  const { reason } = compiler();
  if (reason !== undefined) return void process.stderr.write(`disk: ${reason}\n`);
  const place = await throwAwayPlace();
  const slow = slowFsync(place.folder, SLOW_MS);
  const gateway = await gatewayChild({ ...place, env: slow.env });
  const knowledge = createKnowledge();
  const people: Person[] = Array.from({ length: PEOPLE }, (_, n) => ({ name: `slow-${n}`, own: [] }));
  const clients = await Promise.all(people.map(() => wireClient(gateway)));
  const working = people.map((person, n) => work(person, clients[n] as never, { knowledge, random: seeded(n) }));
  const usualMs = await lagIn(gateway);
  slow.begin();
  report(against(usualMs, figure(`event-loop lag p99, fsync + ${SLOW_MS} ms`, await lagIn(gateway), "ms")));
  slow.end();
  await gateway.kill();
  await Promise.all(working);
  await place.remove();
};

async function lagIn(gateway: GatewayChild): Promise<number> {
  await lagSince(gateway); // begins anew
  await sleep(MEASURE_MS);
  return lagSince(gateway);
}

async function lagSince(gateway: GatewayChild): Promise<number> {
  const said = gateway.next("lagP99Ms");
  gateway.signal("SIGUSR2");
  return (await said).lagP99Ms ?? Number.NaN;
}
