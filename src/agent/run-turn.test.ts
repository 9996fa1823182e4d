import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sessionId } from "../../test/kit/core.ts";
import { gate } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import { scriptedModel, type ScriptStep } from "../../test/kit/scripted-model.ts";
import { turnWorld, type TurnWorld, type TurnWorldGiven } from "../../test/kit/turn-world.ts";
import type { Tool, ToolContext } from "../plugins/tool.ts";
import { TurnId } from "../protocol/ids.ts";
import { MODEL_RETRIES_MAX, MODEL_SILENCE_MS_MAX } from "./ask-model.ts";
import { DRAIN_CALL_MS_MAX, LEASE_MS } from "./lease.ts";
import { MODEL_REQUESTS_MAX, TURN_ATTEMPTS_MAX } from "./run-turn.ts";

type Script = Parameters<typeof scriptedModel>[0];

async function world(script: Script, given: Omit<TurnWorldGiven, "model"> = {}) {
  const model = scriptedModel(script);
  const made = turnWorld({ ...given, model });
  return { ...made, model };
}

async function opened(script: Script, given: Omit<TurnWorldGiven, "model"> = {}) {
  const made = await world(script, given);
  await made.open();
  await made.must(gate({ do: "open" }));
  return made;
}

/** The transcript without ids that change from run to run. */
async function told({ entries }: Pick<TurnWorld, "entries">): Promise<string[]> {
  return (await entries()).map((entry) => {
    switch (entry.kind) {
      case "input":
        return `input: ${entry.text}`;
      case "assistant":
        return `says: ${entry.text} [${entry.calls.map((call) => call.tool).join(", ")}]`;
      case "result":
        return `${entry.tool}: ${entry.status}`;
      case "notice":
        return `notice: ${entry.text}`;
    }
  });
}

/** A mutating tool that counts its runs and can be held inside. */
function counter(inside: (context: ToolContext) => Promise<unknown> = async () => undefined) {
  const runs: string[] = [];
  const begun = Promise.withResolvers<void>();
  const tool = {
    name: "count",
    description: "",
    effect: "write",
    kind: "file_edit",
    input: z.strictObject({}),
    async run(_args: unknown, context: ToolContext) {
      runs.push(context.callId);
      begun.resolve();
      await inside(context);
      return { status: "ok", content: runs.length } as const;
    },
  };
  return { tool: tool as unknown as Tool, runs, begun: begun.promise };
}

const answer = (text: string): ScriptStep => ({ say: text });
const calls = (...tools: string[]): ScriptStep => ({ calls: tools.map((tool) => ({ tool })) });

