import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callWorld } from "../../test/kit/call-world.ts";
import { sessionId } from "../../test/kit/core.ts";
import { gate } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import type { TurnWorld } from "../../test/kit/turn-world.ts";
import type { PolicyQuestion, TrustedToolPolicy } from "../plugins/policy.ts";
import type { Tool, ToolContext, ToolOutput } from "../plugins/tool.ts";
import type { JsonObject } from "../protocol/json.ts";
import { CALL_MS_MAX, STOP_MS_MAX } from "./execute.ts";
import { POLICY_MS_MAX } from "./judge.ts";
import { RESULT_CHARS_MAX } from "./tool-result.ts";

const closed = { status: "closed" };

function tool(run: (args: JsonObject, context: ToolContext) => Promise<ToolOutput>, given: JsonObject = {}): Tool {
  const declared = {
    name: "probe",
    description: "",
    effect: "read",
    kind: "read_only",
    input: z.strictObject({}),
    run,
  };
  return { ...declared, ...given } as unknown as Tool;
}

const policy = (id: string, evaluate: (question: PolicyQuestion) => unknown): TrustedToolPolicy =>
  ({ id, description: "", evaluate }) as TrustedToolPolicy;
const allow = { verdict: "allow" };

async function eventTypes({ store }: Pick<TurnWorld, "store">): Promise<string[]> {
  return (await store.events({ cursor: 0, limit: 500 }))
    .map(({ event }) => event.type)
    .filter((type) => type.startsWith("call."));
}

describe("call pipeline", () => {
  it("names near tools for one that does not exist", async () => {
    const { call } = await callWorld();
    expect(await call("reed")).toEqual({
      end: closed,
      status: "error",
      content: 'There is no tool "reed" in this session. Did you mean read?',
    });
    expect(await call("launch_rockets")).toMatchObject({
      content:
        'There is no tool "launch_rockets" in this session. There are: apply_patch, edit, exec, glob, grep, process, read, write.',
    });
  });

  it("answers wrong arguments before anybody judges or runs them", async () => {
    const asked: string[] = [];
    const watch = policy("watch", ({ call }) => (asked.push(call.tool), allow));
    const { call } = await callWorld({ policies: [watch] });
    expect(await call("read", { path: "a", colour: "red" })).toMatchObject({ status: "error", end: closed });
    expect(asked).toEqual([]);
  });

  it("[GA-02] asks the trusted policies in order, and the first block wins", async () => {
    const asked: string[] = [];
    const refusal = {
      tool_name: "read",
      tool_kind: "read_only",
      hint: "",
      entered_at: null,
      entered_reason: null,
      rule: "no",
      matched: "all",
      message: "No.",
    };
    const { call } = await callWorld({
      policies: [
        policy("first", () => (asked.push("first"), allow)),
        policy("second", () => (asked.push("second"), { verdict: "block", refusal })),
        policy("third", () => (asked.push("third"), allow)),
      ],
    });
    expect(await call("read", { path: "a" })).toEqual({ end: closed, status: "refused", content: refusal });
    expect(asked).toEqual(["first", "second"]);
  });

  it("[GA-01] shows policies the session as it is stored at the call, not as it was before", async () => {
    const seen: unknown[] = [];
    const watch = policy("watch", ({ session }) => (seen.push(session.slices["gate"]), allow));
    const { call, must } = await callWorld({ policies: [watch] });
    await call("glob", { pattern: "*" });
    await must(gate({ do: "open" }));
    await call("glob", { pattern: "*" });
    expect(seen).toEqual([{ open: false }, { open: true }]);
  });

  it("hands policies the exact arguments that will run, frozen, with their digest", async () => {
    const questions: PolicyQuestion[] = [];
    const watch = policy("watch", (question) => (questions.push(question), allow));
    const { call } = await callWorld({ policies: [watch] });
    await call("glob", { pattern: "*" });
    expect(questions[0]?.call).toEqual({
      tool: "glob",
      kind: "read_only",
      effect: "read",
      callId: "call_1",
      args: { pattern: "*" },
      argsDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Object.isFrozen(questions[0]?.call.args)).toBe(true);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      "failed",
    ],
    ["rejects", () => Promise.reject(new Error("broken")), "failed"],
    ["answers nothing", () => undefined, `gave no verdict within ${POLICY_MS_MAX} ms`],
    ["answers null", () => null, "gave no readable verdict"],
    ["answers a bare word", () => "allow", "gave no readable verdict"],
    ["answers something else", () => ({ verdict: "maybe" }), "gave no readable verdict"],
    ["blocks without a reason", () => ({ verdict: "block" }), "gave no readable verdict"],
  ])("[GA-12] refuses the call when a policy %s", async (_what, evaluate, why) => {
    const { call, workspace } = await callWorld({ policies: [policy("gate-x", evaluate)] });
    expect(await call("write", { path: "a", content: "" })).toEqual({
      end: closed,
      status: "refused",
      content: {
        tool_name: "write",
        tool_kind: "file_edit",
        hint: "Try the call once more; if it is refused again, tell the person.",
        entered_at: null,
        entered_reason: null,
        rule: "gate-unavailable",
        matched: "gate-x",
        message: `write was not run: the gate could not judge it, because gate-x ${why}.`,
      },
    });
    expect(existsSync(join(workspace, "a"))).toBe(false);
  });

  it("[GA-12] refuses the call when a policy takes too long", async () => {
    const asked = Promise.withResolvers<void>();
    const slow = policy("slow", () => (asked.resolve(), new Promise(() => undefined)));
    const { call, clock } = await callWorld({ policies: [slow] });
    const calling = call("read", { path: "a" });
    await asked.promise;
    clock.advance(POLICY_MS_MAX);
    expect(await calling).toMatchObject({ status: "refused", content: { rule: "gate-unavailable", matched: "slow" } });
  });

  it("[GA-12] refuses the call when the store cannot be read", async () => {
    const world = await callWorld({ shared: true });
    await world.must(gate({ do: "open" }));
    const made = { callId: "x", tool: "write", args: { path: "a", content: "" } };
    await world.must({ type: "turn.say", turnId: world.turnId, epoch: world.epoch, text: "", calls: [made] });
    world.store.breakNext("session");
    const caller = { sessionId, turnId: world.turnId, epoch: world.epoch, signal: world.stop.signal };
    expect(await world.toolbox.call(made, caller)).toEqual(closed);
    expect((await world.entries()).at(-1)).toMatchObject({ status: "refused", content: { rule: "gate-unavailable" } });
    expect(existsSync(join(world.workspace, "a"))).toBe(false);
  });
});

