import { afterAll, describe, expect, it } from "vitest";
import { cellHost, cellWorld, type Given, ok } from "../../../test/kit/cells.ts";
import { launchProgram } from "../../plugins/isolated/launch-program.ts";
import type { GuestPipes, OfferedTool } from "../../plugins/sdk.ts";
import { createBindings } from "../catalog/bindings.ts";
import { createCatalog } from "../catalog/catalog.ts";
import { createCallLedger } from "./call-ledger.ts";
import { clampCellLimits } from "./cell-limits.ts";
import { createSandbox } from "./create-sandbox.ts";
import { type CallRequest, type CellOutcome, NO_BINDINGS, type SuspendedCell } from "./sandbox.ts";

const { sandbox, run, resume } = cellWorld();
const other = cellWorld();
afterAll(async () => {
  await Promise.all([sandbox.stop(), other.sandbox.stop()]);
});

const serverTool = (n: number): OfferedTool => ({
  name: `mcp__shop__lookup_${n}`,
  description: "",
  kind: "read_only",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string", description: "What to look for." }, limit: { type: "number" } },
    required: ["query"],
  },
  origin: { source: "mcp", owner: "shop", name: `lookup-${n}`, description: `Looks up row ${n} of the stock.` },
});
/** All that the process starts. */
const WORKERS = 16;
const parked = { call: () => ({ parked: true }) as const };

async function suspended(code: string, given?: Given): Promise<SuspendedCell> {
  const outcome = await run(code, given);
  if (outcome.status !== "suspended") throw new Error(`it was not suspended: ${JSON.stringify(outcome)}`);
  return outcome;
}
const valueOf = (outcome: CellOutcome): unknown =>
  outcome.status === "completed" ? JSON.parse(outcome.valueJson) : outcome;
const textsOf = ({ output }: CellOutcome): unknown[] => output.map((item) => (item.type === "text" ? item.text : item));

