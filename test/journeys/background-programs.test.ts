/** Programs that an agent leaves running, against the whole gateway and with real processes. */
import { describe, expect, it } from "vitest";
import { runs } from "../kit/exec-world.ts";
import { gatedGateway } from "../kit/gated-gateway.ts";

let count = 0;
/** A length of sleep that nothing else on this machine has. */
const unique = (): string => `70${(count += 1)}.${process.pid}`;
/** A program with a grandchild that began a session of its own and ignores the polite signal. */
const family = (marker: string): string =>
  `(trap '' TERM HUP; setsid sh -c 'trap "" TERM HUP; sleep ${marker}' & sleep ${marker}) & echo up; sleep ${marker}; wait`;

type Started = { id: string };

describe("a program in the background", () => {
  it("[TO-09] goes on when its turn is over, and is found again in the next", async () => {
    const gateway = await gatedGateway();
    const marker = unique();
    const { content } = await gateway.exec(`echo up; sleep ${marker}`, { background: true });
    const { id } = content as Started;
    expect(await gateway.call("process", { action: "list" })).toMatchObject({
      content: { processes: [{ id, status: "running" }] },
    });
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(true);
    await gateway.call("process", { action: "kill", id });
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(false);
  });

  it("[I01, GA-02] is ended with all its children when the session enters plan mode, and the agent is told", async () => {
    const gateway = await gatedGateway();
    const marker = unique();
    const { content } = await gateway.exec(family(marker), { background: true });
    const { id } = content as Started;
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(true);
    await gateway.plan("plan");
    await expect.poll(() => runs(marker)).toBe(false);
    await expect
      .poll(async () => (await gateway.entries()).findLast(({ kind }) => kind === "notice"))
      .toMatchObject({ text: expect.stringContaining(`in the background (${id})`) });
    const told = await gateway.call("process", { action: "poll", id });
    expect(told).toMatchObject({
      status: "ok",
      content: { id, status: "ended by the gateway: the session is in plan mode, where nothing may change" },
    });
    const input = (await gateway.entries()).findLast((entry) => entry.kind === "input");
    expect(input).toMatchObject({ text: expect.stringContaining(`in the background (${id})`) });
  });

  it("[I01] is ended too when the agent itself enters plan mode in the turn that started it", async () => {
    const gateway = await gatedGateway();
    const marker = unique();
    await gateway.exec(family(marker), { background: true });
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(true);
    await gateway.call("enter_plan_mode", {});
    await expect.poll(() => runs(marker)).toBe(false);
  });

  it.each([
    ["reset", "sessions.reset"],
    ["deleted", "sessions.delete"],
  ] as const)("[RT-04] ends with a session that is %s", async (_how, method) => {
    const gateway = await gatedGateway();
    const marker = unique();
    await gateway.exec(family(marker), { background: true });
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(true);
    await gateway.person.must(method, { sessionId: gateway.sessionId });
    await expect.poll(() => runs(marker)).toBe(false);
  });

  it("[RT-04] survives a turn that is aborted: what was stopped is the turn", async () => {
    const gateway = await gatedGateway();
    const [marker, waiting] = [unique(), unique()];
    await gateway.exec(`sleep ${marker}`, { background: true });
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(true);
    gateway.model.order({ tool: "exec", args: { command: `touch x; sleep ${waiting}` } });
    const { sessionId, person } = gateway;
    await gateway.turn(async () => {
      await person.must("chat.send", { sessionId, text: "go" });
      await expect.poll(() => runs(`sleep ${waiting}`)).toBe(true);
      await person.must("chat.abort", { sessionId });
    });
    await expect.poll(() => runs(`sleep ${waiting}`)).toBe(false); // the system may take a moment to let a killed one go
    expect(await gateway.call("process", { action: "list" })).toMatchObject({
      content: { processes: [{ status: "running" }] },
    });
    expect(runs(`sleep ${marker}`)).toBe(true);
  });
});

describe("a command in the foreground", () => {
  it("[I01, GA-02] is ended when the session enters plan mode, and recorded as one that may have changed something", async () => {
    const gateway = await gatedGateway();
    const marker = unique();
    const { sessionId, person, model } = gateway;
    model.order({ tool: "exec", args: { command: `touch x; sleep ${marker}` } });
    await gateway.turn(async () => {
      await person.must("chat.send", { sessionId, text: "go" });
      await expect.poll(() => runs(`sleep ${marker}`)).toBe(true);
      await gateway.plan("plan");
    });
    expect(await gateway.lastResult("exec")).toMatchObject({
      status: "unknown",
      content: { ended: expect.stringContaining("was ended by the gateway: the session is in plan mode") },
    });
    await expect.poll(() => runs(marker)).toBe(false);
  });
});