describe("turn", () => {
  it("records the input, streams, says and finishes", async () => {
    const { send, settle, model, deltas, session, ...rest } = await opened([{ say: ["Hel", "lo."] }]);
    await send("hi");
    expect(await settle()).toEqual(["done"]);
    expect(await told(rest)).toEqual(["input: hi", "says: Hello. []"]);
    expect(deltas).toEqual(["Hel", "lo."]);
    expect((await session()).turn).toEqual({ status: "idle" });
    expect(model.requests[0]?.entries.map((entry) => entry.kind)).toEqual(["input"]);
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual([
      "edit",
      "exec",
      "glob",
      "grep",
      "read",
      "write",
    ]);
  });

  it("makes the calls one by one and shows the model their results", async () => {
    const { tool, runs } = counter();
    const { send, settle, model, ...rest } = await opened([calls("count", "count"), answer("both done")], {
      tools: [tool],
    });
    await send("go");
    expect(await settle()).toEqual(["done"]);
    expect(runs).toEqual(["call_1_1", "call_1_2"]);
    expect(await told(rest)).toEqual([
      "input: go",
      "says:  [count, count]",
      "count: ok",
      "count: ok",
      "says: both done []",
    ]);
    expect(model.requests[1]?.entries.map((entry) => entry.kind)).toEqual(["input", "assistant", "result", "result"]);
  });

  it("[IN-05] sends the same system text and catalog bytes with every request", async () => {
    const { send, settle, model } = await opened([calls("glob"), answer("one"), answer("two")]);
    await send("a");
    await settle();
    await send("b");
    await settle();
    const sent = model.requests.map(({ system, tools }) => JSON.stringify({ system, tools }));
    expect(new Set(sent).size).toBe(1);
  });

  it("gives ids that a model uses twice a number, so that results find their calls", async () => {
    const twice = { calls: [{ tool: "glob", args: { pattern: "*" }, callId: "0" }] };
    const { send, settle, entries } = await opened([twice, twice, answer("ok")]);
    await send("go");
    await settle();
    const ids = (await entries()).flatMap((entry) => (entry.kind === "result" ? [entry.callId] : []));
    expect(ids).toEqual(["0", "0-2"]);
  });

  it("[GA-01] lets a gate that closes in mid-turn take effect at the next call", async () => {
    const { tool, runs } = counter(async () => void (await made.must(gate({ do: "close" }))));
    const made = await opened([calls("count", "count"), answer("ok")], { tools: [tool] });
    await made.send("go");
    await made.settle();
    expect(runs).toEqual(["call_1_1"]);
    expect(await told(made)).toEqual([
      "input: go",
      "says:  [count, count]",
      "count: ok",
      "count: refused",
      "says: ok []",
    ]);
  });

  it("[PL-05] asks the model no more and makes no further call once a call has ended the turn", async () => {
    const ending = {
      name: "finish",
      description: "",
      effect: "state",
      kind: "read_only",
      slice: "gate",
      input: z.strictObject({}),
      toCommand: async () => ({ command: { do: "finish" } }),
    };
    const { tool, runs } = counter();
    const made = await opened([calls("finish", "count")], { tools: [tool, ending as unknown as Tool] });
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    expect(runs).toEqual([]);
    expect(await told(made)).toEqual(["input: go", "says:  [finish, count]", "finish: ok", "count: skipped"]);
  });

  it("runs a message that came in meanwhile as the next turn", async () => {
    const hold = Promise.withResolvers<void>();
    const made = await opened([{ say: "one", until: hold.promise }, answer("two")]);
    await made.send("first");
    const settling = made.settle();
    await made.model.asked(1);
    await made.send("second");
    hold.resolve();
    expect(await settling).toEqual(["done", "done"]);
    expect(await told(made)).toEqual(["input: first", "says: one []", "input: second", "says: two []"]);
  });

  it("answers for a turn that is over, or in no session, that there is nothing to do", async () => {
    const made = await opened([answer("ok")]);
    const turnId = await made.send("hi");
    await made.settle();
    expect(await made.runner.run(sessionId, turnId)).toBe("done");
    expect(await made.runner.run(sessionId, TurnId.parse("trn_other"))).toBe("done");
    await made.must({ type: "session.delete" });
    expect(await made.runner.run(sessionId, turnId)).toBe("done");
  });

  it("runs a turn once although it is asked for twice at the same time", async () => {
    const made = await opened([answer("ok")]);
    const turnId = await made.send("hi");
    expect(await Promise.all([made.runner.run(sessionId, turnId), made.runner.run(sessionId, turnId)])).toEqual([
      "done",
      "done",
    ]);
    expect(made.model.requests).toHaveLength(1);
  });

  it("stops an agent that never stops asking", async () => {
    const made = await opened(() => calls("glob"));
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    expect(made.model.requests).toHaveLength(MODEL_REQUESTS_MAX);
    expect((await told(made)).at(-1)).toContain("and was stopped. Say how to go on.");
  });
});