describe("mutating call", () => {
  it("[GA-12] claims in the store before it starts, then runs and records", async () => {
    const claimed: unknown[] = [];
    const writing = tool(
      async (_args, context) => {
        const { turn } = await world.session();
        claimed.push(turn.status === "running" && turn.calls.find((item) => item.callId === context.callId)?.claimed);
        return { status: "ok", content: "written" };
      },
      { effect: "write", kind: "file_edit" },
    );
    const world = await callWorld({ tools: [writing] });
    await world.must(gate({ do: "open" }));
    expect(await world.call("probe")).toEqual({ end: closed, status: "ok", content: "written" });
    expect(claimed).toEqual([true]);
    expect(await eventTypes(world)).toEqual(["call.claimed", "call.closed"]);
  });

  it("[GA-07] is refused by the guard in the claim's own transaction, and the structured refusal is recorded", async () => {
    const world = await callWorld();
    expect(await world.call("write", { path: "a", content: "" })).toEqual({
      end: closed,
      status: "refused",
      content: {
        tool_name: "write",
        tool_kind: "file_edit",
        hint: "open the gate",
        entered_at: null,
        entered_reason: null,
        rule: "gate-closed",
        matched: "write",
        message: "The gate is closed.",
      },
    });
    expect(existsSync(join(world.workspace, "a"))).toBe(false);
    expect(await eventTypes(world)).toEqual(["call.refused", "call.closed"]);
  });

  it("[GA-01] is refused when the gate closes between the policies and the claim", async () => {
    const closing = policy("closing", async () => (await world.must(gate({ do: "close" })), allow));
    const world = await callWorld({ policies: [closing] });
    await world.must(gate({ do: "open" }));
    expect(await world.call("write", { path: "a", content: "" })).toMatchObject({ status: "refused" });
    expect(existsSync(join(world.workspace, "a"))).toBe(false);
  });

  it.each(["full", "unreachable"] as const)(
    "[GA-12] does not start when its claim is not stored (%s)",
    async (reason) => {
      const failing = policy("fail-the-claim", () => {
        world.store.failCommits({ reason, outcome: "unknown", message: "away" });
        return allow;
      });
      const world = await callWorld({ policies: [failing] });
      await world.must(gate({ do: "open" }));
      expect(await world.call("write", { path: "a", content: "" })).toMatchObject({
        end: closed,
        status: "refused",
        content: { rule: "gate-unavailable", matched: "the claim" },
      });
      expect(existsSync(join(world.workspace, "a"))).toBe(false);
    },
  );

  it("does not start once the turn is ending, and leaves the call open", async () => {
    const world = await callWorld();
    await world.must(gate({ do: "open" }));
    await world.must(gate({ do: "finish" }));
    expect(await world.call("write", { path: "a", content: "" })).toMatchObject({
      end: { status: "stopped", refusal: { code: "TURN_NOT_RUNNING" } },
    });
    expect(existsSync(join(world.workspace, "a"))).toBe(false);
  });

  it("does not start under an epoch that is over", async () => {
    const world = await callWorld();
    await world.must(gate({ do: "open" }));
    await world.must({
      type: "turn.say",
      turnId: world.turnId,
      epoch: world.epoch,
      text: "",
      calls: [{ callId: "x", tool: "write", args: {} }],
    });
    const made = { callId: "x", tool: "write", args: { path: "a", content: "" } };
    const caller = { sessionId, turnId: world.turnId, epoch: world.epoch - 1, signal: world.stop.signal };
    expect(await world.toolbox.call(made, caller)).toMatchObject({ refusal: { code: "LEASE_LOST" } });
    expect(existsSync(join(world.workspace, "a"))).toBe(false);
  });
});

