/** Hundreds of people decide at the same moment; in a long run a thousand. */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, it } from "vitest";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { postgresUrl } from "../kit/postgres.ts";
import { type Random, seeded } from "../kit/random.ts";
import { isLong, repetitions, SEED } from "../kit/repetitions.ts";
import type { Answer, WireClient } from "../kit/wire-client.ts";
import { PLAN } from "./machine-moves.ts";
import { operators, submittedPlan, testClock, testGateway, type TestGateway, type Waiting } from "./one-plan.ts";
import { auditFacts, history, text } from "./verify.ts";

const DECIDERS = isLong ? 1_000 : 250;
const PEOPLE = 20;
const ROUNDS = 1;
const TURNS_MAX = 40;

type Verdict = "approve" | "edit" | "reject";
/** What one who came too late may be told: each says that the plan was decided, and how. */
const TOLD = [
  "APPROVAL_ALREADY_DECIDED",
  "APPROVAL_REJECTED",
  "APPROVAL_EXPIRED",
  "APPROVAL_SUPERSEDED",
  "APPROVAL_STALE",
];

type Round = { people: readonly WireClient[]; clock: TestGateway["clock"]; random: Random };
type Decided = { verdict: Verdict; answer: Answer<"sessions.patch"> | undefined };

async function decideAll(round: Round, verdicts: readonly [Verdict, ...Verdict[]], expires: boolean) {
  const { people, clock, random } = round;
  const [first] = people;
  if (first === undefined) throw new Error("nobody is there");
  const plan = await submittedPlan(first);
  const timeUp = expires
    ? leapAfter(random.below(TURNS_MAX), () => clock.leap(plan.deadlineAtMs - clock.now()))
    : undefined;
  const asked = Array.from({ length: DECIDERS }, async (_, n): Promise<Decided> => {
    const verdict = random.pick(verdicts);
    const feedback = verdict === "reject" ? { feedback: `no, says ${n}` } : {};
    const planApproval = { action: verdict, approvalId: plan.approvalId, ...feedback };
    const params = { sessionId: plan.sessionId, idempotencyKey: `${plan.approvalId}-${n}`, planApproval };
    return { verdict, answer: await people[n % people.length]?.request("sessions.patch", params as never) };
  });
  const decided = await Promise.all(asked);
  await timeUp;
  return { plan, client: first, decided };
}

/** So many turns of the event loop later: some deciders were answered by then, or none. */
async function leapAfter(turns: number, leap: () => void): Promise<void> {
  for (let n = 0; n < turns; n++) await new Promise((resolve) => void setImmediate(resolve));
  leap();
}

/** Once there is one: deciders are told that the time is up before the gateway has written it down. */
async function verdictsOn(plan: Waiting, client: WireClient): Promise<string[]> {
  let verdicts: string[] = [];
  const isDecided = async (): Promise<boolean> => {
    const facts = (await auditFacts(client)).filter(({ detail }) => detail["approvalId"] === plan.approvalId);
    verdicts = facts.flatMap(({ type, detail }) =>
      type === "plan.decided" ? [text(detail["decision"])] : type === "plan.timed_out" ? ["timed_out"] : [],
    );
    return verdicts.length > 0;
  };
  await expect.poll(isDecided).toBe(true);
  return verdicts;
}

/** One winner, everybody else told, one decision in the audit, one text for the agent, one state for all to see. */
async function check({ plan, client, decided }: Awaited<ReturnType<typeof decideAll>>): Promise<void> {
  const winners = decided.filter(({ answer }) => answer?.ok === true).map(({ verdict }) => verdict);
  const told = decided.flatMap(({ answer }) => (answer?.ok === false ? [answer.error.code] : []));
  expect(winners.length + told.length).toBe(DECIDERS);
  expect(told.filter((code) => !TOLD.includes(code))).toEqual([]);
  const verdicts = await verdictsOn(plan, client);
  const expired = verdicts.includes("timed_out");
  expect(expired ? ["timed_out"] : winners.map(asStored)).toEqual(verdicts);
  expect(winners.length).toBe(expired ? 0 : verdicts.length);
  // more feedback may follow a rejection, but no approval: everybody decided on the card that waited (PL-20)
  expect(verdicts.join()).toMatch(/^(approved|edited|timed_out|rejected(,rejected)*)$/);
  const said = (await history(client, plan.sessionId)).flatMap(({ entry }) =>
    entry.kind === "input" ? entry.injectionIds : [],
  );
  const told2 = said.filter((id) => id.startsWith(`plan-decision:${plan.approvalId}`));
  expect(told2.length).toBeLessThanOrEqual(verdicts.length);
  const views = await client.must("sessions.get", { sessionId: plan.sessionId });
  if (verdicts.at(-1) === "approved") expect(PlanModeState.parse(views.session.slices[PLAN]).now.mode).not.toBe("plan");
}

const asStored = (verdict: Verdict): string => ({ approve: "approved", edit: "edited", reject: "rejected" })[verdict];

async function rounds(gateways: readonly TestGateway[], clock: TestGateway["clock"]): Promise<number> {
  const random = seeded(SEED);
  const people = await operators(gateways, PEOPLE);
  let played = 0;
  for (const n of repetitions(ROUNDS)) {
    played += 1;
    const round = { people, clock, random };
    await check(await decideAll(round, ["approve", "edit"], n % 2 === 1));
    await check(await decideAll(round, ["approve", "edit", "reject"], n % 2 === 0));
  }
  for (const person of people) person.close();
  return played;
}

it(`[PL-10, PL-20] of ${DECIDERS} concurrent deciders one wins and the others are told, on SQLite`, async () => {
  const clock = testClock();
  const gateway = await testGateway({ clock });
  expect(await rounds([gateway], clock)).toBeGreaterThanOrEqual(ROUNDS);
  await gateway.stop();
});

it(`[PL-10, PL-20] [SC-01] of ${DECIDERS} concurrent deciders on two gateways one wins and the others are told, on PostgreSQL`, async ({
  skip,
}) => {
  const server = await postgresUrl();
  if (server === undefined) return skip("no PostgreSQL server can be started here");
  const clock = testClock();
  const url = await freshDatabase(server);
  const gateways = [await testGateway({ clock, postgresUrl: url }), await testGateway({ clock, postgresUrl: url })];
  expect(await rounds(gateways, clock)).toBeGreaterThanOrEqual(ROUNDS);
  for (const gateway of gateways) await gateway.stop();
});

async function freshDatabase(server: string): Promise<string> {
  const name = `deciders_${randomUUID().replaceAll("-", "")}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
