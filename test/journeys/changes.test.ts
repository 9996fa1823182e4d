import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { runProgram } from "../../src/cli/program.ts";
import { gatedGateway } from "../kit/gated-gateway.ts";
import { present } from "../kit/served-gateway.ts";

const PLAN = {
  title: "Greet people",
  plan: [
    { step: "Write the greeting in greeting.txt", status: "pending" },
    { step: "Build it into out/greeting.html", status: "pending" },
  ],
};

type World = Awaited<ReturnType<typeof gatedGateway>>;

const approvalOf = ({ now }: PlanModeState) => {
  if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
  return now.submission.approvalId;
};

/** A plan with two steps is approved, and carried out with these calls. */
async function approved(world: World): Promise<void> {
  await world.plan("plan");
  await world.call("exit_plan_mode", PLAN);
  const approvalId = approvalOf(await world.state());
  await world.turn(() =>
    world.person.must("sessions.patch", {
      sessionId: world.sessionId,
      planApproval: { action: "approve", approvalId },
    }),
  );
}

const begin = (world: World, at: number) =>
  world.call("update_plan", {
    plan: PLAN.plan.map(({ step }, index) => ({
      step,
      status: index < at ? "completed" : index === at ? "in_progress" : "pending",
    })),
  });

const changesOf = async ({ person, sessionId }: World) =>
  present((await person.must("changes.get", { sessionId })).changes);

it("[UI-11] [BY-03] [BY-09] shows per step and file what an approved plan changed, marks what no step names, and takes it back", async () => {
  const world = await gatedGateway();
  const { person, sessionId, workspace } = world;
  writeFileSync(join(workspace, "greeting.txt"), "hello\n");
  await approved(world);
  expect((await person.must("changes.get", { sessionId })).changes).toBeNull();

  await begin(world, 0);
  await world.call("write", { path: "greeting.txt", content: "hello, world\n" });
  await begin(world, 1);
  await world.exec("mkdir out; cp greeting.txt out/greeting.html; echo stray > stray.txt; exit 3");

  const changes = await changesOf(world);
  const files = changes.steps.flatMap(({ step, files: changed }) => changed.map((file) => ({ step, ...file })));
  expect(files.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
    { step: 1, path: "greeting.txt", change: "modified" },
    { step: 2, path: "out/greeting.html", change: "added" },
    { step: 2, path: "stray.txt", change: "added", undeclared: true },
  ]);
  expect(changes).toMatchObject({ undeclared: 1, level: "warned", declares: true, gaps: [], failures: [] });
  expect(changes.steps[1]?.calls).toMatchObject([{ tool: "exec", exitCode: 3, status: "error", files: 2 }]);
  expect(world.seen).toContain("changes.recorded");

  const { diff } = await person.must("changes.diff", { sessionId, step: 1, path: "greeting.txt" });
  expect(diff.lines.map(({ sign, text }) => `${sign}${text}`)).toEqual(["@-1,1 +1,1", "-hello", "+hello, world"]);

  const key = ["ghp", "k3Jd82hXb0PqLzVt7RmNc5WyAe1Gf4Us9oTi"].join("_");
  const secret = `-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\nkey: ${key}\nplain\n`;
  await world.call("write", { path: "out/secret.pem", content: secret });
  const shown = await person.must("changes.diff", { sessionId, path: "out/secret.pem" });
  expect(shown.diff.lines.map(({ text }) => text).slice(2)).toEqual([
    "[redacted]",
    "-----END PRIVATE KEY-----",
    "key: [redacted]",
    "plain",
  ]);

  writeFileSync(join(workspace, "greeting.txt"), "a person's words\n");
  const { preview } = await person.must("changes.preview", { sessionId });
  expect(preview.files.filter(({ conflict }) => conflict !== undefined)).toEqual([
    { path: "greeting.txt", change: "modified", conflict: "others" },
  ]);
  const refused = await person.request("changes.rollback", { sessionId, digest: preview.digest });
  expect(refused).toMatchObject({ ok: false, error: { code: "ROLLBACK_CONFLICT" } });
  const done = await person.must("changes.rollback", { sessionId, digest: preview.digest, conflicts: "keep" });
  expect(done).toMatchObject({ restored: 3, left: [] });
  expect(world.read("greeting.txt")).toBe("a person's words\n");
  expect(existsSync(join(workspace, "out"))).toBe(false);
  const { rows } = await person.must("audit.list", { sessionId, limit: 100 });
  const recorded = rows.map(({ body }) => body).join("\n");
  for (const fact of ["changes.drifted", "changes.rollback_ordered", "changes.rolled_back"])
    expect(recorded).toContain(fact);

  await person.must("sessions.delete", { sessionId });
  await expect.poll(() => readdirSync(join(world.home, "changes"))).toEqual([]);
});

