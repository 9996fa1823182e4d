import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../config/load.ts";
import { loadStore } from "../../gateway/open-store.ts";
import { aCommit, committed, sid } from "../../store/contract/harness.ts";
import { startGateway } from "../../gateway.ts";
import { connectHoldpoint } from "../../client/index.ts";
import { scriptedModel } from "../../../test/kit/scripted-model.ts";
import { localTime } from "../../store/store-time.ts";
import { freshDatabase, postgresUrl } from "../../../test/kit/postgres.ts";
import { clock, jobs, orders, port, store } from "./checks.ts";

const SINCE_MS = Date.UTC(2026, 0, 5, 9);

async function homeWith(attempts: number, status: "failed" | "no-worker") {
  const home = await mkdtemp(join(tmpdir(), "holdpoint-doctor-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const { config } = await loadConfig(home, {});
  const opened = await (
    await loadStore(config)
  )({
    home,
    onFatal: (error) => {
      throw error;
    },
  });
  const work = { kind: "perform", slice: "courier", order: { do: "deliver" }, atMs: SINCE_MS } as const;
  committed(await opened.commit(aCommit(sid("1"), { outbox: [work] })));
  const order = { id: 1, sessionId: sid("1"), slice: "courier", node: "n", nowMs: SINCE_MS };
  for (let n = 0; n < attempts; n++) {
    await opened.claimOrder({ ...order, leaseUntilMs: SINCE_MS, sole: true, key: null });
    await opened.orderWaits({ ...order, status, nextAtMs: 0, lastError: "connect ECONNREFUSED" });
  }
  await opened.orderWaits({ ...order, status, nextAtMs: 0, lastError: "connect ECONNREFUSED" });
  await opened.close();
  return { HOLDPOINT_HOME: home };
}

it("[PL-12] the doctor shows work that fails again and again: which, of whom, since when, how often, why", async () => {
  expect(await orders(await homeWith(3, "failed"))).toEqual({
    name: "orders",
    level: "warn",
    detail: "courier/deliver of ses_1 is not done since 2026-01-05T09:00:00.000Z, 3 attempts: connect ECONNREFUSED.",
    advice: "See what fails in the log. It is kept and tried again.",
  });
});

it("[PL-12] the doctor shows work that nobody takes", async () => {
  expect(await orders(await homeWith(0, "no-worker"))).toEqual({
    name: "orders",
    level: "warn",
    detail:
      "courier/deliver of ses_1 is kept since 2026-01-05T09:00:00.000Z: no plugin that is switched on takes it (0 attempts).",
    advice: "Switch the plugin on that takes it, or see what fails in the log. It is kept and tried again.",
  });
});

it("the doctor says nothing of work that failed once or twice", async () => {
  expect(await orders(await homeWith(1, "failed"))).toMatchObject({ level: "ok", detail: "No work is stuck." });
});

it("[GW-08] finds the gateway of this folder on whichever port it was started, and says when none runs", async () => {
  const home = join(await mkdtemp(join(tmpdir(), "holdpoint-doctor-")), "home");
  onTestFinished(() => rm(dirname(home), { recursive: true, force: true }));
  const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0" };
  expect((await port(env)).detail).toContain("a free one is picked");
  const gateway = await startGateway({ home, workspace: home, port: 0, log: "silent", env: {} });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  const found = await port({ HOLDPOINT_HOME: home });
  const noFile = await rm(join(home, "gateway.json")).then(() => port({ HOLDPOINT_HOME: home }));
  await gateway.stop();
  expect(found).toMatchObject({
    level: "ok",
    detail: `Our gateway serves at ${gateway.url} (process ${process.pid}).`,
  });
  expect([noFile.level, noFile.detail]).toEqual(["warn", expect.stringContaining("starting or stopping")]);
  expect((await port(env)).detail).not.toContain("serves");
});

it("[GA-14, AU-07] the doctor names a job that stopped with its operator, and who can take it over", async () => {
  const home = await mkdtemp(join(tmpdir(), "holdpoint-doctor-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const model = scriptedModel(() => ({ say: "seen" }));
  const gateway = await startGateway({ home, workspace: home, port: 0, log: "silent", model, env: {} });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  onTestFinished(() => gateway.stop());
  const clientOf = (token: string) => {
    const client = connectHoldpoint({ url: gateway.url, token, clientName: "doctor", surface: "cli" });
    onTestFinished(() => client.close());
    return client;
  };
  const alice = clientOf(gateway.operatorToken);
  const { secret, token } = await alice.call("tokens.create", { name: "bob", scopes: ["operator.admin"] });
  const job = { when: { everyMs: 3_600_000 }, message: "look", name: "Watch" };
  const { jobId } = await clientOf(secret).call("cron.add", { job });
  const env = { HOLDPOINT_HOME: home };
  expect(await jobs(env)).toMatchObject({ level: "ok", detail: "1 scheduled, and somebody answers for each." });
  await alice.call("tokens.revoke", { id: token.id });
  await expect
    .poll(() => jobs(env))
    .toMatchObject({
      level: "warn",
      detail: `Stopped, because the operator who answers for them was revoked: Watch (${jobId}).`,
    });
});

/** Nothing listens on port 1, and nothing may: whoever connects is refused. */
const NOBODY = "postgres://holdpoint:secret@127.0.0.1:1/holdpoint";

async function homeOn(storeUrl: string): Promise<{ HOLDPOINT_HOME: string }> {
  const home = await mkdtemp(join(tmpdir(), "holdpoint-doctor-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await writeFile(join(home, "config.yaml"), JSON.stringify({ store: { kind: "postgres", url: storeUrl } }), {
    mode: 0o600,
  });
  return { HOLDPOINT_HOME: home };
}

it("[SC-04] the doctor says that PostgreSQL cannot be reached, with the exit code of a store that cannot be used", async () => {
  const finding = await store(await homeOn(NOBODY));
  expect(finding).toMatchObject({ name: "store", level: "fail", exit: "storeUnusable" });
  expect(finding.detail).toMatch(/^PostgreSQL cannot be reached: .*ECONNREFUSED/);
  expect(finding.advice).toContain("Start the server");
  expect(JSON.stringify(finding)).not.toContain("secret");
});

const server = (await postgresUrl()) ?? "";

it.skipIf(server === "")("[SC-04] the doctor and the metrics show a machine whose clock is wrong", async () => {
  const env = await homeOn(await freshDatabase(server));
  const wrong = { ...localTime, wallMs: () => Date.now() - 3_600_000 };
  const gateway = await startGateway({
    home: env.HOLDPOINT_HOME,
    workspace: env.HOLDPOINT_HOME,
    port: 0,
    log: "silent",
    env: {},
    localTime: wrong,
  });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  onTestFinished(() => gateway.stop());
  expect(await clock(env)).toMatchObject({ level: "warn", detail: expect.stringMatching(/ (?:3600|3599) s behind /) });
  const headers = { authorization: `Bearer ${gateway.operatorToken}` };
  const metrics = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
  expect(Number(/^holdpoint_clock_skew_seconds (.*)$/m.exec(metrics)?.[1])).toBeCloseTo(-3_600, -1);
});
