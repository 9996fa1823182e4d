import { describe, expect, it } from "vitest";
import { byAlice } from "../../../test/kit/engine.ts";
import { quiet } from "../../../test/kit/fake-clock.ts";
import { callWorld } from "../../../test/kit/call-world.ts";
import { sessionId } from "../../../test/kit/core.ts";
import type { OpenCaller, ResumedCell } from "../../plugins/api/calls.ts";
import { z } from "../../plugins/sdk.ts";
import type { ToolContext } from "../../plugins/tool.ts";
import type { Refused } from "../../protocol/refusal.ts";
import { defineTool } from "../define-tool.ts";
import { createCallers } from "./callers.ts";
import { CALLER_LEASE_MS } from "./caller-lease.ts";

/** A mutating tool that is held inside until the test lets it go, or until it is stopped. */
function lever() {
  const runs: string[] = [];
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "pull",
    description: "",
    effect: "write",
    kind: "outbound",
    input: z.strictObject({}),
    async run(_args: unknown, { callId, signal }: ToolContext) {
      runs.push(callId);
      begun.resolve();
      const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      await Promise.race([release.promise, stopped]);
      return signal.aborted
        ? ({ status: "error", content: "stopped" } as const)
        : ({ status: "ok", content: "pulled" } as const);
    },
  });
  return { tool, runs, begun: begun.promise, release: () => release.resolve() };
}

async function opened() {
  const pulled = lever();
  const world = await callWorld({ tools: [pulled.tool] });
  await world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
  const { engine: sessions, clock, toolbox: tools, turnId, epoch } = world;
  const calls = [
    { callId: "exec", tool: "cell", args: {} },
    { callId: "wait", tool: "cell", args: {} },
  ];
  await world.must({ type: "turn.say", turnId, epoch, text: "", calls });
  const on = (node: string, sole = false) =>
    createCallers({ sessions, clock, tools, node, sole, report: () => undefined });
  const callers = on("n1");
  const connection = new AbortController();
  const parent = (callId: string) => ({ sessionId, turnId, callId, epoch, signal: world.stop.signal });
  return {
    ...world,
    pulled,
    callers,
    on,
    connection,
    parent,
    external: async () =>
      must(await callers.open("p", { kind: "external", sessionId, connection: "con", signal: connection.signal })),
    cell: async () => must(await callers.open("p", { kind: "cell", parent: parent("exec") })),
    stored: async () => (await world.session()).callers ?? [],
    results: async () =>
      (await world.entries()).flatMap((entry) => (entry.kind === "call-result" ? [[entry.tool, entry.status]] : [])),
  };
}

function must<Value extends object>(answer: Value | Refused): Value {
  if ("refused" in answer) throw new Error(`${answer.refused.code}: ${answer.refused.message}`);
  return answer;
}
const code = (answer: object): string => ("refused" in answer ? (answer as Refused).refused.code : "accepted"); // oxlint-disable-line typescript/no-unsafe-type-assertion -- just looked

/** What the engine's timers do, once the clock has come so far. */
async function ring({ session, must: order, clock }: Awaited<ReturnType<typeof opened>>): Promise<void> {
  for (const { key, atMs } of (await session()).timers) {
    if (atMs <= clock.now()) await order({ type: "timer.fire", key, atMs });
  }
}

describe("a caller that a plugin holds", () => {
  it("[GA-12] is kept alive by the gateway for as long as it is held", async () => {
    const world = await opened();
    const caller = await world.external();
    for (let n = 0; n < 10; n++) {
      world.clock.advance(CALLER_LEASE_MS / 3);
      await quiet();
      await ring(world);
    }
    expect(must(await caller.call("glob", { pattern: "*" })).status).toBe("ok");
    expect(await world.stored()).toMatchObject([{ id: caller.id, epoch: 1, callCount: 1 }]);
  });

  it("[I15] is over when the store did not answer for as long as its lease lasts, and stops what runs", async () => {
    const world = await opened();
    const caller = await world.external();
    const call = caller.call("pull", {});
    await world.pulled.begun;
    world.store.breakNext("commit", 2);
    for (let n = 0; n < 3; n++) {
      world.clock.advance(CALLER_LEASE_MS / 3);
      await quiet();
    }
    expect(caller.over.aborted).toBe(true);
    await ring(world);
    await call;
    expect(await world.results()).toEqual([["pull", "unknown"]]);
    expect(code(await caller.call("pull", {}))).toBe("LEASE_LOST");
    expect(world.pulled.runs).toHaveLength(1);
  });

  it("[RT-04] stops what runs when its connection ends, and records it before it leaves", async () => {
    const world = await opened();
    const caller = await world.external();
    const call = caller.call("pull", {});
    await world.pulled.begun;
    world.connection.abort();
    expect(must(await call)).toMatchObject({ status: "error", content: "stopped" });
    await caller.close();
    expect([await world.stored(), caller.over.aborted]).toEqual([[], true]);
  });

  it("leaves at once where the connection was gone already", async () => {
    const world = await opened();
    world.connection.abort();
    const caller = await world.external();
    await caller.close();
    expect(await world.stored()).toEqual([]);
  });

  it("[PG-04] goes with the plugin that opened it", async () => {
    const world = await opened();
    const [mine] = [await world.external(), await world.cell()];
    await world.callers.closeOwned("somebody else");
    expect(await world.stored()).toHaveLength(2);
    await world.callers.closeOwned("p");
    expect([await world.stored(), code(await mine.call("glob", { pattern: "*" }))]).toEqual([[], "LEASE_LOST"]);
  });

  it("[RT-04] is closed by a gateway that drains, which opens no other", async () => {
    const world = await opened();
    await world.external();
    await world.callers.drain();
    expect(await world.stored()).toEqual([]);
    const { signal } = new AbortController();
    expect(code(await world.callers.open("p", { kind: "external", sessionId, connection: "c", signal }))).toBe(
      "DRAINING",
    );
    expect(
      code(
        await world.callers.resume("p", { callerId: (await cellId(world)) ?? NOBODY, parent: world.parent("wait") }),
      ),
    ).toBe("DRAINING");
  });

  it("[RT-07] is refused what it repeats without any change, and its session's turn goes on", async () => {
    const world = await opened();
    const caller = await world.cell();
    const ends: string[] = [];
    for (let n = 0; n < 9; n++) ends.push(must(await caller.call("glob", { pattern: "*" })).status);
    expect(ends).toEqual(["ok", "ok", "ok", "ok", "refused", "refused", "refused", "refused", "refused"]);
    expect((await world.session()).turn).toMatchObject({ status: "running", ending: false });
  });

  it("is answered with an error for a tool that there is not, and refused what is too large to record", async () => {
    const world = await opened();
    const caller = await world.external();
    expect(must(await caller.call("no_such_tool", {}))).toMatchObject({ status: "error" });
    expect(code(await caller.call("glob", { pattern: "x".repeat(300_000) }))).toBe("ENTRY_TOO_LARGE");
  });
});

