/** What a trusted policy may say besides yes and no: other arguments, or a person's word. And who is asked after the claim. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callWorld } from "../../test/kit/call-world.ts";
import { sessionId } from "../../test/kit/core.ts";
import { gate } from "../../test/kit/engine.ts";
import { gatePlugin } from "../../test/kit/turn-world.ts";
import type { PermissionQuestion, PolicyQuestion, TrustedToolPolicy } from "../plugins/policy.ts";
import type { Permit, Plugin } from "../plugins/sdk.ts";
import type { ToolHooks } from "../plugins/tool-hooks.ts";
import type { Tool, ToolContext } from "../plugins/tool.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import { gateUnavailable } from "./judge.ts";

const closed = { status: "closed" };
const allow = { verdict: "allow" };

const policy = (id: string, evaluate: (question: PolicyQuestion) => unknown): TrustedToolPolicy =>
  ({ id, description: "", evaluate }) as TrustedToolPolicy;

/** A tool that answers what it is given to answer, and keeps what it was run with. */
function probe(effect: "read" | "write", content: Json = "ran") {
  const ran: { args: JsonObject; permit: Permit | undefined }[] = [];
  const tool = {
    name: "probe",
    description: "",
    effect,
    kind: effect === "read" ? "read_only" : "file_edit",
    input: z.strictObject({ path: z.string() }),
    run: async (args: JsonObject, _context: ToolContext, permit: Permit | undefined) => {
      ran.push({ args, permit });
      return { status: "ok", content } as const;
    },
  };
  return { tool: tool as unknown as Tool, ran };
}

/** Wants `path` to be this many letters longer than it came. */
const lengthening = (letters: number): TrustedToolPolicy =>
  policy("longer", ({ call }) => {
    const { path } = z.object({ path: z.string() }).parse(call.args);
    return path.length > letters ? allow : { verdict: "rewrite", args: { path: `${path}x` }, reason: "too short" };
  });

describe("a call with other arguments than the model's", () => {
  it("[GA-02, PG-04] is judged again from the start, stored, run and told in its new form", async () => {
    const { tool, ran } = probe("write");
    const judged: unknown[] = [];
    const watch = policy("watch", ({ call }) => (judged.push([call.args, call.argsDigest]), allow));
    const world = await callWorld({ tools: [tool], policies: [watch, lengthening(1)] });
    await world.must(gate({ do: "open" }));
    expect(await world.call("probe", { path: "a" })).toEqual({
      end: closed,
      status: "ok",
      content: 'ran\n[This call was changed by longer before it ran (too short); it ran with {"path":"ax"}]',
    });
    expect(judged).toEqual([
      [{ path: "a" }, expect.any(String)],
      [{ path: "ax" }, ran[0]?.permit?.argsDigest],
    ]);
    expect(ran.map(({ args }) => args)).toEqual([{ path: "ax" }]);
    const facts = (await world.store.events({ cursor: 0, limit: 500 })).map(({ event }) => event);
    expect(facts.filter(({ type }) => type === "call.rewritten")).toMatchObject([
      { callId: "call_1", args: { path: "ax" }, argsDigest: ran[0]?.permit?.argsDigest, by: "longer" },
    ]);
  });

  it.each<[Json, Json]>([
    [{ a: 1 }, { a: 1, changed: expect.stringContaining("changed by longer") }],
    [["a"], { result: ["a"], changed: expect.stringContaining("changed by longer") }],
    [null, { result: null, changed: expect.stringContaining("changed by longer") }],
    [7, { result: 7, changed: expect.stringContaining("changed by longer") }],
  ])("[PG-04] says so beside any kind of result: %j", async (content, expected) => {
    const world = await callWorld({ tools: [probe("read", content).tool], policies: [lengthening(1)] });
    expect(await world.call("probe", { path: "a" })).toEqual({ end: closed, status: "ok", content: expected });
  });

  it("[PG-04] says nothing of a call that nobody changed, and cuts what is long", async () => {
    const world = await callWorld({ tools: [probe("read").tool], policies: [lengthening(3_000)] });
    expect((await world.call("probe", { path: "a".repeat(3_001) })).content).toBe("ran");
    const { content } = await world.call("probe", { path: "a".repeat(3_000) });
    expect(content).toContain("a".repeat(1_900));
    expect(content).not.toContain("a".repeat(2_001));
  });

  it("[PG-04, I18] may be changed three times; a policy that is never content holds it", async () => {
    const { tool, ran } = probe("read");
    const world = await callWorld({ tools: [tool], policies: [lengthening(4)] });
    expect((await world.call("probe", { path: "ab" })).status).toBe("ok");
    expect(ran.map(({ args }) => args)).toEqual([{ path: "abxxx" }]);
    const why = { matched: "longer", why: "changed it more than 3 times" };
    expect(await world.call("probe", { path: "a" })).toEqual({
      end: closed,
      status: "refused",
      content: gateUnavailable({ tool: "probe", kind: "read_only" }, why),
    });
    expect(ran).toHaveLength(1);
  });

  it("[PG-04, I18] is held when it was changed into something that its tool does not take", async () => {
    const { tool, ran } = probe("read");
    const odd = policy("odd", () => ({ verdict: "rewrite", args: { colour: "red" }, reason: "nicer" }));
    const world = await callWorld({ tools: [tool], policies: [odd] });
    const why = { matched: "odd", why: "changed it into something that cannot be run" };
    expect((await world.call("probe", { path: "a" })).content).toEqual(
      gateUnavailable({ tool: "probe", kind: "read_only" }, why),
    );
    expect(ran).toEqual([]);
  });

  it("[GA-12] is not run when its new form could not be stored", async () => {
    const { tool, ran } = probe("read");
    const world = await callWorld({ tools: [tool], policies: [lengthening(1)] });
    const { turnId, epoch, stop } = world;
    const made = { callId: "x", tool: "probe", args: { path: "a" } };
    await world.must({ type: "turn.say", turnId, epoch, text: "", calls: [made] });
    const gone = { sessionId, turnId, epoch: epoch - 1, signal: stop.signal };
    expect(await world.toolbox.call(made, gone)).toMatchObject({ status: "stopped", refusal: { code: "LEASE_LOST" } });
    expect(ran).toEqual([]);
  });
});