describe("a suspended cell", () => {
  it("[CM-05] 54, 159: goes on with the answer of its call, and the output of each stage appears once", async () => {
    const first = await suspended(
      "text('one'); const got = await tools.call('a:b:c', { x: 1 }); text('two'); return [got, typeof text]",
      parked,
    );
    expect(first).toMatchObject({
      reason: "pending_tools",
      pending: [{ callId: "c1", method: "call", target: "a:b:c", argsJson: '[{"x":1}]' }],
      calls: [{ callId: "c1", state: "started" }],
    });
    const { snapshot } = first;
    const second = await resume({ snapshot, answers: [{ callId: "c1", ok: true, json: '{"y":2}' }] });
    expect([textsOf(first), textsOf(second), valueOf(second)]).toEqual([["one"], ["two"], [{ y: 2 }, "function"]]);
    expect(second.calls).toEqual([{ callId: "c1", method: "call", target: "a:b:c", state: "ok" }]);
  });

  it("[CM-05] 21, 28: with a hundred and fifty tools of a server in it is stored in less than 64 KiB", async () => {
    const offers = Array.from({ length: 150 }, (_, n) => serverTool(n));
    const { cell: bindings } = createBindings(createCatalog(offers), []);
    const code = `const file = await API.read("mcp/shop.d.ts"); const found = await MCP.shop.lookup7({ query: "tea" });
      return [found, file.length > 10000, typeof MCP.shop.lookup149]`;
    const { snapshot } = await suspended(code, { ...parked, bindings });
    expect(snapshot.byteLength).toBeLessThan(64 * 1_024);
    const answers = [{ callId: "c1", ok: true, json: '"green"' }];
    expect(valueOf(await resume({ snapshot, answers }))).toEqual(["green", true, "function"]);
  });

  it("[CM-05] 55, 76: several suspensions in one program work, by yield_control too", async () => {
    const code = `let sum = 0; for (let n = 1; n <= 3; n++) { await yield_control('n ' + n); text(n); sum += await tools.call('t' + n).then((x) => x, () => 100) }
      return sum`;
    let outcome: CellOutcome = await run(code, parked);
    const seen: string[] = [];
    for (let rounds = 0; outcome.status === "suspended" && rounds < 10; rounds++) {
      const { snapshot, pending, reason } = outcome;
      seen.push(reason);
      const answers = pending.map(({ callId }) => ({
        callId,
        ok: callId !== "c2",
        json: callId === "c2" ? '"no"' : "5",
      }));
      outcome = await resume({ snapshot, answers }, parked);
    }
    expect([valueOf(outcome), seen]).toEqual([
      110,
      ["yield", "pending_tools", "yield", "pending_tools", "yield", "pending_tools"],
    ]);
    expect(outcome.calls.map(({ target, state }) => [target, state])).toEqual([
      ["t1", "ok"],
      ["t2", "error"],
      ["t3", "ok"],
    ]);
  });

  it("[CM-05] 56, 57: idle at the end of its time it waits; what still runs then has failed", async () => {
    const never = { call: () => new Promise<never>(() => undefined), timeoutMs: 100 };
    expect(await suspended("return await tools.call('slow')", never)).toMatchObject({ reason: "pending_tools" });
    const asleep = await suspended("await new Promise((done) => setTimeout(done, 150)); return 'awake'", {
      timeoutMs: 100,
    });
    expect(asleep.pending).toEqual([]);
    expect(valueOf(await resume({ snapshot: asleep.snapshot }))).toBe("awake");
    expect(await run("tools.call('slow'); while (true) await null", never)).toMatchObject({
      status: "failed",
      code: "timeout",
    });
  });

  it("[CM-05] 47: what a program left unawaited is given up when the time is over", async () => {
    const never = { call: () => new Promise<never>(() => undefined), timeoutMs: 100 };
    expect(await run("tools.call('slow'); return 5", never)).toMatchObject({
      status: "completed",
      valueJson: "5",
      calls: [{ target: "slow", state: "started" }],
    });
  });

  it("[CM-05] 58, 101: answers that come while it runs again are awaited, and calls that waited inside are made", async () => {
    const made: string[] = [];
    const code = "return await Promise.all(['a', 'b', 'c', 'd'].map((name) => tools.call(name)))";
    const first = await suspended(code, { ...parked, maxPendingToolCalls: 2 });
    expect(first.pending.map(({ target }) => target)).toEqual(["a", "b"]);
    expect(first.calls.map(({ target, state }) => `${target} ${state}`)).toEqual([
      "a started",
      "b started",
      "c not_started",
      "d not_started",
    ]);
    const second = await resume(
      {
        snapshot: first.snapshot,
        answers: [
          { callId: "c1", ok: true, json: '"A"' },
          { callId: "c9", ok: true, json: '"forged"' },
        ],
      },
      {
        call: ({ target }: CallRequest) => (made.push(target), ok(target.toUpperCase())),
        host: { answerOf: async (callId) => ok(`late ${callId}`) },
        maxPendingToolCalls: 2,
      },
    );
    expect([valueOf(second), made]).toEqual([
      ["A", "late c2", "C", "D"],
      ["c", "d"],
    ]);
  });

  it("[CM-05][CM-06] 67: is resumed in another process, and twice from one snapshot with other chance", async () => {
    const { snapshot } = await suspended(
      "const before = Math.random(); await yield_control(); return [before, Math.random()]",
    );
    const outcomes = [await other.resume({ snapshot }), await other.resume({ snapshot })];
    const [first, second] = outcomes.map(valueOf) as [number[], number[]];
    expect(first[0]).toBe(second[0]);
    expect(first[1]).not.toBe(second[1]);
  });

  it("[CM-05] 68: a timer that was armed fires once after the resume", async () => {
    const { snapshot } = await suspended(
      "let fired = 0; setTimeout(() => fired++, 1); await yield_control(); while (fired === 0) await new Promise((done) => setTimeout(done, 1)); await new Promise((done) => setTimeout(done, 5)); return fired",
    );
    expect(valueOf(await resume({ snapshot }))).toBe(1);
  });

  it("[CM-05] 28, 158: counts its stored form, and a typical one is small", async () => {
    const typical =
      "const rows = Array.from({ length: 200 }, (_, n) => ({ id: n, name: 'row ' + n })); const got = await tools.call('x'); return [rows.length, got]";
    expect((await suspended(typical, parked)).snapshot.length).toBeLessThan(65_536);
    const grown = "let big = new Array(1e5).fill('x'); big = null; await yield_control(); return 1";
    expect((await suspended(grown)).snapshot.length).toBeLessThan(400_000);
    expect(await run("text('kept'); await yield_control()", { maxSnapshotBytes: 1_024 })).toMatchObject({
      status: "failed",
      code: "snapshot_limit_exceeded",
      output: [{ text: "kept" }],
    });
  });

  it("[CM-05] 59: that needs more memory than it may now have is not restored", async () => {
    const { snapshot } = await suspended(
      "globalThis.big = new Uint8Array(6e6).fill(7); await yield_control(); return big.length",
    );
    expect(await resume({ snapshot }, { memoryLimitBytes: 1_048_576 })).toMatchObject({
      code: "memory_limit_exceeded",
    });
    expect(valueOf(await resume({ snapshot }))).toBe(6_000_000);
  });

  it("[CM-05][CM-06] 59, 66: changed, cut, swapped or of another run, session or key it is refused without harm", async () => {
    const { snapshot } = await suspended("await yield_control(); return 1");
    const changed = (at: number): Uint8Array => snapshot.map((byte, index) => (index === at ? byte ^ 1 : byte));
    const wrong: [string, Parameters<typeof resume>[0]][] = [
      ...[0, 5, 20, 40, snapshot.length - 1].map((at): [string, { snapshot: Uint8Array }] => [
        `byte ${at}`,
        { snapshot: changed(at) },
      ]),
      ["cut", { snapshot: snapshot.subarray(0, 100) }],
      ["empty", { snapshot: new Uint8Array(0) }],
      ["another run", { snapshot, runId: "run_2" }],
      ["another session", { snapshot, sessionId: "ses_2" }],
    ];
    for (const [why, order] of wrong) {
      expect([why, await resume(order)]).toMatchObject([why, { status: "failed", code: "snapshot_restore_failed" }]);
    }
    expect(valueOf(await resume({ snapshot }))).toBe(1);
    expect(Buffer.from(snapshot).includes("yield_control")).toBe(false);
  });

  it("[CM-05][CM-06] 58, 172: that waits for a worker gets the answers that came meanwhile", async () => {
    const { snapshot } = await suspended("return await tools.call('a:b:c')", parked);
    const asked = Array.from({ length: WORKERS }, () => Promise.withResolvers<void>());
    const release = Promise.withResolvers<void>();
    const call = (begun: () => void) => async () => (begun(), await release.promise, ok(1));
    const held = asked.map(({ resolve }) => run("return await tools.call('x:y:z')", { call: call(resolve) }));
    await Promise.all(asked.map(({ promise }) => promise));
    const answered = Promise.withResolvers<void>();
    const answerOf = async () => (setImmediate(answered.resolve), ok("meanwhile"));
    const waiting = resume({ snapshot }, { timeoutMs: 1_000, host: { answerOf } });
    await answered.promise;
    release.resolve();
    expect(valueOf(await waiting)).toBe("meanwhile");
    expect((await Promise.all(held)).map(valueOf)).toEqual(asked.map(() => 1));
  });

  it("[CM-05] 67: keeps an answer that came too late for the machine, and asks for it no second time", async () => {
    const sent: unknown[] = [];
    const host = cellHost({ call: () => ok("late") });
    const ledger = createCallLedger({ host, kept: undefined, send: (batch) => sent.push(batch) });
    ledger.take([["c1", "call", "a:b:c", "[]"]], 0);
    await expect.poll(() => sent.length).toBe(1);
    expect(ledger.kept(["c1"])).toEqual({
      receipts: [{ callId: "c1", method: "call", target: "a:b:c", state: "ok" }],
      pending: [],
      undelivered: [["c1", true, '"late"']],
    });
  });
});

