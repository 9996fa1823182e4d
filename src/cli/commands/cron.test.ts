import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scriptedModel } from "../../../test/kit/scripted-model.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { startGateway } from "../../gateway.ts";
import { runProgram } from "../program.ts";

async function terminal(model = scriptedModel(() => ({ say: "seen" }))) {
  const home = join(temporaryFolder(), "home");
  const gateway = await startGateway({ home, workspace: temporaryFolder(), port: 0, log: "silent", model, env: {} });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  onTestFinished(() => gateway.stop());
  async function holdpoint(...argv: string[]) {
    const said = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
    const { stdin, stdout } = process;
    const around = { stdin, terminal: stdout, cwd: home, env: { PATH: process.env["PATH"], HOLDPOINT_HOME: home } };
    const code = await runProgram(argv, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
    return { code, ...said };
  }
  const cron = (...argv: string[]) => holdpoint("cron", ...argv);
  return { holdpoint, cron, model };
}

const PLAN = { title: "Tidy up", plan: [{ step: "Tidy" }] };
/** A run that submits what it wants to change. */
const proposing = () =>
  scriptedModel((request) =>
    request.entries.at(-1)?.kind === "result" ? { say: "ok" } : { calls: [{ tool: "exit_plan_mode", args: PLAN }] },
  );

describe("holdpoint cron", () => {
  it("[AU-07, GW-08] adds, lists, switches, runs and removes a job, in words and as JSON", async () => {
    const { cron, model } = await terminal();
    expect(await cron("list")).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing is scheduled.") });
    const added = await cron(
      "add",
      "check",
      "the",
      "backups",
      "--cron",
      "30 4 * * *",
      "--tz",
      "UTC",
      "--catch-up",
      "skip",
      "--json",
    );
    const { jobId } = JSON.parse(added.stdout) as { jobId: string };
    expect(jobId).toMatch(/^job_/);
    expect(await cron("list")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/check the backups\n {2}job_\S+ · 30 4 \* \* \* \(UTC\) · next at \S+T04:30:00Z/),
    });
    expect(await cron("disable", jobId)).toMatchObject({ code: 0, stdout: `${jobId} is off.\n` });
    expect(JSON.parse((await cron("list", "--json")).stdout)).toMatchObject({
      jobs: [{ id: jobId, catchUp: "skip", now: { status: "off", why: "disabled" } }],
    });
    expect(await cron("run", jobId)).toMatchObject({ code: 0, stdout: expect.stringMatching(/ runs in ses_/) });
    await model.asked(1);
    expect(await cron("enable", jobId)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("is on. It runs next at"),
    });
    expect(await cron("remove", jobId)).toMatchObject({ code: 0, stdout: `Removed ${jobId}.\n` });
    expect(JSON.parse((await cron("list", "--json")).stdout)).toEqual({ jobs: [] });
  });

  it("[GA-14] the list says that runs which nobody attends may change things, while they may", async () => {
    const { holdpoint, cron } = await terminal();
    const none = "Nothing is scheduled. Add a job with: holdpoint cron add --help\n";
    expect(await cron("list")).toMatchObject({ code: 0, stdout: none });
    await holdpoint("config", "set", "automation.unattended", "open");
    const open = "Runs that nobody attends may change things here (automation.unattended: open).";
    expect(await cron("list")).toMatchObject({ code: 0, stdout: `${open}\n${none}` });
    expect(JSON.parse((await cron("list", "--json")).stdout)).toMatchObject({ jobs: [], warnings: [{ text: open }] });
  });

  it("[GA-14, GW-08] signs a run's plan for its job, lists it with its runs, withdraws it, and names a revoked owner", async () => {
    const { holdpoint, cron, model } = await terminal(proposing());
    expect(await cron("standing")).toMatchObject({ code: 0, stdout: "No plan stands for a job.\n" });
    const added = await cron("add", "tidy", "up", "--every", "1h", "--name", "Tidy", "--json");
    const { jobId } = JSON.parse(added.stdout) as { jobId: string };
    expect(await holdpoint("plan", "accept", "--runs", "3")).toMatchObject({ code: 2 });
    await cron("run", jobId);
    await model.asked(1);
    const shown = async () => (await holdpoint("plan", "show")).stdout;
    await expect.poll(shown).toContain('A plan of the scheduled job "Tidy" of local waits for your signature');
    const unnamed = await holdpoint("plan", "accept", "--standing");
    const [, code = ""] = /plan\s+accept\s+([0-9a-f]{6})/.exec(unnamed.stderr) ?? [];
    const sign = ["plan", "accept", code, "--standing", "--runs", "3", "--days", "2"];
    const signed = async () => (await holdpoint(...sign)).stdout;
    await expect.poll(signed).toContain("Signed for the job");
    expect(await holdpoint("plan", "accept", "--standing", "--runs", "999")).toMatchObject({ code: 2 });
    const standing = async () => (await cron("standing", jobId)).stdout;
    await expect
      .poll(standing)
      .toMatch(/^Tidy\n {2}Tidy up \(pln_\S+\) for job_\S+: in force\n {2}signed by local at \S+\n {2}0 of 3 runs/);
    expect((await cron("list")).stdout).toContain("a plan stands for it: Tidy up · 0 of 3 runs · until ");
    expect((await cron("list")).stdout).toMatch(/transcript: holdpoint sessions log ses_/);
    expect(await cron("withdraw", jobId)).toMatchObject({ code: 0, stdout: expect.stringContaining("Withdrawn") });
    expect(await standing()).toContain("withdrawn at");
    expect(await cron("withdraw", jobId)).toMatchObject({ code: 2, stderr: expect.stringContaining("No plan stands") });
    expect((await holdpoint("doctor")).stdout).toContain("1 scheduled, and somebody answers for each.");
    const { tokens } = JSON.parse((await holdpoint("tokens", "list", "--json")).stdout) as { tokens: { id: string }[] };
    expect(tokens).toHaveLength(1);
  });

  it("[AU-07, GW-08] says what is wrong and what to do", async () => {
    const { cron } = await terminal();
    expect(await cron("add", "x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("exactly one of --at, --in"),
    });
    expect(await cron("add", "x", "--in", "soon")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("90s, 20m"),
    });
    expect(await cron("add", "x", "--every", "1s")).toMatchObject({ code: 2 });
    expect(await cron("add", "x", "--cron", "* * *")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no cron expression"),
    });
    expect(await cron("add", "x", "--at", "2020-01-01T00:00:00Z")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has passed"),
    });
    expect(await cron("remove", "nothing")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("holdpoint cron list"),
    });
    expect(await cron("run", "job_none")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no job job_none"),
    });
  });
});
