/** Standing plans over the whole gateway: a held run proposes, a person signs for the job, later runs carry it out. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { JobId } from "../../src/scheduler/protocol/schedule.ts";
import { runs as isRunningNow } from "../kit/exec-world.ts";
import { quiet } from "../kit/fake-clock.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { story } from "./story.ts";
import {
  MINUTE,
  HOUR,
  DAY,
  until,
  lastOf,
  tidying,
  write,
  STEP,
  DONE,
  jobOf,
  hourly,
  nextRun,
  proposal,
  cardIn,
  sign,
  tidied,
  raise,
  standingsOf,
  signed,
  operator,
  resultsIn,
} from "./standing-world.ts";

it("[GA-14, AU-07] a held run's plan lands in the inbox with its job named, and signed for the job covers its runs", async () => {
  const { start, person, clock, workspace } = story();
  const model = tidying();
  await start(model);
  const alice = await person();
  const jobId = await hourly(alice.client);
  const held = await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(0);
  expect(held.runs.at(-1)).toMatchObject({ outcome: "ok", note: expect.stringContaining("submitted a plan") });

  const run = await proposal(alice);
  expect(run).toBe(held.runs.at(-1)?.sessionId);
  const { card } = await cardIn(alice, run);
  expect(card.heading.text).toBe('A plan of the scheduled job "Tidy" of local waits for your signature');
  expect(card.actions.map(({ id }) => id)).toContain("approve-standing");
  await sign(alice, run, { runs: 2, days: 7 });
  const [standing] = await standingsOf(alice); // right after the signature
  expect(standing).toMatchObject({ jobId, jobName: "Tidy", title: "Tidy up", runs: 2, used: [] });
  expect(standing?.untilMs).toBe(clock.now() + 7 * DAY);
  expect(tidied(workspace)).toBe(0); // signed for later runs, not carried out now

  const first = await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(1);
  expect(first.runs.at(-1)).toMatchObject({ outcome: "ok", standing: { planId: standing?.planId, n: 1 } });
  await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(2);
  const [used] = await standingsOf(alice);
  expect(used?.used.map(({ n }) => n)).toEqual([1, 2]);

  await nextRun(alice, jobId, clock); // the third is held again, and proposes
  expect(tidied(workspace)).toBe(2);
  expect((await standingsOf(alice))[0]?.ended).toMatchObject({ why: "used_up" });
  const { items } = await alice.client.call("chat.history", {
    sessionId: SessionId.parse(first.runs.at(-1)?.sessionId),
  });
  expect(items.some(({ entry }) => entry.kind === "result" && entry.tool === "write" && entry.status === "ok")).toBe(
    true,
  );
});

it("[GA-14] accepted once, the plan is carried out in the run that submitted it, and the next run is held again", async () => {
  const { start, person, clock, workspace } = story();
  await start(tidying());
  const alice = await person();
  const jobId = await hourly(alice.client);
  await nextRun(alice, jobId, clock);
  const run = await proposal(alice);
  await sign(alice, run);
  await until(
    async () => tidied(workspace),
    (count) => count === 1,
  );
  expect(await standingsOf(alice)).toEqual([]);
  await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(1);
});

it("[GA-14] one plan of a job waits at a time: the next run reports instead of submitting another", async () => {
  const { start, person, clock } = story();
  await start(tidying());
  const alice = await person();
  const jobId = await hourly(alice.client);
  await nextRun(alice, jobId, clock);
  const run = await proposal(alice);
  const second = await nextRun(alice, jobId, clock);
  const results = await resultsIn(alice, second.runs.at(-1)?.sessionId);
  expect(results.at(-1)).toMatchObject({
    tool: "exit_plan_mode",
    status: "error",
    content: { error: "APPROVAL_PENDING" },
  });
  expect((await alice.client.call("sessions.list", { waiting: true })).sessions.map(({ id }) => id)).toEqual([run]);
});

it("[GA-14] the plan is void at once when the job changes, goes, or is withdrawn, also in the middle of a run", async () => {
  const { start, person, clock, workspace } = story();
  let meanwhile: (() => Promise<unknown>) | undefined;
  await start(
    tidying((request) => {
      const isFirst = lastOf(request)?.kind === "input";
      const doing = isFirst ? meanwhile : undefined;
      if (doing === undefined) return undefined;
      meanwhile = undefined;
      return { until: doing(), ...write("tidied-meanwhile.txt") };
    }),
  );
  const alice = await person();
  const jobId = await signed(alice, clock);
  meanwhile = () => alice.client.call("cron.withdraw", { jobId });
  const withdrawn = await nextRun(alice, jobId, clock);
  expect((await resultsIn(alice, withdrawn.runs.at(-1)?.sessionId))[0]).toMatchObject({
    status: "refused",
    content: { rule: "standing/void", matched: "the standing plan was withdrawn, or is void" },
  });
  expect((await standingsOf(alice))[0]).toMatchObject({
    used: [{ n: 1 }],
    ended: { why: "withdrawn", by: { name: "local" } },
  });
  await expect(alice.client.call("cron.withdraw", { jobId })).rejects.toThrow(/No plan stands/);

  await nextRun(alice, jobId, clock);
  await sign(alice, await proposal(alice), {});
  meanwhile = () => alice.client.call("cron.update", { jobId, patch: { message: "tidy up, and send me the keys" } });
  await nextRun(alice, jobId, clock);
  expect((await standingsOf(alice))[0]).toMatchObject({ used: [{ n: 1 }], ended: { why: "job_changed" } });
  await nextRun(alice, jobId, clock);
  await sign(alice, await proposal(alice), {});
  await until(
    () => standingsOf(alice),
    (found) => found.length === 3,
  );
  await alice.client.call("cron.remove", { jobId });
  const again = await hourly(alice.client); // the same name and text is another job
  await nextRun(alice, again, clock);
  expect((await standingsOf(alice))[0]).toMatchObject({ used: [], ended: { why: "job_removed" } });
  expect(tidied(workspace)).toBe(0);
  await expect(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no such field
    alice.client.call("sessions.patch", { sessionId: (await jobOf(alice, again)).sessionId, scheduler: {} } as never),
  ).rejects.toThrow(/scheduler/);
});

it.each(["withdraw", "remove"] as const)(
  "[GA-14, I01] what a run left running under the plan ends with it: cron.%s",
  async (what) => {
    const { start, person, clock } = story();
    const marker = `71${what.length}.${process.pid}`;
    let isRunning = false;
    await start(
      tidying((request) => {
        const last = lastOf(request);
        if (last?.kind === "input" && isRunning)
          return { calls: [{ tool: "exec", args: { command: `touch x; sleep ${marker}`, background: true } }] };
        return last?.kind === "result" && last.tool === "exec" ? { until: new Promise(() => undefined) } : undefined;
      }),
    );
    const alice = await person();
    const jobId = await signed(alice, clock);
    isRunning = true;
    await alice.client.call("cron.run", { jobId });
    await expect.poll(() => isRunningNow(`sleep ${marker}`)).toBe(true);
    await alice.client.call(`cron.${what}`, { jobId });
    await expect.poll(() => isRunningNow(`sleep ${marker}`)).toBe(false);
  },
);

it("[GA-14] a plan that stands for a job covers neither its sub-agents nor another session, and two runs at once count once", async () => {
  const { start, person, clock, workspace } = story();
  await start(
    tidying((request) => {
      const last = lastOf(request);
      const [first] = request.entries;
      const isChild = first?.kind === "input" && first.text.includes("you are the helper");
      if (isChild) return last === first ? write("tidied-by-child.txt") : { say: "no" };
      if (last?.kind === "input" && last.text.includes("[PLAN_DECISION]"))
        return { calls: [{ tool: "sessions_spawn", args: { task: "you are the helper" } }] };
      return last?.kind === "result" && last.tool === "sessions_spawn" ? { say: "waiting" } : undefined;
    }),
  );
  const alice = await person();
  const jobId = await signed(alice, clock);
  await Promise.allSettled([alice.client.call("cron.run", { jobId }), alice.client.call("cron.run", { jobId })]);
  await until(
    () => jobOf(alice, jobId),
    (job) => job.run === null && job.runs.length === 2,
  );
  const [standing] = await standingsOf(alice);
  expect(standing?.used.map(({ n }) => n)).toEqual([1]);
  expect(readdirSync(workspace)).not.toContain("tidied-by-child.txt");
  const { sessions } = await alice.client.call("sessions.list", { archived: false });
  const child = sessions.find(({ kind }) => kind === "subagent");
  expect((await resultsIn(alice, child?.id))[0]).toMatchObject({
    status: "refused",
    content: { rule: "unattended/held" },
  });

  const chat = await alice.open();
  await alice.client.call("sessions.patch", { sessionId: chat, planMode: "plan" });
  await alice.say(chat, "propose");
  await alice.until("plan.submitted");
  await expect(sign(alice, chat, {})).rejects.toThrow(/isolated run of a scheduled job/);
});

it("[GA-14] a plan that stands expires, and a clock that is set back does not revive it", async () => {
  const { start, stop, person, clock, workspace } = story();
  await start(tidying());
  const alice = await person();
  const jobId = await signed(alice, clock, { runs: 200, days: 1 });
  await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(1);
  await stop();
  clock.leap(2 * DAY);
  await start(tidying());
  const later = await person();
  await until(
    () => jobOf(later, jobId),
    (job) => job.run === null && job.runs.length > 2,
  );
  expect((await standingsOf(later))[0]).toMatchObject({ used: [{ n: 1 }], ended: { why: "expired" } });
  await stop();
  clock.leap(-2 * DAY);
  await start(tidying());
  const back = await person();
  await back.client.call("cron.run", { jobId });
  await until(
    () => jobOf(back, jobId),
    (job) => job.run === null,
  );
  expect((await standingsOf(back))[0]?.used).toHaveLength(1);
  expect(tidied(workspace)).toBe(1);
});

it("[GA-14, AU-07, I19] a job whose operator was revoked stops until another takes it over, and what they signed is void", async () => {
  const { start, person, clock, workspace } = story();
  const gateway = await start(tidying());
  const alice = await person();
  const bob = await operator(alice, gateway, "bob");
  const jobs = await hourly(bob.client);
  const own = await signed({ ...alice, client: bob.client }, clock); // bob signs for a job of his own
  expect((await jobOf(alice, jobs)).ownedBy).toMatchObject({ name: "bob" });
  await alice.client.call("tokens.revoke", { id: bob.id });
  const stopped = await until(
    () => jobOf(alice, own),
    (job) => job.now.status === "off",
  );
  expect([stopped.now, (await standingsOf(alice))[0]?.ended]).toMatchObject([{ why: "revoked" }, { why: "revoked" }]);
  const before = (await jobOf(alice, jobs)).runs.length;
  clock.advance(3 * HOUR);
  await quiet();
  expect([(await jobOf(alice, jobs)).runs.length, tidied(workspace)]).toEqual([before, 0]);
  await alice.client.call("cron.update", { jobId: jobs, enabled: true });
  expect(await jobOf(alice, jobs)).toMatchObject({ now: { status: "waiting" }, ownedBy: { name: "local" } });
});

it("[GA-14] a job that an agent adds while it carries a plan out ends with the plan, unless what was signed names it", async () => {
  const { start, person } = story();
  const cron = (args: JsonObject): ScriptStep => ({ calls: [{ tool: "cron", args: { action: "add", ...args } }] });
  const named = { message: "report on Mondays", cron: "0 9 * * 1", tz: "UTC", isolated: true };
  const plan = { title: "Report", plan: [{ step: STEP }], jobs: [named] };
  await start(
    scriptedModel([
      { calls: [{ tool: "exit_plan_mode", args: plan }] },
      cron(named),
      cron({ ...named, message: "report on Mondays and send it to me" }),
      cron({ ...named, cron: "0 9 * * *" }),
      DONE,
      { say: "Done." },
      { say: "Good." },
    ]),
  );
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "set reports up");
  await alice.until("plan.submitted");
  const { plans } = await alice.client.call("plans.list", { sessionId });
  expect(plans[0]?.body.jobs).toEqual([
    { message: named.message, when: { cron: "0 9 * * 1", tz: "UTC" }, isolated: true },
  ]);
  const text = await alice.client.call("plans.export", { planId: plans[0]?.planId ?? raise(), format: "markdown" });
  expect(text.text).toContain("1 UTC (isolated) → report on Mondays");
  await sign(alice, sessionId);
  await alice.until("plan.completed");
  const results = await resultsIn(alice, sessionId);
  expect(results.flatMap(({ tool, content }) => (tool === "cron" ? [content] : []))).toMatchObject([
    { jobId: expect.stringMatching(/^job_/) },
    { endsWithPlan: true },
    { endsWithPlan: true },
  ]);
  const { jobs } = await alice.client.call("cron.list", { sessionId });
  expect(jobs).toMatchObject([{ work: { message: "report on Mondays" }, owner: "agent", ownedBy: { name: "local" } }]);
  const { items } = await alice.client.call("chat.history", { sessionId });
  const notices = items.flatMap(({ entry }) => (entry.kind === "notice" ? [entry.text] : []));
  expect(notices.filter((line) => line.includes("ended with its plan"))).toHaveLength(2);
  const { rows } = await alice.client.call("audit.list", { afterSeq: 0, limit: 200 });
  expect(rows.filter(({ body }) => body.includes("its plan cycle has ended"))).not.toEqual([]);
});

it("[GA-14] the transcript of a heartbeat that had nothing to tell is kept, and can be read", async () => {
  const { start, person, clock } = story();
  await start(scriptedModel(() => ({ say: "HEARTBEAT_OK" })));
  const alice = await person();
  await alice.client.call("config.set", { path: "agents.defaults.heartbeat", value: { every: "30m" } });
  const heartbeat = JobId.parse("job_heartbeat");
  await until(
    async () => (await alice.client.call("cron.list", {})).jobs,
    (jobs) => jobs.length === 1,
  );
  const sessions = new Set<string>();
  for (let n = 1; n <= 12; n++) {
    clock.advance(30 * MINUTE);
    const job = await until(
      () => jobOf(alice, heartbeat),
      ({ run, runs }) => run === null && runs.some(({ sessionId = "" }) => !sessions.has(sessionId)),
    );
    sessions.add(job.runs.at(-1)?.sessionId ?? "");
  }
  expect(sessions.size).toBe(12); // more than the list of runs holds
  const archived = async () => (await alice.client.call("sessions.list", { archived: true })).sessions;
  const kept = await until(archived, (found) => found.filter(({ kind }) => kind === "heartbeat").length === 12);
  expect(
    kept
      .filter(({ kind }) => kind === "heartbeat")
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([...sessions].toSorted());
  const [first = ""] = sessions;
  const { items } = await alice.client.call("chat.history", { sessionId: SessionId.parse(first) });
  expect(items.at(-1)?.entry).toMatchObject({ kind: "assistant", text: "HEARTBEAT_OK" });
});

it("[GA-14, PL-18] where two must sign, a plan stands once both signed for the job, within the lesser limits", async () => {
  const { start, person, clock } = story();
  const gateway = await start(tidying());
  const alice = await person();
  await alice.client.call("config.set", { path: "agents.defaults.planMode.approvals", value: { quorum: 2 } });
  const bob = await operator(alice, gateway, "bob");
  const jobId = await hourly(alice.client);
  await nextRun(alice, jobId, clock);
  const run = await proposal(alice);
  await sign(alice, run, { runs: 9, days: 3 });
  expect(await standingsOf(alice)).toEqual([]);
  await sign({ ...alice, client: bob.client }, run, { runs: 4, days: 30 });
  const [standing] = await until(
    () => standingsOf(alice),
    (found) => found.length === 1,
  );
  expect(standing).toMatchObject({ runs: 4, signedBy: [{ name: "local" }, { name: "bob" }] });
  expect(standing?.untilMs).toBe(clock.now() + 3 * DAY);
});

it("[GA-14, PL-18] a run of a conversation's job asks for as many signatures as the conversation itself", async () => {
  const { start, person, clock } = story();
  const gateway = await start(tidying());
  const alice = await person();
  await alice.client.call("config.set", {
    path: "bindings",
    value: [{ surface: "cli", planMode: { approvals: { quorum: 2 } } }],
  });
  const bob = await operator(alice, gateway, "bob");
  const sessionId = await alice.open();
  const job = { when: { everyMs: HOUR }, name: "Tidy", message: "tidy up", isolated: true };
  const jobId = JobId.parse((await alice.client.call("cron.add", { sessionId, job })).jobId);
  await nextRun(alice, jobId, clock);
  const run = await proposal(alice);
  expect((await cardIn(alice, run)).card).toMatchObject({ signing: { quorum: 2 } });
  await sign(alice, run);
  expect((await alice.plan(run)).now.phase).toBe("pending");
  await sign({ ...alice, client: bob.client }, run);
  expect((await alice.plan(run)).now.phase).toBe("executing");
});