describe("result", () => {
  it("is an error when the tool throws, and the cause goes to the log", async () => {
    const cause = new Error("boom");
    const world = await callWorld({ tools: [tool(() => Promise.reject(cause))] });
    expect(await world.call("probe")).toEqual({ end: closed, status: "error", content: "probe failed: boom" });
    expect(world.reports).toEqual([cause]);
  });

  it("is bounded and says how to see the rest", async () => {
    const world = await callWorld({
      tools: [tool(async () => ({ status: "ok", content: "x".repeat(RESULT_CHARS_MAX + 1) }))],
    });
    const { content } = await world.call("probe");
    expect(content).toBe(
      `${"x".repeat(RESULT_CHARS_MAX)}\n[cut here: ${RESULT_CHARS_MAX} of ${RESULT_CHARS_MAX + 1} characters are shown; ask for a smaller part (a line range, a narrower pattern or path) to see the rest]`,
    );
  });

  it("keeps nothing that a store cannot keep", async () => {
    const world = await callWorld({
      tools: [tool(async () => ({ status: "ok", content: { "a\u0000": "b\u0000\ud800" } }))],
    });
    expect(await world.call("probe")).toMatchObject({ content: { "a\u2400": "b\u2400\ufffd" } });
  });

  it("is an error when it is no plain data", async () => {
    const odd = { status: "ok", content: () => 1 } as unknown as ToolOutput;
    const world = await callWorld({ tools: [tool(async () => odd)] });
    expect(await world.call("probe")).toMatchObject({ status: "error" });
  });

  it("is recorded in the end although the store was away for a while", async () => {
    const world = await callWorld({
      tools: [
        tool(async () => {
          world.store.failCommits({ reason: "unreachable", outcome: "nothing-written", message: "away" }, 2);
          return { status: "ok", content: "kept" };
        }),
      ],
    });
    const calling = world.call("probe");
    for (let tries = 0; tries < 2; tries++) {
      await quiet();
      world.clock.advance(10_000);
    }
    expect(await calling).toEqual({ end: closed, status: "ok", content: "kept" });
  });

  it("is given up when the store stays away, so that the call becomes unknown and is not run again", async () => {
    const world = await callWorld({
      tools: [
        tool(async () => {
          world.store.failCommits({ reason: "unreachable", outcome: "nothing-written", message: "away" }, 99);
          return { status: "ok", content: "lost" };
        }),
      ],
    });
    const calling = world.call("probe");
    for (let tries = 0; tries < 6; tries++) {
      await quiet();
      world.clock.advance(10_000);
    }
    expect(await calling).toMatchObject({ end: { status: "stopped", refusal: { code: "STORE_UNAVAILABLE" } } });
  });
});