describe("model failure", () => {
  const busy = { fail: { message: "The model is busy.", retry: true } };

  async function passTime(
    { clock, model }: Pick<Awaited<ReturnType<typeof opened>>, "clock" | "model">,
    requests: number,
  ) {
    for (let n = 1; n <= requests; n++) {
      await model.asked(n);
      await quiet();
      clock.advance(9_000);
    }
  }

  it("asks again, later and later, while the model says that it may work", async () => {
    const made = await opened([busy, { say: "half", breakOff: true }, answer("whole")]);
    await made.send("hi");
    const settling = made.settle();
    await passTime(made, 2);
    expect(await settling).toEqual(["done"]);
    expect(await told(made)).toEqual(["input: hi", "says: whole []"]);
    expect(made.deltas).toEqual(["half", "\n[the answer broke off; asking again]\n", "whole"]);
  });

  it("gives up after its last attempt and tells the person", async () => {
    const made = await opened(() => busy);
    await made.send("hi");
    const settling = made.settle();
    await passTime(made, MODEL_RETRIES_MAX);
    expect(await settling).toEqual(["done"]);
    expect(made.model.requests).toHaveLength(MODEL_RETRIES_MAX + 1);
    expect(await told(made)).toEqual(["input: hi", "notice: The model is busy."]);
  });

  it("does not ask again what cannot work", async () => {
    const made = await opened([{ fail: { message: "The key is wrong.", retry: false } }]);
    await made.send("hi");
    await made.settle();
    expect(await told(made)).toEqual(["input: hi", "notice: The key is wrong."]);
  });

  it("does not show the person the words of a fault of our own", async () => {
    const fault = new TypeError("x is not a function");
    const made = await opened([{ fail: fault }]);
    await made.send("hi");
    await made.settle();
    expect((await told(made)).at(-1)).toBe(
      "notice: The model could not be asked because of a fault in the gateway. The log tells more.",
    );
    expect(made.reports).toEqual([fault]);
  });

  it("takes silence for a failure", async () => {
    const made = await opened([{ until: new Promise(() => undefined), deaf: true }, answer("awake")]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    await quiet();
    for (let waited = 0; waited < MODEL_SILENCE_MS_MAX + 20_000; waited += LEASE_MS / 3) {
      made.clock.advance(LEASE_MS / 3); // in pieces, so that the lease is renewed on the way
      await quiet();
    }
    expect(await settling).toEqual(["done"]);
    expect(await told(made)).toEqual(["input: hi", "says: awake []"]);
  });

  it("tells the person when the answer was cut short", async () => {
    const made = await opened([{ say: "and then", reason: "length" }]);
    await made.send("hi");
    await made.settle();
    expect((await told(made)).slice(1)).toEqual([
      "says: and then []",
      "notice: The model reached the limit of one answer; its last words may be missing.",
    ]);
  });

  it("refuses an answer without end", async () => {
    const made = await opened([{ say: Array.from({ length: 21 }, () => "x".repeat(10_000)) }]);
    await made.send("hi");
    await made.settle();
    expect((await told(made)).at(-1)).toBe("notice: The model's answer was longer than one answer may be.");
  });
});

describe("abort", () => {
  it("[RT-04] stops the model at once and keeps what it had said", async () => {
    const made = await opened([{ say: "I was about to", until: new Promise(() => undefined), deaf: true }]);
    await made.send("go");
    const settling = made.settle();
    await expect.poll(() => made.deltas).toEqual(["I was about to"]);
    await made.must({ type: "turn.abort" });
    expect(await settling).toEqual(["done"]);
    expect(await told(made)).toEqual(["input: go", "says: I was about to []"]);
    expect((await made.session()).turn).toEqual({ status: "idle" });
  });

  it("[RT-04] stops the running tool too, and makes no further call", async () => {
    const { tool, runs, begun } = counter(
      ({ signal }) => new Promise((resolve) => void signal.addEventListener("abort", resolve)),
    );
    const made = await opened([calls("count", "count")], { tools: [tool] });
    await made.send("go");
    const settling = made.settle();
    await begun;
    await made.must({ type: "turn.abort" });
    expect(await settling).toEqual(["done"]);
    expect(runs).toEqual(["call_1_1"]);
    expect(await told(made)).toEqual(["input: go", "says:  [count, count]", "count: ok", "count: skipped"]);
  });
});

describe("crash", () => {
  it("[RT-03] never runs a claimed call again, tells the agent that its outcome is unknown, and goes on", async () => {
    const first = counter(() => new Promise(() => undefined));
    const before = await opened([calls("count", "count")], { tools: [first.tool] });
    await before.send("go");
    void before.settle();
    await first.begun;

    const second = counter();
    const after = await world([answer("I will look first")], {
      tools: [second.tool],
      store: before.store,
      clock: before.clock,
      node: "node-2",
      workspace: before.workspace,
    });
    expect(await after.settle()).toEqual(["done"]);
    expect(second.runs).toEqual(["call_1_2"]); // the one that had not been claimed
    expect(await told(after)).toEqual([
      "input: go",
      "says:  [count, count]",
      "count: unknown",
      "notice: A call of count was under way when the gateway stopped. Its outcome is unknown and it was not repeated.",
      "count: ok",
      "says: I will look first []",
    ]);
    expect(after.model.requests[0]?.entries.map((entry) => entry.kind === "result" && entry.status)).toEqual([
      false,
      false,
      "unknown",
      "ok",
    ]);
  });

  it("[IN-03] gives the turn that is retried exactly the same input", async () => {
    const before = await opened([{ until: new Promise(() => undefined) }]);
    await before.must(gate({ do: "tell" }));
    await before.send("and this");
    void before.settle();
    const lost = await before.model.asked(1);

    const after = await world([answer("ok")], { store: before.store, clock: before.clock, node: "node-2" });
    expect(await after.settle()).toEqual(["done"]);
    expect(after.model.requests[0]?.entries).toEqual(lost.entries);
    expect(lost.entries[0]).toMatchObject({ kind: "input", text: "The gate has spoken.\n\nand this" });
  });

  it("asks the model nothing when it had had its last word", async () => {
    const before = await opened([]);
    const turnId = await before.send("hi");
    await before.must({ type: "turn.start", turnId, node: "node-1", leaseUntilMs: 1, sole: true });
    const { epoch } = await before.session();
    await before.must({ type: "turn.say", turnId, epoch, text: "bye", calls: [] });

    const after = await world([], { store: before.store, clock: before.clock, node: "node-2" });
    expect(await after.settle()).toEqual(["done"]);
    expect(await told(after)).toEqual(["input: hi", "says: bye []"]);
  });

  it("gives up a turn that never comes to its end", async () => {
    const made = await opened([]);
    const turnId = await made.send("hi");
    for (let attempt = 0; attempt < TURN_ATTEMPTS_MAX; attempt++) {
      await made.must({ type: "turn.start", turnId, node: "node-1", leaseUntilMs: 1, sole: true });
    }
    expect(await made.settle()).toEqual(["done"]);
    expect((await told(made)).at(-1)).toContain("so it was given up");
  });
});

describe("lease", () => {
  it("[SC-02] is renewed while the turn runs", async () => {
    const hold = Promise.withResolvers<void>();
    const made = await opened([{ until: hold.promise }]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    made.clock.advance(LEASE_MS / 3);
    await expect
      .poll(async () => {
        const { turn } = await made.session();
        return turn.status === "running" && turn.leaseUntilMs;
      })
      .toBe(made.clock.now() + LEASE_MS);
    hold.resolve();
    expect(await settling).toEqual(["done"]);
    expect(made.clock.alarms).toEqual([]); // nothing keeps ticking afterwards
  });

  it("[SC-02] leaves a turn alone that another node holds, and takes it over when its time is up", async () => {
    const hold = Promise.withResolvers<void>();
    const first = await opened([{ until: hold.promise }], { sole: false, shared: true });
    await first.send("hi");
    void first.settle();
    await first.model.asked(1);
    const second = await world([answer("mine now")], {
      store: first.store,
      clock: first.clock,
      node: "node-2",
      sole: false,
      shared: true,
    });
    expect(await second.settle()).toEqual(["later"]);
    first.store.failCommits({ reason: "unreachable", outcome: "nothing-written", message: "cut off" }, 3);
    for (let third = 0; third < 3; third++) {
      first.clock.advance(LEASE_MS / 3);
      await quiet();
    }
    expect(await second.settle()).toEqual(["done"]);
    expect((await told(second)).at(-1)).toBe("says: mine now []");
  });

  it("[SC-02] that is lost stops everything at once and writes nothing more", async () => {
    const { tool, begun } = counter(
      ({ signal }) => new Promise((resolve) => void signal.addEventListener("abort", resolve)),
    );
    const first = await opened([calls("count"), answer("never said")], { tools: [tool] });
    const turnId = await first.send("go");
    const settling = first.settle();
    await begun;
    await first.must({ type: "turn.start", turnId, node: "node-2", leaseUntilMs: 1, sole: true });
    expect(await settling).toEqual(["later"]);
    expect(await told(first)).toEqual([
      "input: go",
      "says:  [count]",
      "count: unknown",
      "notice: A call of count was under way when the gateway stopped. Its outcome is unknown and it was not repeated.",
    ]);
  });

  it("[SC-02] ends by itself when the store cannot be reached for as long as it lasts", async () => {
    const made = await opened([{ until: new Promise(() => undefined) }]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    made.store.failCommits({ reason: "unreachable", outcome: "nothing-written", message: "away" }, 9);
    for (let third = 0; third < 3; third++) {
      made.clock.advance(LEASE_MS / 3);
      await quiet();
    }
    expect(await settling).toEqual(["later"]);
  });
});

describe("drain", () => {
  it("[GW-05] breaks the model off, leaves the turn as it is, and the next start resumes it", async () => {
    const made = await opened([{ say: "half", until: new Promise(() => undefined), deaf: true }]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    await made.runner.drain();
    expect(await settling).toEqual(["later"]);
    expect(made.runner.running()).toBe(0);
    expect((await made.session()).turn.status).toBe("running");
    expect(await made.settle()).toEqual(["later"]); // takes nothing on any more

    const next = await world([answer("whole")], { store: made.store, clock: made.clock, node: "node-2" });
    expect(await next.settle()).toEqual(["done"]);
    expect(await told(next)).toEqual(["input: hi", "says: whole []"]);
  });

  it("[GW-05] lets a running call end, records it, and begins no other", async () => {
    const hold = Promise.withResolvers<void>();
    const { tool, runs, begun } = counter(() => hold.promise);
    const made = await opened([calls("count", "count")], { tools: [tool] });
    await made.send("go");
    const settling = made.settle();
    await begun;
    const draining = made.runner.drain();
    hold.resolve();
    await draining;
    expect(await settling).toEqual(["later"]);
    expect(runs).toEqual(["call_1_1"]);
    expect(await told(made)).toEqual(["input: go", "says:  [count, count]", "count: ok"]);
  });

  it("[GW-05] stops a call that takes too long and records what is known", async () => {
    const { tool, begun } = counter(
      ({ signal }) => new Promise((resolve) => void signal.addEventListener("abort", resolve)),
    );
    const made = await opened([calls("count")], { tools: [tool] });
    await made.send("go");
    const settling = made.settle();
    await begun;
    const draining = made.runner.drain();
    made.clock.advance(DRAIN_CALL_MS_MAX);
    await draining;
    expect(await settling).toEqual(["later"]);
    expect((await told(made)).at(-1)).toBe("count: ok");
  });

  it("[GW-05] is not delayed when nothing runs", async () => {
    const made = await opened([]);
    await made.runner.drain();
    expect(made.runner.running()).toBe(0);
  });
});

it("edits a real file through the loop", async () => {
  const edit = { tool: "edit", args: { path: "a.txt", oldText: "one", newText: "two" } };
  const made = await opened([{ calls: [edit] }, answer("done")]);
  writeFileSync(join(made.workspace, "a.txt"), "one");
  await made.send("go");
  await made.settle();
  expect(existsSync(join(made.workspace, "a.txt")) && readFileSync(join(made.workspace, "a.txt"), "utf8")).toBe("two");
});
