import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { alice, sessionId } from "../../test/kit/core.ts";
import { gate } from "../../test/kit/engine.ts";
import { answer, calls, counter, opened, stopOf, told, world } from "../../test/kit/scripted-turn.ts";
import type { Tool } from "../plugins/tool.ts";
import { MessageId, TurnId } from "../protocol/ids.ts";
import { MODEL_REQUESTS_MAX, TURN_SETTINGS, TurnSettings } from "../protocol/settings/turn-settings.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import type { Store } from "../store/store.ts";
import { TURN_ATTEMPTS_MAX } from "./run-turn.ts";

describe("turn", () => {
  it("records the input, streams, says and finishes", async () => {
    const { send, settle, model, deltas, session, ...rest } = await opened([{ say: ["Hel", "lo."] }]);
    await send("hi");
    expect(await settle()).toEqual(["done"]);
    expect(await told(rest)).toEqual(["input: hi", "says: Hello. []"]);
    expect(deltas).toEqual(["Hel", "lo."]);
    expect((await session()).turn).toEqual({ status: "idle" });
    expect(model.requests[0]?.entries.map((entry) => entry.kind)).toEqual(["input"]);
    expect(model.requests[0]?.tools).toEqual(rest.toolbox.catalog(await session()));
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

  it("reads each entry of its conversation once, however often it asks the model", async () => {
    const inner = openMemoryStore();
    const read: number[] = [];
    const entries: Store["entries"] = async (range) => {
      const found = await inner.entries(range);
      read.push(...found.flatMap(({ event }) => (event.type === "entry.appended" ? [event.n] : [])));
      return found;
    };
    const { send, settle, model } = await opened([calls("glob"), calls("glob"), answer("done")], {
      store: { ...inner, entries },
    });
    await send("go");
    await settle();
    const kinds = model.requests[2]?.entries.map((entry) => entry.kind);
    expect(kinds).toEqual(["input", "assistant", "result", "assistant", "result"]);
    expect(read).toEqual([...new Set(read)]);
  });

  it("[UI-01] shows the model what a person attached, and names it in words", async () => {
    const { engine, settle, model, ...rest } = await opened([answer("a screen")]);
    const ref = { id: "att_1", name: "screen.png", mediaType: "image/png", size: 3 };
    const attachments = [{ ...ref, bytes: "AAAA", digest: "d" }];
    const message = { type: "message.send", messageId: MessageId.parse("msg_a"), text: "look", attachments } as const;
    await engine.dispatch(sessionId, message, { actor: alice });
    await settle();
    expect(await told(rest)).toEqual(["input: look\n(attached: screen.png, image/png, 3 bytes)", "says: a screen []"]);
    expect(model.requests[0]?.pictures).toEqual(new Map([["att_1", { ...ref, bytes: "AAAA" }]]));
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
    const made = await opened([calls("finish", "glob", "count")], { tools: [tool, ending as unknown as Tool] });
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    expect(runs).toEqual([]);
    expect(await told(made)).toEqual([
      "input: go",
      "says:  [finish, glob, count]",
      "finish: ok",
      "glob: skipped",
      "count: skipped",
    ]);
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
    const made = await opened((_, n) => ({ calls: [{ tool: "glob", args: { pattern: `${n}*` } }] }));
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    expect(made.model.requests).toHaveLength(MODEL_REQUESTS_MAX);
    expect((await told(made)).at(-1)).toContain("and was stopped. Say how to go on.");
  });

  it("[AU-05] that nobody attends asks the model no more often than the settings say; a person's turn does", async () => {
    const settings = { [TURN_SETTINGS]: TurnSettings.parse({ autoContinue: { maxIterations: 3 } }) };
    const made = await opened(
      (_, n) => (n < 8 ? { calls: [{ tool: "glob", args: { pattern: `${n}*` } }] } : answer("done")),
      { settings },
    );
    const injection = { id: "i", kind: "test", text: "go on", priority: 1, createdAtMs: 0 };
    const by = { actor: { kind: "system", reason: "test" } } as const;
    await made.engine.dispatch(sessionId, { type: "injection.add", injection, wake: true }, by);
    await made.settle();
    expect(made.model.requests).toHaveLength(3);
    expect((await told(made)).at(-1)).toContain("3 times in one turn");
    await made.send("go");
    await made.settle();
    expect(made.model.requests.length).toBeGreaterThan(7);
    expect((await told(made)).at(-1)).toBe("says: done []");
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
    const { tool, runs, begun } = counter(({ signal }) => stopOf(signal));
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
    const after = await world([answer("One outcome is unknown")], {
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
      "says: One outcome is unknown []",
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

it("edits a real file through the loop", async () => {
  const edit = { tool: "edit", args: { path: "a.txt", oldText: "one", newText: "two" } };
  const made = await opened([{ calls: [edit] }, answer("done")]);
  writeFileSync(join(made.workspace, "a.txt"), "one");
  await made.send("go");
  await made.settle();
  expect(existsSync(join(made.workspace, "a.txt")) && readFileSync(join(made.workspace, "a.txt"), "utf8")).toBe("two");
});
