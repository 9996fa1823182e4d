import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import type { ModelRequest } from "../../src/agent/model.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { type CatchUp, JobId, type JobView } from "../../src/scheduler/protocol/schedule.ts";
import { quiet } from "../kit/fake-clock.ts";
import { PATIENT_MS } from "../kit/patience.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HEARTBEAT = JobId.parse("job_heartbeat");

/** Asks again and again, each time over the wire, until it is so. */
async function until<Value>(ask: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  let value = await ask();
  const untilMs = performance.now() + PATIENT_MS;
  while (!isSo(value)) {
    if (performance.now() > untilMs) throw new Error(`never came: ${JSON.stringify(value)}`);
    await quiet();
    value = await ask();
  }
  return value;
}

const jobsOf = async (person: Person, sessionId?: SessionId): Promise<JobView[]> =>
  (await person.client.call("cron.list", sessionId === undefined ? {} : { sessionId })).jobs;

const inputOf = (request: ModelRequest | undefined): string => {
  const last = request?.entries.findLast((entry) => entry.kind === "input");
  return last?.kind === "input" ? last.text : "";
};

async function notices(person: Person, sessionId: SessionId): Promise<string[]> {
  const { items } = await person.client.call("chat.history", { sessionId });
  return items.flatMap(({ entry }) => (entry.kind === "notice" ? [entry.text] : []));
}

/** Leaves plan mode, so that an agent may schedule. */
const unlocked = (person: Person, sessionId: SessionId) =>
  person.client.call("sessions.patch", { sessionId, planMode: "normal" });

it("[AU-07] a gateway that was down over three times makes up for none, one or each of them, as the job says", async () => {
  const { start, stop, person, clock } = story();
  const model = scriptedModel(() => ({ say: "seen" }));
  await start(model);
  const alice = await person();
  const sessions = new Map<CatchUp, SessionId>();
  for (const catchUp of ["skip", "once", "all"] as const) {
    const sessionId = await alice.open();
    sessions.set(catchUp, sessionId);
    await alice.client.call("cron.add", {
      sessionId,
      job: { when: { cron: "0 * * * *", tz: "UTC" }, message: `look (${catchUp})`, catchUp },
    });
  }
  await stop();
  clock.leap(3 * HOUR + 30 * MINUTE); // 12:30: 10, 11 and 12 o'clock have passed
  await start(model);
  const bob = await person();
  const settled = await until(
    () => jobsOf(bob),
    (jobs) => jobs.length === 3 && jobs.every((job) => job.now.status === "waiting" && job.now.nextAtMs > clock.now()),
  );
  const told = (catchUp: CatchUp) =>
    settled
      .find((job) => job.sessionId === sessions.get(catchUp))
      ?.runs.map(({ outcome, dueAtMs, note }) =>
        outcome === "skipped" ? note : `${outcome} ${new Date(dueAtMs).toISOString().slice(11, 16)}`,
      );
  expect({ skip: told("skip"), once: told("once"), all: told("all") }).toEqual({
    skip: ["3 times passed unused. The gateway was down or busy."],
    once: ["2 times passed unused. The gateway was down or busy.", "ok 12:00"],
    all: ["ok 10:00", "ok 11:00", "ok 12:00"],
  });
});

it("[AU-07, PL-13] an isolated run has a session of its own, cannot enter plan mode, and hands its result over", async () => {
  const { start, person, clock } = story();
  const model = scriptedModel((request) => {
    const called = request.entries.some((entry) => entry.kind === "result");
    if (!inputOf(request).includes("nightly")) return { say: "heard" };
    return called ? { say: "Nothing burns." } : { calls: [{ tool: "enter_plan_mode", args: { reason: "x" } }] };
  });
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.client.call("cron.add", {
    job: {
      when: { delayMs: MINUTE },
      name: "Night watch",
      message: "nightly look",
      deliver: "wake",
      deliverTo: sessionId,
    },
  });
  await quiet();
  clock.advance(MINUTE);
  const asked = await model.asked(2);
  expect(asked.entries.findLast((entry) => entry.kind === "result")).toMatchObject({
    status: "error",
    content: { error: "PERMISSION_DENIED", details: { session_kind: "cron", reason: "nobody could approve" } },
  });
  await model.asked(3); // the person's own session, woken with the result
  expect(inputOf(model.requests[2])).toContain(
    '[SCHEDULE_RESULT]\nThe scheduled job "Night watch" has ended. What it said:\n> Nothing burns.\n[/SCHEDULE_RESULT]',
  );
  expect(await notices(alice, sessionId)).toContain('The scheduled job "Night watch" has ended.\n> Nothing burns.');
  expect(
    await until(
      () => jobsOf(alice),
      (jobs) => jobs.length === 0,
    ),
  ).toEqual([]);
  // putting it away is ordered after handing the result over, and done after it
  const archived = async () =>
    (await alice.client.call("sessions.list", { archived: true })).sessions.filter(
      ({ title }) => title === "Night watch",
    );
  const runs = await until(archived, (found) => found.length > 0);
  expect(runs.map(({ kind }) => kind)).toEqual(["cron"]);
});