describe("a policy that wants a person's word", () => {
  const asking = policy("budget", () => ({ verdict: "ask", reason: "over the limit" }));
  const nobody = {
    tool_name: "probe",
    hint: "Nobody can be asked here: leave it, and say so in your answer.",
    entered_at: null,
    entered_reason: null,
    rule: "hook/ask",
    matched: "budget: over the limit",
    message:
      "probe was not run: a plugin wants a person to look at it first (budget: over the limit). Nobody can be asked here: leave it, and say so in your answer.",
  };

  it.each([
    ["read", "read_only"],
    ["write", "file_edit"],
  ] as const)("[PG-04, I18] holds a %s call where nobody can be asked", async (effect, kind) => {
    const { tool, ran } = probe(effect);
    const world = await callWorld({ tools: [tool], policies: [asking] });
    await world.must(gate({ do: "open" }));
    expect(await world.call("probe", { path: "a" })).toEqual({
      end: closed,
      status: "refused",
      content: { ...nobody, tool_kind: kind },
    });
    expect(ran).toEqual([]);
  });

  /** A permission prompt that keeps what it was asked. */
  function prompting(answer: (question: PermissionQuestion) => unknown) {
    const asked: PermissionQuestion[] = [];
    const plugin: Plugin = {
      ...gatePlugin,
      id: "prompting",
      register(api) {
        void gatePlugin.register(api);
        api.tools.registerPermissionPrompt({
          id: "prompt",
          description: "",
          evaluate: (question) => (asked.push(question), answer(question) as never),
        });
      },
    };
    return { plugin, asked };
  }
  const hooks = (verdict: unknown): ToolHooks =>
    ({ beforeToolCall: () => verdict, afterToolCall: () => undefined }) as unknown as ToolHooks;

  it("[GA-02] is heard by the permission prompt in its own words, before any hook's", async () => {
    const { plugin, asked } = prompting(() => allow);
    const { tool, ran } = probe("write");
    const hook = hooks({ verdict: "ask", reason: "on a Friday" });
    const world = await callWorld({ tools: [tool], policies: [asking], plugins: [plugin], hooks: hook });
    await world.must(gate({ do: "open" }));
    expect((await world.call("probe", { path: "a" })).status).toBe("ok");
    expect(asked.map((question) => question.hook)).toEqual([{ reason: "budget: over the limit" }]);
    expect(ran).toHaveLength(1);
  });

  it("[GA-02] the prompt is shown the call, the session and by what it passed; nothing of a hook that is content", async () => {
    const { plugin, asked } = prompting(() => allow);
    const granting = policy("granting", () => ({ ...allow, under: { by: "policy" } }));
    const world = await callWorld({ tools: [probe("write").tool], policies: [granting], plugins: [plugin] });
    await world.must(gate({ do: "open" }));
    await world.call("probe", { path: "a" });
    expect(asked).toHaveLength(1);
    expect(Object.keys(asked[0] ?? {}).toSorted()).toEqual(["allowed", "call", "session", "settings", "within"]);
    expect(asked[0]).toMatchObject({
      call: { tool: "probe", effect: "write", args: { path: "a" }, callId: "call_1" },
      session: { slices: { gate: { open: true } } },
      allowed: { under: { by: "policy" } },
    });
  });

  it("[GA-01, GA-02] the prompt is shown the session as it is after the hooks, not as it was before", async () => {
    const { plugin, asked } = prompting(() => allow);
    const slow: ToolHooks = {
      beforeToolCall: async () => (await world.must(gate({ do: "open" })), { verdict: "pass" }),
      afterToolCall: () => undefined,
    };
    const world = await callWorld({ tools: [probe("write").tool], plugins: [plugin], hooks: slow });
    expect((await world.call("probe", { path: "a" })).status).toBe("ok");
    expect(asked.map(({ session }) => session.slices["gate"])).toEqual([{ open: true }]);
  });

  it("[GA-02] the prompt is not asked about what reads, and its no is the last word", async () => {
    const refusal = gateUnavailable({ tool: "probe", kind: "file_edit" }, { matched: "prompt", why: "says no" });
    const { plugin, asked } = prompting(() => ({ verdict: "block", refusal }));
    const { tool, ran } = probe("write");
    const world = await callWorld({ tools: [tool], plugins: [plugin] });
    await world.must(gate({ do: "open" }));
    expect((await world.call("glob", { pattern: "*" })).status).toBe("ok");
    expect(asked).toEqual([]);
    expect(await world.call("probe", { path: "a" })).toEqual({ end: closed, status: "refused", content: refusal });
    expect(ran).toEqual([]);
  });

  it("[GA-10, GA-12] what its yes and the policies' rest on is kept with the claim", async () => {
    const { plugin } = prompting(() => ({ ...allow, under: { prompt: "asked" } }));
    const granting = policy("granting", () => ({ ...allow, under: { policy: "content" } }));
    const world = await callWorld({ tools: [probe("write").tool], policies: [granting], plugins: [plugin] });
    await world.must(gate({ do: "open" }));
    expect((await world.call("probe", { path: "a" })).status).toBe("ok");
    const claim = (await world.store.events({ cursor: 0, limit: 500 })).find(
      ({ event }) => event.type === "call.claimed",
    );
    expect(claim?.event).toMatchObject({ callId: "call_1", under: { prompt: "asked", policy: "content" } });
  });

  it("[PL-15, GA-10] what a block orders is done together with it", async () => {
    const refusal = gateUnavailable({ tool: "probe", kind: "file_edit" }, { matched: "x", why: "says no" });
    const also = { slice: "gate", command: { do: "open" } };
    const ordering = policy("ordering", () => ({ verdict: "block", refusal, also }));
    const world = await callWorld({ tools: [probe("write").tool], policies: [ordering] });
    expect((await world.call("probe", { path: "a" })).status).toBe("refused");
    expect((await world.session()).slices["gate"]).toEqual({ open: true });
  });
});