describe("the process of the sandbox", () => {
  const limits = clampCellLimits({});
  const cell = { runId: "r", sessionId: "s", language: "javascript", bindings: NO_BINDINGS, limits };
  const started: GuestPipes[] = [];
  const processes = {
    launch: async (program: Parameters<typeof launchProgram>[0]) => {
      const pipes = await launchProgram(program);
      started.push(pipes);
      return pipes;
    },
  };

  it("[CM-06][GA-13] 120, 172: is started at the first cell, ended when it is idle, and started anew", async () => {
    const lazy = createSandbox({ processes, key: new Uint8Array(32), idleMs: 1 });
    expect(started).toEqual([]);
    await lazy.run({ ...cell, code: "return 1" }, cellHost());
    expect(started.length).toBe(1);
    expect(await started[0]?.exited).toContain("SIGKILL");
    expect(await lazy.run({ ...cell, code: "return 2" }, cellHost())).toMatchObject({ status: "completed" });
    await lazy.stop();
    expect(await started[1]?.exited).toContain("SIGKILL");
  });

  it("[CM-06][GA-13] 135: is launched behind the enclosure of guests, with the engine as the only file that it is lent", async () => {
    const launched: Parameters<typeof launchProgram>[0][] = [];
    const launch = (program: Parameters<typeof launchProgram>[0]): Promise<GuestPipes> => {
      launched.push(program);
      return Promise.reject(new Error("not here"));
    };
    const none = createSandbox({ processes: { launch }, key: new Uint8Array(32) });
    expect(await none.warm()).toBe(false);
    const [program] = launched;
    expect(program?.entry.pathname).toMatch(/guest\/code-host\.ts$/);
    expect(program?.readable).toEqual([expect.stringMatching(/quickjs\.wasm$/)]);
    expect(program?.args).toEqual([...(program?.readable ?? []), "5", "16"]); // where its lanes are
  });

  it("[CM-04][CM-06] 49, 124: answers workers with a lane of their own, those without one, and the one whose lane died with it", async () => {
    const one = createSandbox({ processes, key: new Uint8Array(32), lanes: 1 });
    const runOn = (code: string, given: Given = {}): Promise<CellOutcome> =>
      one.run({ ...cell, code, limits: clampCellLimits(given) }, cellHost(given));
    const call = ({ argsJson }: CallRequest) => ok(JSON.parse(argsJson)[0].n);
    const SUM =
      "let sum = 0; for (let n = 0; n < 4; n++) { text(n); sum += await tools.call('a:b:c', { n }); } return sum";
    const ended = async (count: number) => {
      const outcomes = await Promise.all(Array.from({ length: count }, () => runOn(SUM, { call })));
      return outcomes.map((outcome) => [valueOf(outcome), textsOf(outcome)]);
    };
    const sum = [6, ["0", "1", "2", "3"]];
    expect(await ended(3)).toEqual([sum, sum, sum]); // more than there are lanes
    const [lane] = started.at(-1)?.lanes ?? [];
    for (let round = 0; round < 10 && lane?.closed !== true; round++) {
      const stop = new AbortController();
      const host = { signal: stop.signal, output: () => stop.abort() };
      expect(await runOn("text('before'); while (true) {}", { host })).toMatchObject({
        code: "aborted",
        output: [{ type: "text", text: "before" }],
      });
    }
    await expect.poll(() => lane?.closed).toBe(true);
    expect(await ended(1)).toEqual([sum]);
    expect([lane?.closed, lane?.listenerCount("connect")]).toEqual([true, 0]);
    await one.stop();
  });

  it("[CM-01][CM-06] 9, 136: that dies fails its cells, and that cannot start is runtime_unavailable", async () => {
    const dying = createSandbox({ processes, key: new Uint8Array(32) });
    const host = cellHost({ host: { output: () => started.at(-1)?.kill() } });
    expect(await dying.run({ ...cell, code: "text(1); while (true) {}" }, host)).toMatchObject({
      code: "internal_error",
    });
    expect(await dying.run({ ...cell, code: "return 1" }, cellHost())).toMatchObject({ status: "completed" });
    await dying.stop();
    const absent = createSandbox({
      processes: { launch: () => Promise.reject(new Error("no process")) },
      key: new Uint8Array(32),
    });
    expect([await absent.warm(), await absent.run({ ...cell, code: "return 1" }, cellHost())]).toMatchObject([
      false,
      { status: "failed", code: "runtime_unavailable" },
    ]);
  });
});