it("[BY-10] [BY-03] a plan that ended is found by the files that its commands changed, also when its session is gone", async () => {
  const world = await gatedGateway();
  const { person, sessionId } = world;
  const found = async (query: string) =>
    (await person.must("library.search", { query })).plans.map(({ title }) => title);
  await approved(world);
  await begin(world, 0);
  await world.exec("mkdir deep; echo stray > deep/stray.txt; echo gone > gone.txt; rm gone.txt");
  await begin(world, 2);
  await expect.poll(() => found("file:deep/stray.txt status:completed")).toEqual([PLAN.title]);
  expect([await found("file:stray.txt"), await found("file:gone.txt")]).toEqual([[PLAN.title], []]);
  const [plan] = (await person.must("library.search", { query: "greet" })).plans;
  await person.must("library.tag", { planId: present(plan).planId, add: ["kept"] });
  expect(await found("tag:kept file:stray.txt")).toEqual([PLAN.title]);
  await person.must("sessions.delete", { sessionId });
  const isMarked = async () => (await person.must("library.search", { query: "greet" })).plans[0]?.sessionDeleted;
  await expect.poll(isMarked).toBe(true);
  expect(await found("file:stray.txt")).toEqual([PLAN.title]);
});

/** `holdpoint …` as a person types it. */
async function typed({ home }: World, ...argv: string[]) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: home, NO_COLOR: "1" };
  const { stdin, stdout } = process;
  const around = { stdin, terminal: stdout, cwd: home, env, stdout: stream("stdout"), stderr: stream("stderr") };
  return { code: await runProgram(argv, around), ...said };
}

it("[BY-03] [BY-09] pauses a plan that changes files which no step names, until a person lets it go on; commands show and take back", async () => {
  const world = await gatedGateway({}, { changes: { drift: { pause: 1 } } });
  const { person, sessionId, workspace } = world;
  await approved(world);
  await begin(world, 0);
  await world.exec("echo hi > greeting.txt; echo odd > 'odd name.txt'");
  const held = await world.call("write", { path: "greeting.txt", content: "more\n" });
  expect(JSON.stringify(held.content)).toContain("no step of the plan names");
  expect(world.read("greeting.txt")).toBe("hi\n");
  expect(await changesOf(world)).toMatchObject({ level: "paused", undeclared: 1 });

  const say = async (args: string) =>
    (await person.must("commands.run", { sessionId, name: "plan", args })) as { message?: string };
  expect((await say("changes")).message).toContain("+ odd name.txt (no step names it)");
  expect((await say("resume")).message).toBe("The plan goes on.");
  await world.call("write", { path: "greeting.txt", content: "more\n" });
  expect(world.read("greeting.txt")).toBe("more\n");

  const printed = await typed(world, "plan", "changes", "--diff", "--session", sessionId);
  expect(printed.stdout).toContain("1. Write the greeting in greeting.txt");
  expect(printed.stdout).toMatch(/\$ echo hi > greeting\.txt.*exit 0/);
  expect(printed.stdout).toContain("+ more");
  expect(JSON.parse((await typed(world, "plan", "changes", "--json", "--session", sessionId)).stdout)).toMatchObject({
    changes: { steps: [{ step: 1 }] },
  });
  const { plans } = await person.must("plans.list", { sessionId });
  const whole = (await typed(world, "plans", "open", plans[0]?.planId ?? "")).stdout;
  expect(whole).toMatch(/## Decisions\n\n- \S+ approved by local \(cli\)\n/);
  expect(whole).toMatch(/Digest \(SHA-256\): [0-9a-f]{64}/);
  expect(whole).toContain("What it changed\n1. Write the greeting in greeting.txt");
  expect(whole).toContain(`Undo it: holdpoint plan rollback --plan ${present(plans[0]).planId}\n`);
  const asked = await typed(world, "plan", "rollback", "1", "--session", sessionId);
  expect(asked.stdout).toContain(
    `Nothing was changed yet. Do it with: holdpoint plan rollback 1 --plan ${present(plans[0]).planId} --yes`,
  );
  writeFileSync(join(workspace, "odd name.txt"), "a person's\n");
  const conflict = await typed(world, "plan", "rollback", "1", "--yes", "--session", sessionId);
  expect(conflict).toMatchObject({ code: 1, stderr: expect.stringContaining("--keep") as unknown });
  expect((await typed(world, "plan", "rollback", "one")).code).toBe(2);
  writeFileSync(join(workspace, "odd name.txt"), "odd\n");

  const shown = (await say("rollback 1")).message ?? "";
  const code = /rollback 1 ([0-9a-f]{6})/.exec(shown)?.[1] ?? "none";
  expect(shown).toContain("- greeting.txt");
  expect((await say(`rollback 1 ${code}`)).message).toBe("Files put back: 2. Left as they are: 0.");
  expect(readdirSync(workspace)).toEqual(["keep.txt"]);
});

it("[BY-09] the terminal takes back the plan that was previewed, also an earlier one, and never guesses the session", async () => {
  const world = await gatedGateway();
  const { person, sessionId, workspace } = world;
  const carryOut = async (content: string): Promise<string> => {
    await approved(world);
    await begin(world, 0);
    await world.call("write", { path: "greeting.txt", content });
    await begin(world, 2);
    return present((await person.must("plans.list", { sessionId })).plans[0]).planId;
  };
  const earlier = await carryOut("one\n");
  const alone = await typed(world, "plan", "rollback", "--yes"); // the only session: nothing to guess
  expect([alone.code, existsSync(join(workspace, "greeting.txt"))]).toEqual([0, false]);
  expect((await typed(world, "plans", "open", earlier)).stdout).toContain(
    "It cannot be undone: There is nothing to put back.",
  );
  const older = await carryOut("two\n");
  const previewed = (await typed(world, "plan", "rollback", "--session", sessionId)).stdout;
  expect(previewed).toContain(`Do it with: holdpoint plan rollback --plan ${older} --yes\n`);
  await carryOut("three\n");
  await person.must("sessions.create", { agentId: "main", title: "another", workspace });
  const bare = await typed(world, "plan", "rollback", "--yes");
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("say which plan")]);
  expect((await typed(world, "plan", "rollback", "--plan", older, "--session", sessionId)).code).toBe(2);
  expect(world.read("greeting.txt")).toBe("three\n");

  expect((await typed(world, "plans", "open", older)).stdout).toContain(
    `Undo it: holdpoint plan rollback --plan ${older}\n`,
  );
  expect((await typed(world, "plan", "changes", "--plan", older)).stdout).toContain("greeting.txt");
  const taken = await typed(world, "plan", "rollback", "--plan", older, "--yes", "--overwrite");
  expect([taken.code, taken.stdout]).toEqual([0, expect.stringContaining("Files put back: 1")]);
  expect(existsSync(join(workspace, "greeting.txt"))).toBe(false);

  await person.must("sessions.delete", { sessionId });
  await expect
    .poll(async () => (await typed(world, "plans", "open", older)).stdout)
    .toContain("It cannot be undone: Its session was deleted");
});