type World = Awaited<ReturnType<typeof opened>>;
const cellId = async (world: World) => (await world.stored())[0]?.id;
const NOBODY = z.string().brand("CallerId").parse("clr_nobody");

describe("a cell that waits", () => {
  const resumed = async (world: World, callers: World["callers"], caller: OpenCaller): Promise<ResumedCell | Refused> =>
    callers.resume("p", { callerId: caller.id, parent: world.parent("wait") });

  it("[CM-05] lets a call on its way end, gives its answer, and is resumed under a new lease", async () => {
    const world = await opened();
    const caller = await world.cell();
    const call = caller.call("pull", {});
    await world.pulled.begun;
    expect(await caller.suspend(600_000)).toBeUndefined();
    expect(code(await caller.call("glob", { pattern: "*" }))).toBe("TURN_NOT_RUNNING");
    world.pulled.release();
    expect(must(await call)).toMatchObject({ status: "ok", content: "pulled" });
    expect([await world.stored(), caller.over.aborted]).toMatchObject([[{ life: { status: "suspended" } }], true]);
    const again = must(await resumed(world, world.callers, caller));
    expect(again.unknown).toEqual([]);
    expect(must(await again.caller.call("glob", { pattern: "*" }))).toMatchObject({ status: "ok" });
    expect(await world.stored()).toMatchObject([{ epoch: 2, life: { status: "running" } }]);
  });

  it("[CM-05] is resumed in the same process while its call is still on its way", async () => {
    const world = await opened();
    const caller = await world.cell();
    const call = caller.call("pull", {});
    await world.pulled.begun;
    await caller.suspend(600_000);
    const again = must(await resumed(world, world.callers, caller));
    expect(await world.stored()).toMatchObject([{ epoch: 1, parent: { callId: "wait" }, life: { status: "running" } }]);
    world.pulled.release();
    expect(must(await call).status).toBe("ok");
    await again.caller.close();
    expect(await world.stored()).toEqual([]);
  });

  it("[CM-05, I15] is not taken from a node that holds it; from a dead one it is, and the old one records nothing", async () => {
    const world = await opened();
    const caller = await world.cell();
    const call = caller.call("pull", {});
    await world.pulled.begun;
    await caller.suspend(600_000);
    expect(code(await resumed(world, world.on("n2"), caller))).toBe("LEASE_LOST");
    const taken = must(await resumed(world, world.on("n2", true), caller));
    expect(taken.unknown).toEqual([world.pulled.runs[0]]);
    expect(caller.over.aborted).toBe(true);
    world.pulled.release();
    await call;
    expect(await world.results()).toEqual([["pull", "unknown"]]);
    expect(must(await taken.caller.call("glob", { pattern: "*" })).status).toBe("ok");
  });

  it("[CM-04] runs in no call but the model's own", async () => {
    const world = await opened();
    const inside = { ...world.parent("exec"), caller: { id: NOBODY, kind: "external" } } as const;
    expect(code(await world.callers.open("p", { kind: "cell", parent: inside }))).toBe("INVALID_REQUEST");
    const { epoch: _epoch, ...unproven } = world.parent("exec");
    expect(code(await world.callers.open("p", { kind: "cell", parent: unproven }))).toBe("INVALID_REQUEST");
  });

  it("[GA-12] has a call that it may not start any more recorded as not run", async () => {
    const world = await opened();
    const caller = await world.cell();
    await world.engine.dispatch(sessionId, { type: "turn.abort" }, byAlice);
    expect(code(await caller.call("pull", {}))).toBe("TURN_NOT_RUNNING");
    expect(world.pulled.runs).toEqual([]);
  });
});