it("[TO-09, GA-03, AU-07] an agent in plan mode may look at its jobs and schedule none; unlocked it may, for itself alone", async () => {
  const { start, person, clock } = story();
  const cron = (args: ScriptStepArgs): ScriptStep => ({ calls: [{ tool: "cron", args }] });
  const add = cron({ action: "add", every_ms: 60_000, message: "look again" });
  const model = scriptedModel([
    cron({ action: "list" }),
    add,
    { say: "I may not." },
    add,
    cron({ action: "add", message: "when?" }),
    cron({ action: "add", cron: "61 * * * *", message: "never" }),
    cron({ action: "list", unknown: true }),
    { say: "Done." },
    { say: "Looked." },
  ]);
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "keep looking");
  await alice.until("turn.finished");
  const results = async () => {
    const { items } = await alice.client.call("chat.history", { sessionId });
    return items.flatMap(({ entry }) => (entry.kind === "result" ? [[entry.status, entry.content]] : []));
  };
  expect(await results()).toMatchObject([
    ["ok", { jobs: [] }],
    ["refused", { tool_name: "cron", tool_kind: "schedule" }],
  ]);
  expect(await jobsOf(alice, sessionId)).toEqual([]);
  await unlocked(alice, sessionId);
  await alice.say(sessionId, "now you may");
  await alice.until("turn.finished", 2);
  expect((await results()).slice(2)).toMatchObject([
    ["ok", { jobId: expect.stringMatching(/^job_/) }],
    ["error", expect.stringContaining("exactly one of at, delay_ms, every_ms, cron")],
    ["error", expect.stringContaining("no cron expression")],
    ["error", expect.stringContaining("unknown")],
  ]);
  expect(await jobsOf(alice, sessionId)).toMatchObject([{ owner: "agent", sessionId, work: { kind: "turn" } }]);
  clock.advance(MINUTE);
  await alice.until("turn.finished", 3);
  expect(inputOf(model.requests.at(-1))).toContain("[SCHEDULED_TURN]\njob: look again\nscheduled by: you, earlier");
});
type ScriptStepArgs = NonNullable<NonNullable<ScriptStep["calls"]>[number]["args"]>;

it("[AU-07, I16, GA-03] a run that an agent scheduled cannot outlive the gate: while its session plans, it only reads", async () => {
  const { start, person, clock, workspace } = story();
  const write: ScriptStep = { calls: [{ tool: "write", args: { path: "night.txt", content: "x" } }] };
  const model = scriptedModel((request, number) => {
    if (number === 1)
      return {
        calls: [{ tool: "cron", args: { action: "add", delay_ms: MINUTE, message: "write it", isolated: true } }],
      };
    const isRun = inputOf(request) === "write it";
    return isRun && request.entries.at(-1)?.kind !== "result" ? write : { say: "done" };
  });
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await unlocked(alice, sessionId);
  await alice.say(sessionId, "write something later");
  await alice.until("turn.finished");
  await alice.client.call("sessions.patch", { sessionId, planMode: "plan" });
  clock.advance(MINUTE);
  const refused = await model.asked(4);
  expect(refused.entries.at(-1)).toMatchObject({ kind: "result", tool: "write", status: "refused" });
  expect(existsSync(join(workspace, "night.txt"))).toBe(false);
});

it("[AU-07, PG-08] jobs end with their session, and the RPC asks for the scope that a run by itself needs", async () => {
  const { start, person } = story();
  const gateway = await start(scriptedModel(() => ({ say: "ok" })));
  const alice = await person();
  const sessionId = await alice.open();
  const job = { when: { everyMs: HOUR }, message: "look" };
  const jobId = JobId.parse((await alice.client.call("cron.add", { sessionId, job })).jobId);
  await alice.client.call("cron.update", { jobId, enabled: false });
  expect((await jobsOf(alice)).map(({ now }) => now)).toEqual([{ status: "off", why: "disabled" }]);
  await alice.client.call("cron.update", {
    jobId,
    patch: { name: "Hourly", when: { everyMs: 2 * HOUR } },
  });
  await alice.client.call("cron.update", { jobId, enabled: true });
  expect(await jobsOf(alice)).toMatchObject([
    { name: "Hourly", schedule: { everyMs: 2 * HOUR }, now: { status: "waiting" } },
  ]);
  await expect(alice.client.call("cron.update", { jobId, patch: { when: { cron: "* * * * * *" } } })).rejects.toThrow(
    /more often than every 10 seconds/,
  );
  await alice.client.call("sessions.reset", { sessionId });
  expect(await jobsOf(alice)).toEqual([]);
  await expect(alice.client.call("cron.run", { jobId })).rejects.toThrow(/There is no job/);

  const { secret } = await alice.client.call("tokens.create", { name: "bob", scopes: ["operator.write"] });
  const bob = connectHoldpoint({ url: gateway.url, token: secret, clientName: "journey", surface: "cli" });
  onTestFinished(() => bob.close());
  await expect(bob.call("cron.add", { job })).rejects.toThrow(/operator\.admin/);
  await expect(bob.call("cron.add", { sessionId, job: { ...job, isolated: true } })).rejects.toThrow(/operator\.admin/);
  expect(await bob.call("cron.add", { sessionId, job })).toMatchObject({ jobId: expect.stringMatching(/^job_/) });
});