describe("stopping", () => {
  it("[RT-04] hands the stop to the running tool", async () => {
    const world = await callWorld({
      tools: [
        tool(async (_args, { signal }) => {
          world.stop.abort();
          return { status: "error", content: signal.aborted ? "stopped" : "deaf" };
        }),
      ],
    });
    expect(await world.call("probe")).toEqual({ end: closed, status: "error", content: "stopped" });
  });

  it.each([
    ["read", "error", "probe was stopped."],
    [
      "write",
      "unknown",
      "probe was stopped and did not answer. Whether it took effect is unknown: look before you repeat it.",
    ],
  ])("gives up a %s call that ignores the stop, as %s", async (effect, status, content) => {
    const begun = Promise.withResolvers<void>();
    const deaf = tool(() => (begun.resolve(), new Promise(() => undefined)), { effect });
    const world = await callWorld({ tools: [deaf] });
    await world.must(gate({ do: "open" }));
    const calling = world.call("probe");
    await begun.promise;
    world.stop.abort();
    world.clock.advance(STOP_MS_MAX);
    expect(await calling).toEqual({ end: closed, status, content });
  });

  it("ends a tool that never ends", async () => {
    const begun = Promise.withResolvers<void>();
    const world = await callWorld({ tools: [tool(() => (begun.resolve(), new Promise(() => undefined)))] });
    const calling = world.call("probe");
    await begun.promise;
    world.clock.advance(CALL_MS_MAX + STOP_MS_MAX);
    expect(await calling).toMatchObject({ status: "error" });
  });
});

describe("state tool", () => {
  const stateTool = (toCommand: () => Promise<unknown>): Tool =>
    ({
      name: "probe",
      description: "",
      effect: "state",
      kind: "read_only",
      slice: "gate",
      input: z.strictObject({}),
      toCommand,
    }) as unknown as Tool;

  it("commits its change and its result together", async () => {
    const world = await callWorld({ tools: [stateTool(async () => ({ command: { do: "open" } }))] });
    expect(await world.call("probe")).toEqual({ end: closed, status: "ok", content: { did: "open" } });
    expect((await world.session()).slices["gate"]).toEqual({ open: true });
  });

  it("answers the slice's refusal as an error that the model can act on", async () => {
    const world = await callWorld({ tools: [stateTool(async () => ({ command: { do: "refuse", why: "not now" } }))] });
    expect(await world.call("probe")).toEqual({
      end: closed,
      status: "error",
      content: { error: "INVALID_REQUEST", message: "not now" },
    });
  });

  it.each([
    ["an error", async () => ({ error: "name a file" }), "name a file"],
    ["a failure", () => Promise.reject(new Error("disk")), "probe failed; nothing was changed."],
  ])("answers %s in resolving its arguments", async (_what, toCommand, content) => {
    const world = await callWorld({ tools: [stateTool(toCommand)] });
    expect(await world.call("probe")).toEqual({ end: closed, status: "error", content });
  });

  it("is judged by the policies like every call", async () => {
    const block = policy("no", () => {
      throw new Error("no");
    });
    const world = await callWorld({ tools: [stateTool(async () => ({ command: { do: "open" } }))], policies: [block] });
    expect(await world.call("probe")).toMatchObject({ status: "refused" });
    expect((await world.session()).slices["gate"]).toEqual({ open: false });
  });
});

it("runs a real edit through the whole pipeline", async () => {
  const world = await callWorld();
  writeFileSync(join(world.workspace, "a.txt"), "one");
  await world.must(gate({ do: "open" }));
  expect(await world.call("edit", { path: "a.txt", oldText: "one", newText: "two" })).toMatchObject({ status: "ok" });
  expect(readFileSync(join(world.workspace, "a.txt"), "utf8")).toBe("two");
});
