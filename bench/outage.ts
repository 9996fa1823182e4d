/** PostgreSQL away for half a minute, and a gateway that dies: how soon people are told, and how soon work goes on. */
import { setTimeout as sleep } from "node:timers/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { submittedPlan } from "../test/chaos/one-plan.ts";
import { gatewayChild, type GatewayChild } from "../test/kit/gateway-child.ts";
import { freshDatabase, gatewayPlace } from "../test/kit/postgres.ts";
import { startPostgres } from "../test/kit/postgres-server.ts";
import { openTcpProxy } from "../test/kit/tcp-proxy.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { type Figure, figure, type Group, percentile } from "./figure.ts";

const AWAY_MS = 30_000;
const TURNS = 20;
const CLIENTS = 20;
const TAKE_OVERS = 3;
const ASK_EVERY_MS = 50;

/** `swallowed`: nobody hears anything; `crashed`: connections are refused. */
type Away = "swallowed" | "crashed";

export const outage: Group = async (report) => {
  for (const away of ["crashed", "swallowed"] as const) await onceAway(away, report);
  await takeOvers(report);
};

async function onceAway(away: Away, report: (figure: Figure) => void): Promise<void> {
  const server = await startPostgres({ durable: true });
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-outage-"));
  const target = new URL(await freshDatabase(server.url));
  const proxy = await openTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const gateway = await gatewayChild({ ...(await gatewayPlace(folder, target.href)), toolMs: 1_000 });
  const client = await wireClient(gateway);
  const plans = await Promise.all(Array.from({ length: TURNS }, () => submittedPlanOn(gateway)));
  for (const { sessionId, approvalId } of plans)
    await client.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
  const asking = { stop: false };
  const asked = Array.from({ length: CLIENTS }, async (_, n) => askOn(await wireClient(gateway), `c${n}`, asking));
  await sleep(1_000);
  if (away === "crashed") await server.crash();
  else proxy.swallow();
  await sleep(AWAY_MS);
  if (away === "crashed") await server.restart();
  else proxy.restore();
  const backAtMs = performance.now();
  const goingOn = await Promise.all(plans.map(({ sessionId }) => goesOn(client, sessionId, backAtMs)));
  asking.stop = true;
  const answers = (await Promise.all(asked)).flat();
  const missing = await missingOf(client, answers);
  const told = answers.filter(({ ok }) => !ok);
  report(figure(`PostgreSQL ${away} for 30 s: requests told to try again`, told.length, "requests"));
  report(figure(`PostgreSQL ${away} for 30 s: answered at the latest`, Math.max(...answers.map(({ ms }) => ms)), "ms"));
  report(
    figure(
      `PostgreSQL ${away} for 30 s: answered p99`,
      percentile(
        answers.map(({ ms }) => ms),
        99,
      ),
      "ms",
    ),
  );
  report(figure(`PostgreSQL ${away} for 30 s: acknowledged and not found`, missing, "writes"));
  report(figure(`PostgreSQL ${away} for 30 s: the last of ${TURNS} turns goes on`, Math.max(...goingOn), "ms"));
  await gateway.kill();
  await proxy.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function submittedPlanOn(gateway: GatewayChild) {
  const client = await wireClient(gateway);
  const plan = await submittedPlan(client);
  client.close();
  return plan;
}

type Asked = { ok: boolean; ms: number; sessionId?: string };

/** One request after the other, as a person who does not give up would send them. */
async function askOn(client: WireClient, name: string, asking: { stop: boolean }): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (let n = 0; !asking.stop; n++) {
    const sentAtMs = performance.now();
    const answer = await client.request("sessions.create", { title: `${name} ${n}`, idempotencyKey: `${name}-${n}` });
    const ms = performance.now() - sentAtMs;
    asked.push(answer?.ok === true ? { ok: true, ms, sessionId: answer.payload.session.id } : { ok: false, ms });
    await sleep(ASK_EVERY_MS);
  }
  client.close();
  return asked;
}

/** From the server's return to the first commit of a turn, or to its end. */
async function goesOn(client: WireClient, sessionId: string, sinceMs: number): Promise<number> {
  let before: number | undefined;
  for (;;) {
    const answer = await client.request("sessions.get", { sessionId });
    if (answer?.ok === true) {
      const { session } = answer.payload;
      before ??= session.updatedAtMs;
      if (session.turn.status === "idle" || session.updatedAtMs > before) return performance.now() - sinceMs;
    }
    await sleep(ASK_EVERY_MS);
  }
}

async function missingOf(client: WireClient, asked: readonly Asked[]): Promise<number> {
  let missing = 0;
  for (const { sessionId } of asked)
    if (sessionId !== undefined && !(await client.request("sessions.get", { sessionId }))?.ok) missing += 1;
  return missing;
}

/** A gateway is killed inside a call; the other one closes the call as unknown and goes on with the turn. */
async function takeOvers(report: (figure: Figure) => void): Promise<void> {
  const server = await startPostgres({ durable: true });
  const url = await freshDatabase(server.url);
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-outage-"));
  const survivor = await gatewayChild(await gatewayPlace(join(folder, "survivor"), url));
  const watching = await wireClient(survivor);
  const tookMs: number[] = [];
  for (let n = 0; n < TAKE_OVERS; n++) {
    const dying = await gatewayChild({ ...(await gatewayPlace(join(folder, `dying-${n}`), url)), toolMs: 600_000 });
    const client = await wireClient(dying);
    const { sessionId, approvalId } = await submittedPlan(client);
    await watching.must("sessions.subscribe", { sessionId });
    const claimed = eventOn(watching, "call.claimed");
    const ended = eventOn(watching, "turn.finished");
    await client.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    await claimed;
    await dying.kill();
    const killedAtMs = performance.now();
    const closed = eventOn(watching, "call.closed").then(() => performance.now() - killedAtMs);
    tookMs.push(await closed);
    await ended;
  }
  report(figure("a gateway is killed: its call is taken over, at the latest", Math.max(...tookMs), "ms"));
  await survivor.kill();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

const eventOn = (client: WireClient, name: string): Promise<void> =>
  new Promise((resolve) => {
    const stop = client.onEvent(({ event }) => {
      if (event !== name) return;
      stop();
      resolve();
    });
  });
