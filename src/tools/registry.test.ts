import { builtinTools } from "../../test/kit/builtin-tools.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { create } from "../../test/kit/core.ts";
import { coreWorld } from "../../test/kit/core.ts";
import type { Tool, ToolContext } from "../plugins/tool.ts";
import { SessionId, TurnId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import { defineTool } from "./define-tool.ts";
import { mintPermit, PermitRefused } from "./permit.ts";
import { createRegistry, type PreparedCall, type Registry } from "./registry.ts";

const session: Session = (() => {
  const world = coreWorld();
  world.must(create);
  if (world.session === undefined) throw new Error("no session");
  return world.session;
})();
const place = { session, settings: {} };
const context: ToolContext = {
  sessionId: SessionId.parse("ses_1"),
  turnId: TurnId.parse("trn_1"),
  callId: "call_1",
  workspace: "/project",
  signal: new AbortController().signal,
  emit: () => undefined,
};

/** A tool that counts how often it really ran. */
function probe(
  given: Partial<{
    name: string;
    effect: unknown;
    kind: unknown;
    input: unknown;
    offered: unknown;
    example: unknown;
  }> = {},
) {
  const ran: unknown[] = [];
  const tool = {
    name: "probe",
    description: "for tests",
    effect: "write",
    kind: "file_edit",
    input: z.strictObject({ path: z.string(), times: z.int().default(1) }),
    classify: () => "read",
    ...given,
    run: async (args: unknown) => {
      ran.push(args);
      return { status: "ok", content: "ran" } as const;
    },
  };
  return { tool: tool as unknown as Tool, ran };
}

function prepared(registry: Registry, args = { path: "a" }, name = "probe"): PreparedCall {
  const made = registry.find(name, place)?.prepare(args, { workspace: "/project" });
  if (made?.ok !== true) throw new Error("not prepared");
  return made.call;
}

describe("registry", () => {
  it("[GA-03] refuses to start with an unclassified tool and names every one", () => {
    const tools = [
      probe({ name: "fine" }).tool,
      probe({ name: "bare", effect: undefined }).tool,
      probe({ name: "odd", kind: "x" }).tool,
    ];
    expect(() => createRegistry(tools)).toThrow(
      "These tools are not classified as read, write, dynamic or state: bare, odd. Classify them, or set tools.strict to false to go by their names.",
    );
  });

  it("[GA-04] not strict, takes an unclassified tool by its name, and what the name does not say as mutating", async () => {
    const named = (name: string) => probe({ name, effect: undefined, kind: undefined });
    const tools = ["notes.list", "notes_get", "notes.delete", "whatsapp.send", "a.b.c", "frobnicate", "list"].map(
      (name) => named(name).tool,
    );
    const registry = createRegistry(tools, { strict: false });
    const taken = tools.map(({ name }) => [
      name,
      prepared(registry, undefined, name).effect,
      registry.find(name, place)?.kind,
    ]);
    expect(taken).toEqual([
      ["notes.list", "read", "read_only"],
      ["notes_get", "read", "read_only"],
      ["notes.delete", "write", "outbound"],
      ["whatsapp.send", "write", "outbound"],
      ["a.b.c", "write", "dispatch"],
      ["frobnicate", "write", "dispatch"],
      ["list", "write", "dispatch"],
    ]);
    await expect(prepared(registry, undefined, "notes.delete").run(context, undefined)).rejects.toThrow(PermitRefused);
    expect(await prepared(registry, undefined, "notes.list").run(context, undefined)).toMatchObject({ status: "ok" });
  });

  it("[GA-04] a classification that is there counts more than a name", () => {
    const { tool } = probe({ name: "notes.get", effect: "write" });
    expect(prepared(createRegistry([tool], { strict: false }), undefined, "notes.get").effect).toBe("write");
  });

  it("[GA-03, GA-04] a tool that appears later unclassified is mutating, whatever its name and the rules", () => {
    const registry = createRegistry([], { strict: false });
    registry.add(probe({ name: "notes.list", effect: undefined }).tool);
    expect(prepared(registry, undefined, "notes.list").effect).toBe("write");
  });

  it("[GA-03] treats a tool that appears later unclassified as mutating", () => {
    const registry = createRegistry([]);
    const { tool } = probe({ effect: undefined, kind: undefined });
    registry.add(tool);
    expect(registry.find("probe", place)?.kind).toBe("dispatch");
    expect(prepared(registry).effect).toBe("write");
  });

  it("[GA-03] runs a later unclassified tool only with a permit", async () => {
    const registry = createRegistry([]);
    const { tool, ran } = probe({ effect: undefined });
    registry.add(tool);
    await expect(prepared(registry).run(context, undefined)).rejects.toThrow(PermitRefused);
    expect(ran).toEqual([]);
  });

  it.each(["", "Read", "réad", "1read", "read file", "read-file", ".read", "a..b", "a.", `r${"e".repeat(64)}`])(
    "refuses the name %j",
    (name) => {
      expect(() => createRegistry([probe({ name }).tool])).toThrow("cannot name a tool");
    },
  );

  it("refuses a name that is taken", () => {
    expect(() => createRegistry([probe().tool, probe().tool])).toThrow('The tool "probe" is registered twice.');
  });

  it("refuses an input that would let unknown properties pass", () => {
    const loose = probe({ input: z.object({ path: z.string() }) });
    expect(() => createRegistry([loose.tool])).toThrow("must be an object that rejects unknown properties");
  });

  it("[RT-08] makes what a model sees of a shipped tool for the first who asks, of any other when it is registered", () => {
    const undrawable = probe({ name: "dated", input: z.strictObject({ at: z.date() }) }).tool; // JSON has no dates
    expect(() => createRegistry([undrawable], { strict: true, isShipped: () => false })).toThrow("Date");
    const shipped = createRegistry([undrawable], { strict: true, isShipped: (name) => name === "dated" });
    expect(() => shipped.catalog(place)).toThrow("Date");
    const later = createRegistry([], { strict: true, isShipped: () => true });
    expect(() => later.add(undrawable)).toThrow("Date");
    const open = probe({ input: z.object({ path: z.string() }) }).tool;
    expect(() => createRegistry([open], { strict: true, isShipped: () => true })).toThrow("rejects unknown properties");
  });

  it("[RT-08] makes what models see of shipped tools ahead of the first turn, and lets other work in between", async () => {
    const made = new Set<string>();
    const noted = (name: string): Tool => {
      const path = z.lazy(() => {
        made.add(name);
        return z.string();
      });
      return probe({ name, input: z.strictObject({ path }) }).tool;
    };
    const registry = createRegistry([noted("first"), noted("second")], { strict: true, isShipped: () => true });
    expect([...made]).toEqual([]);
    const seenBetween = new Promise<string[]>((resolve) => setImmediate(() => resolve([...made])));
    const all = registry.makeOffers();
    expect(await seenBetween).toEqual(["first"]);
    await all;
    registry.catalog(place);
    expect([...made]).toEqual(["first", "second"]);
  });

  it("[RT-08] shows a foreign schema as it is, if it says what it does with unknown properties", () => {
    const foreign = (inputSchema: object) => ({ ...probe({ name: "foreign" }).tool, inputSchema }) as Tool;
    const closed = { type: "object", properties: { a: {} }, additionalProperties: false };
    expect(createRegistry([foreign(closed)]).catalog(place)).toEqual([
      { name: "foreign", description: "for tests", inputSchema: closed },
    ]);
    for (const silent of [{ type: "object" }, { type: "string", additionalProperties: false }]) {
      expect(() => createRegistry([foreign(silent)])).toThrow("says what it does with unknown properties");
    }
  });

  it("[RT-08] forgets a tool that is gone, while a call that was prepared before runs on", async () => {
    const { tool, ran } = probe({ effect: "read", kind: "read_only" });
    const registry = createRegistry([tool]);
    const call = prepared(registry);
    registry.remove("probe");
    expect([registry.find("probe", place), registry.catalog(place)]).toEqual([undefined, []]);
    await call.run(context, undefined);
    expect(ran).toHaveLength(1);
    registry.add(tool);
    expect(registry.find("probe", place)?.name).toBe("probe");
  });

  it("[IN-05] gives the catalog in one order and the same bytes, whatever the order of registration", () => {
    const tools = ["zeta", "alpha", "mid"].map((name) => probe({ name }).tool);
    const bytes = JSON.stringify(createRegistry(tools).catalog(place));
    expect(JSON.stringify(createRegistry(tools.toReversed()).catalog(place))).toBe(bytes);
    expect(JSON.parse(bytes)).toEqual(
      ["alpha", "mid", "zeta"].map((name) => ({
        name,
        description: "for tests",
        inputSchema: {
          type: "object",
          properties: {
            path: { type: "string" },
            times: { default: 1, type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
          },
          required: ["path"],
          additionalProperties: false,
        },
      })),
    );
  });

  it("neither shows nor finds a tool that the session is not offered, nor one that cannot say so", () => {
    const hidden = probe({ name: "hidden", offered: () => false }).tool;
    const broken = probe({
      name: "broken",
      offered: () => {
        throw new Error("no settings");
      },
    }).tool;
    const registry = createRegistry([hidden, broken]);
    expect(registry.catalog(place)).toEqual([]);
    expect([registry.find("hidden", place), registry.find("broken", place)]).toEqual([undefined, undefined]);
  });

  it("tells the model what is wrong with its arguments and which there are", () => {
    const tool = createRegistry([probe().tool]).find("probe", place);
    expect(tool?.prepare({ path: 1, extra: true }, { workspace: "/project" })).toEqual({
      ok: false,
      error:
        'probe was not run: path: Invalid input: expected string, received number; arguments: Unrecognized key: "extra". Its properties are: path, times. Correct the arguments and call it again.',
    });
  });

  it("[GA-08] refuses arguments that are too large", () => {
    const tool = createRegistry([probe().tool]).find("probe", place);
    expect(tool?.prepare({ path: "x".repeat(200_001) }, { workspace: "/project" })).toMatchObject({ ok: false });
  });

  it("freezes the arguments, and judges and hashes the same ones that run", async () => {
    const { tool, ran } = probe({ effect: "read", kind: "read_only" });
    const call = prepared(createRegistry([tool]));
    expect(Object.isFrozen(call.args)).toBe(true);
    await call.run(context, undefined);
    expect(ran).toEqual([{ path: "a", times: 1 }]);
    expect(Object.isFrozen(ran[0])).toBe(true);
    expect(call.args).toEqual(ran[0]);
  });

  it("gives the same digest for the same arguments in any order of keys, and another for others", () => {
    const registry = createRegistry([probe().tool]);
    const digest = (args: { path: string; times?: number }) => prepared(registry, args).argsDigest;
    expect(digest({ times: 2, path: "a" })).toBe(digest({ path: "a", times: 2 }));
    expect(digest({ path: "a", times: 2 })).not.toBe(digest({ path: "a", times: 3 }));
  });

  it("counts a dynamic call as mutating when its classification fails or is no answer", () => {
    const failing = () => {
      throw new Error("cannot tell");
    };
    for (const classify of [failing, () => "perhaps", () => undefined]) {
      const { tool } = probe({ effect: "dynamic" });
      expect(prepared(createRegistry([{ ...tool, classify } as unknown as Tool])).effect).toBe("write");
    }
    expect(prepared(createRegistry([probe({ effect: "dynamic" }).tool])).effect).toBe("read");
  });

  it("[GA-03, PG-04] counts what reads as writing where somebody who may say so said so, and makes nothing looser", async () => {
    const rules = { strict: true, isStricter: (name: string) => name.startsWith("strict") };
    const named = (name: string, effect: string) => probe({ name, effect }).tool;
    const state = {
      ...named("strict_state", "state"),
      slice: "gate",
      toCommand: async () => ({ command: {} }),
    } as Tool;
    const tools = [named("strict_read", "read"), named("strict_write", "write"), named("plain", "read"), state];
    const registry = createRegistry(tools, rules);
    const effects = tools.map(({ name }) => prepared(registry, undefined, name).effect);
    expect(effects).toEqual(["write", "write", "read", "state"]);
    await expect(prepared(registry, undefined, "strict_read").run(context, undefined)).rejects.toThrow(PermitRefused);
  });

  it("[GA-12] applies a state tool by its command and never runs it; no other tool has one", async () => {
    const at = { callId: "call_1", workspace: "/project", protectedFolders: [] };
    const toCommand = async ({ path }: { path: string }) => (path === "a" ? { command: { path } } : { error: "not b" });
    const { tool, ran } = probe({ effect: "state", kind: "read_only" });
    const registry = createRegistry([{ ...tool, slice: "gate", toCommand } as unknown as Tool]);
    expect(await prepared(registry).toCommand(at)).toEqual({ slice: "gate", command: { path: "a" } });
    expect(await prepared(registry, { path: "b" }).toCommand(at)).toEqual({ error: "not b" });
    await expect(prepared(registry).run(context, undefined)).rejects.toThrow(
      "probe is applied by its command, not run",
    );
    expect(ran).toEqual([]);
    await expect(prepared(createRegistry([probe().tool])).toCommand(at)).rejects.toThrow("probe is no state tool");
  });

  it("takes so many tools and no more, and knows which it has", () => {
    const registry = createRegistry(Array.from({ length: 1_000 }, (_none, n) => probe({ name: `probe_${n}` }).tool));
    expect(() => registry.add(probe().tool)).toThrow("More than 1000 tools.");
    expect([registry.has("probe_999"), registry.has("probe")]).toEqual([true, false]);
  });

  it("refuses an input that is no object, and takes a foreign one that speaks of unevaluated properties", () => {
    const listed = probe({ input: z.array(z.string()) });
    expect(() => createRegistry([listed.tool])).toThrow("must be an object that rejects unknown properties");
    const inputSchema = { type: "object", unevaluatedProperties: false };
    const foreign = { ...probe().tool, inputSchema } as Tool;
    expect(createRegistry([foreign]).catalog(place)).toMatchObject([{ inputSchema }]);
  });

  it("[GA-08] refuses arguments that become something else than plain data, and those that are too large", () => {
    const odd = probe({ input: z.strictObject({ path: z.string().transform(() => new Map()) }) });
    const prepare = (tool: Tool, path: string) =>
      createRegistry([tool]).find("probe", place)?.prepare({ path }, { workspace: "/project" });
    expect(prepare(odd.tool, "a")).toEqual({ ok: false, error: "probe: the arguments are not plain data." });
    const most = 200_000 - '{"path":""}'.length;
    expect(prepare(probe().tool, "x".repeat(most))).toMatchObject({ ok: true });
    expect(prepare(probe().tool, "x".repeat(most + 1))).toEqual({
      ok: false,
      error: "The arguments may hold 200000 characters. Do it in smaller parts.",
    });
  });

  it("explains at most five things that are wrong, each by its path", () => {
    const bare = createRegistry([probe({ input: z.strictObject({}) }).tool]).find("probe", place);
    expect(bare?.prepare({ a: 1 }, { workspace: "/project" })).toEqual({
      ok: false,
      error:
        'probe was not run: arguments: Unrecognized key: "a". It takes no properties. Correct the arguments and call it again.',
    });
    const nested = probe({ input: z.strictObject({ list: z.array(z.string()) }) });
    const list = createRegistry([nested.tool]).find("probe", place);
    const told = list?.prepare({ list: [1, 2, 3, 4, 5, 6] }, { workspace: "/project" });
    const numbers = [0, 1, 2, 3, 4].map((n) => `list.${n}: Invalid input: expected string, received number`);
    expect(told).toEqual({
      ok: false,
      error: `probe was not run: ${numbers.join("; ")}. Its properties are: list. Correct the arguments and call it again.`,
    });
  });

  it("[TO-02] shows the example of a tool that has one", () => {
    const { tool } = probe({ input: z.strictObject({ path: z.string() }), example: { path: "a.md" } });
    const told = createRegistry([tool]).find("probe", place)?.prepare({}, { workspace: "/project" });
    expect(told).toMatchObject({
      ok: false,
      error: expect.stringMatching(/call it again\. Example: probe {"path":"a\.md"}$/),
    });
  });

  it("[GA-12] freezes what lies inside the arguments, too", () => {
    const { tool } = probe({ input: z.strictObject({ path: z.string(), in: z.looseObject({}).optional() }) });
    const args = { path: "a", in: { deep: { list: [{}], none: null } } };
    const { in: inner } = prepared(createRegistry([tool]), args).args as typeof args;
    expect([inner, inner.deep, inner.deep.list, inner.deep.list[0]].map(Object.isFrozen)).toEqual(Array(4).fill(true));
  });

  it("classifies every built-in tool", () => {
    const registry = createRegistry(builtinTools());
    const args = {
      read: { path: "a" },
      glob: { pattern: "*" },
      grep: { pattern: "a" },
      write: { path: "a", content: "" },
      edit: { path: "a", oldText: "a", newText: "b" },
      exec: { command: "ls" },
    };
    const found = Object.entries(args).map(([name, given]) => {
      const tool = registry.find(name, place);
      const made = tool?.prepare(given, { workspace: "/project" });
      return [name, tool?.kind, made?.ok === true && made.call.effect];
    });
    expect(found).toEqual([
      ["read", "read_only", "read"],
      ["glob", "read_only", "read"],
      ["grep", "read_only", "read"],
      ["write", "file_edit", "write"],
      ["edit", "file_edit", "write"],
      ["exec", "bash", "write"],
    ]);
  });
});

describe("permit", () => {
  const claim = (call: PreparedCall, other = {}) => ({
    sessionId: context.sessionId,
    callId: context.callId,
    argsDigest: call.argsDigest,
    epoch: 1,
    ...other,
  });

  function world() {
    const { tool, ran } = probe();
    const registry = createRegistry([tool]);
    return { registry, ran, call: prepared(registry) };
  }

  it("[GA-12] lets the call that it was minted for run, once", async () => {
    const { call, ran } = world();
    const permit = mintPermit(claim(call));
    await expect(call.run(context, permit)).resolves.toEqual({ status: "ok", content: "ran" });
    await expect(call.run(context, permit)).rejects.toThrow("no unspent permit");
    expect(ran).toEqual([{ path: "a", times: 1 }]);
  });

  it("[GA-12] refuses none at all, a forged one and a copy of a real one", async () => {
    const { call, ran } = world();
    const permit = mintPermit(claim(call));
    await expect(call.run(context, undefined)).rejects.toThrow("no unspent permit");
    await expect(call.run(context, claim(call))).rejects.toThrow("no unspent permit");
    await expect(call.run(context, { ...permit })).rejects.toThrow("no unspent permit");
    expect(ran).toEqual([]);
  });

  it("[GA-12] refuses one of another session, another call or other arguments", async () => {
    const { call, ran, registry } = world();
    const foreign = [
      mintPermit(claim(call, { sessionId: SessionId.parse("ses_2") })),
      mintPermit(claim(call, { callId: "call_2" })),
      mintPermit(claim(prepared(registry, { path: "b" }))),
    ];
    for (const permit of foreign) await expect(call.run(context, permit)).rejects.toThrow("minted for another call");
    expect(ran).toEqual([]);
  });

  it("[GA-12] cannot be altered after it was minted", () => {
    const permit = mintPermit(claim(world().call));
    expect(() => Object.assign(permit, { callId: "call_2" })).toThrow(TypeError);
  });

  it("passes the permit on to the tool, which a defined tool may check again", async () => {
    const seen: unknown[] = [];
    const tool = defineTool<Record<string, never>>({
      name: "probe",
      description: "",
      effect: "write",
      kind: "file_edit",
      input: z.strictObject({}),
      run: async (_args, _context, permit) => {
        seen.push(permit);
        return { status: "ok", content: null };
      },
    });
    const made = createRegistry([tool]).find("probe", place)?.prepare({}, { workspace: "/" });
    if (made?.ok !== true) throw new Error("not prepared");
    const permit = mintPermit(claim(made.call));
    await made.call.run(context, permit);
    expect(seen).toEqual([permit]);
  });
});