describe("between the claim and the start", () => {
  it("[GA-12] only the policies are asked again that look outside the claim's transaction; their no starts nothing", async () => {
    const asked: string[] = [];
    const once = policy("once", () => (asked.push("once"), allow));
    const refusal = gateUnavailable(
      { tool: "probe", kind: "file_edit" },
      { matched: "twice", why: "changed its mind" },
    );
    const twice = policy("twice", () => {
      asked.push("twice");
      return asked.length > 2 ? { verdict: "block", refusal } : allow;
    });
    const { tool, ran } = probe("write");
    const world = await callWorld({ tools: [tool], policies: [once, { ...twice, afterClaim: true }] });
    await world.must(gate({ do: "open" }));
    expect(await world.call("probe", { path: "a" })).toEqual({ end: closed, status: "refused", content: refusal });
    expect(asked).toEqual(["once", "twice", "twice"]);
    expect(ran).toEqual([]);
  });

  it("[GA-12] the permit names the session, the call, its arguments and the epoch of the claim", async () => {
    const digests: string[] = [];
    const watch = policy("watch", ({ call, session }) => (digests.push(`${session.id} ${call.argsDigest}`), allow));
    const { tool, ran } = probe("write");
    const world = await callWorld({ tools: [tool], policies: [watch] });
    await world.must(gate({ do: "open" }));
    await world.call("probe", { path: "a" });
    const [id, argsDigest] = digests[0]?.split(" ") ?? [];
    expect(ran.map(({ permit }) => permit)).toEqual([
      { sessionId: id, callId: "call_1", argsDigest, epoch: world.epoch },
    ]);
  });
});