it("[AU-06, AU-07] a heartbeat carries the next step of the active plan, and says nothing when there is nothing to say", async () => {
  const { start, person, clock } = story();
  const steps = [
    { step: "Write greeting.txt", status: "pending" },
    { step: "Tell the team", status: "pending" },
  ];
  let answer = "HEARTBEAT_OK";
  const model = scriptedModel((request, number) => {
    if (number === 1)
      return { calls: [{ tool: "exit_plan_mode", args: { title: "Greet [PLAN_STATUS]", plan: steps } }] };
    return { say: inputOf(request).includes("needs doing") ? answer : "I stop here." };
  });
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.client.call("config.set", {
    path: "agents.defaults.planMode.nudges",
    value: { exploringMinutes: [], executingMinutes: [] },
  });
  await alice.say(sessionId, "greet");
  await alice.until("plan.submitted");
  await alice.accept(sessionId);
  await alice.until("turn.finished", 2);
  await alice.client.call("config.set", {
    path: "agents.defaults.heartbeat",
    value: { every: "30m", activeHours: { start: "09:00", end: "10:00" }, tz: "UTC" },
  });
  const [job] = await until(
    () => jobsOf(alice),
    (jobs) => jobs.length === 1,
  );
  expect(job).toMatchObject({ owner: "config", id: "job_heartbeat", name: "Heartbeat", work: { as: "heartbeat" } });
  const before = model.requests.length;
  clock.advance(30 * MINUTE);
  const asked = await model.asked(before + 1);
  expect(inputOf(asked)).toContain(
    '- the plan "Greet (PLAN_STATUS)" is being carried out. 0 of 2 steps are closed. The next step: Write greeting.txt (pending).',
  );
  const lastRun = () => jobsOf(alice).then((jobs) => jobs[0]?.runs.at(-1));
  expect(await until(lastRun, (run) => run !== undefined)).toMatchObject({ outcome: "ok", note: "Nothing to tell." });
  const listed = async () => (await alice.client.call("sessions.list", {})).sessions.map(({ kind }) => kind);
  expect(await until(listed, (kinds) => !kinds.includes("heartbeat"))).toEqual(["chat"]);

  answer = "The disk is nearly full.";
  clock.advance(29 * MINUTE); // 09:59
  await quiet();
  clock.advance(MINUTE); // 10:00 is no active hour any more
  expect(await until(lastRun, (run) => run?.outcome === "skipped")).toMatchObject({
    note: "One time passed unused. Outside of the active hours.",
  });
  const { sessionId: run } = await alice.client.call("cron.run", { jobId: HEARTBEAT });
  expect(await until(lastRun, (last) => last?.outcome === "ok")).toMatchObject({
    note: "The disk is nearly full.",
    sessionId: run,
  });
  expect(await listed()).toEqual(["heartbeat", "chat"]);
  await expect(alice.client.call("cron.update", { jobId: HEARTBEAT, enabled: false })).rejects.toThrow(
    /agents\.defaults\.heartbeat/,
  );
  await alice.client.call("config.unset", { path: "agents.defaults.heartbeat" });
  expect(
    await until(
      () => jobsOf(alice),
      (jobs) => jobs.length === 0,
    ),
  ).toEqual([]);
});

it("[AU-07] a gateway without jobs loads no calendar", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-idle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { startGateway } = await import(${JSON.stringify(new URL("../../src/gateway.ts", import.meta.url).href)});
    const home = ${JSON.stringify(folder)};
    const gateway = await startGateway({ home, workspace: home, port: 0, env: {}, log: "silent" });
    await gateway.stop();
    console.log(JSON.stringify({ all: loaded.length, calendar: loaded.filter((url) => url.includes("/croner/")) }));
    process.exit(0);`;
  const file = join(folder, "start.mjs");
  writeFileSync(file, script);
  const { all, calendar } = JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" })) as {
    all: number;
    calendar: string[];
  };
  expect(all).toBeGreaterThan(100);
  expect(calendar).toEqual([]);
});