it("[BY-09] several people take the same step back at once, on the page and in the terminal: one does, the others learn of it", async () => {
  const world = await gatedGateway();
  const { person, sessionId } = world;
  await approved(world);
  await begin(world, 0);
  await world.call("write", { path: "greeting.txt", content: "hello\n" });
  const { preview } = await person.must("changes.preview", { sessionId, step: 1 });
  const asked = { sessionId, step: 1, digest: preview.digest };
  const [terminal, ...answers] = await Promise.all([
    typed(world, "plan", "rollback", "1", "--yes", "--session", sessionId),
    ...Array.from({ length: 4 }, () => person.request("changes.rollback", asked)),
  ]);
  expect(existsSync(join(world.workspace, "greeting.txt"))).toBe(false);
  const outcomes = answers.map((answer) => (answer?.ok === true ? answer.payload.restored : answer?.error.code));
  const late: unknown[] = [0, "CHANGES_BUSY", "ROLLBACK_NOTHING", "ROLLBACK_STALE"];
  expect(outcomes.filter((outcome) => outcome !== 1 && !late.includes(outcome))).toEqual([]);
  const inTerminal = terminal.stdout.includes("Files put back: 1") ? [1] : [];
  expect([...outcomes, ...inTerminal].filter((outcome) => outcome === 1)).toHaveLength(1);
  const { rows } = await person.must("audit.list", { sessionId, limit: 100 });
  const facts = rows.map(({ body }) => body).filter((body) => body.includes('"changes.rolled_back"'));
  expect(facts.filter((body) => body.includes('"restored":1'))).toHaveLength(1);
});

it("[BY-09] says when no snapshot can be taken, and refuses the call where that is configured", async () => {
  const world = await gatedGateway({}, { changes: { onFailure: "refuse" } });
  await approved(world);
  mkdirSync(join(world.home, "changes"));
  writeFileSync(join(world.home, "changes", world.sessionId), "in the way\n");
  const refused = await world.call("write", { path: "greeting.txt", content: "hello\n" });
  expect(refused).toMatchObject({ status: "error" });
  expect(JSON.stringify(refused.content)).toContain("no snapshot could be taken");
  expect(existsSync(join(world.workspace, "greeting.txt"))).toBe(false);
});
