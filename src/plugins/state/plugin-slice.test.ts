import { describe, expect, it } from "vitest";
import { coreWorld, create } from "../../../test/kit/core.ts";
import { counter } from "../../../test/kit/plugins.ts";
import { anySlice } from "../../core/slice.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { SessionCommand } from "../../protocol/session.ts";
import { STATE_BYTES_MAX, STATE_DEPTH_MAX } from "../api/extension.ts";
import { z } from "../sdk.ts";
import { plainJsonProblem } from "./plain-json.ts";
import { createPluginSlice } from "./plugin-slice.ts";
import { erased } from "./session-state.ts";

const free = { namespace: "free", description: "", schema: z.json(), initial: null };
const slice = createPluginSlice(
  "deploy",
  new Map([
    ["count", erased(counter)],
    ["free", erased(free)],
  ]),
);

function opened() {
  const world = coreWorld([anySlice(slice)]);
  world.must(create);
  return world;
}
const commit = (parts: JsonObject): SessionCommand => ({
  type: "slice.apply",
  slice: "plugin:deploy",
  command: { type: "commit", cause: "/deploy approve", ...parts },
});
const injection = { id: "plugin:deploy:a", text: "[PLUGIN_MESSAGE deploy]\n> go\n[/PLUGIN_MESSAGE]", priority: 4 };

describe("what a plugin keeps in a session", () => {
  it("[PG-02, PG-03, PG-06] commits state, text for the agent, a line for people and the turn as one", () => {
    const world = opened();
    const done = world.must(
      commit({
        base: 0,
        values: { count: { n: 1 } },
        injections: [{ ...injection, ttlMs: 500 }],
        notice: "Approved.",
        continueAgent: true,
      }),
    );
    expect(done.events.map((event) => event.type)).toEqual([
      "slice.changed",
      "injection.queued",
      "entry.appended",
      "turn.requested",
    ]);
    expect(world.session?.slices).toEqual({
      "plugin:deploy": { version: 1, values: { count: { n: 1 } }, shown: { count: { shown: 1 } } },
    });
    expect(world.session?.injections).toEqual([
      { ...injection, kind: "plugin:deploy", createdAtMs: 1_000, expiresAtMs: 1_500 },
    ]);
    expect(done.audit).toEqual([
      {
        type: "plugin.committed",
        detail: { plugin: "deploy", cause: "/deploy approve", version: 1, namespaces: ["count"] },
      },
    ]);
    expect(done.reply).toEqual({ version: 1 });
  });

  it("[PG-02] refuses what was computed from an older state, and what names no state that it was computed from", () => {
    const world = opened();
    world.must(commit({ base: 0, values: { count: { n: 1 } } }));
    const changed = { refused: { code: "PLUGIN_STATE_CHANGED", retry: true } };
    expect(world.run(commit({ base: 0, values: { count: { n: 2 } } }))).toMatchObject(changed);
    expect(world.run(commit({ values: { count: { n: 2 } } }))).toMatchObject(changed);
    expect(world.session?.slices).toMatchObject({ "plugin:deploy": { version: 1, values: { count: { n: 1 } } } });
  });

  it("[PG-02] takes only what the plugin's schema reads, in namespaces that it registered", () => {
    const invalid = { refused: { code: "PLUGIN_STATE_INVALID" } };
    expect(opened().run(commit({ base: 0, values: { count: { n: "many" } } }))).toMatchObject(invalid);
    expect(opened().run(commit({ base: 0, values: { other: { n: 1 } } }))).toMatchObject(invalid);
    const big = "x".repeat(STATE_BYTES_MAX);
    expect(opened().run(commit({ base: 0, values: { free: big } }))).toMatchObject(invalid);
    const world = opened();
    world.must(commit({ base: 0, values: { free: "x".repeat(STATE_BYTES_MAX - 100) } }));
    const more = commit({ base: 1, values: { count: { n: 1 }, free: "x".repeat(STATE_BYTES_MAX - 20) } });
    expect(world.run(more)).toMatchObject(invalid);
  });

  it("[PG-03, IN-01] queues nothing under another's name and nothing as weighty as a decision", () => {
    expect(opened().run(commit({ injections: [{ ...injection, id: "plugin:other:a" }] }))).toMatchObject({
      refused: { code: "INVALID_REQUEST" },
    });
    expect(opened().run(commit({ injections: [{ ...injection, priority: 10 }] }))).toMatchObject({
      refused: { code: "INVALID_REQUEST" },
    });
  });

  it("[PG-03, IN-02] replaces what is queued under the same key", () => {
    const world = opened();
    world.must(commit({ injections: [injection] }));
    world.must(commit({ injections: [{ ...injection, text: "newer" }] }));
    expect(world.session?.injections.map(({ text }) => text)).toEqual(["newer"]);
  });

  it("[PG-02] begins anew when the session does", () => {
    const world = opened();
    world.must(commit({ base: 0, values: { count: { n: 1 } } }));
    world.must({ type: "session.reset" });
    expect(world.session?.slices).toEqual({ "plugin:deploy": { version: 0, values: {} } });
  });
});

describe("plain JSON", () => {
  const problem = (value: unknown) => plainJsonProblem(value, { depthMax: STATE_DEPTH_MAX, charsMax: 1_000 });
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

  it("[PG-02] is nothing but plain objects and arrays, bounded in depth and length", () => {
    expect(problem({ a: [1, "x", null, true, { b: {} }] })).toBeUndefined();
    expect(problem(Object.create(null))).toBeUndefined();
    expect(problem(nested(STATE_DEPTH_MAX))).toBeUndefined();
    expect(problem(nested(STATE_DEPTH_MAX + 1))).toMatch(/deeper than 32/);
    expect(problem("x".repeat(1_001))).toMatch(/more than 1000/);
    expect(problem(Array.from({ length: 1_000 }, () => 1))).toMatch(/more than 1000/);
  });

  it("[PG-02] has no key that reaches into a prototype, no code and nothing that JSON cannot write", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const bad: unknown[] = [
      JSON.parse('{"__proto__":{"x":1}}'),
      JSON.parse('{"a":{"constructor":1}}'),
      { prototype: 1 },
      new Date(0),
      new Map(),
      Object.create({ inherited: 1 }),
      {
        get computed() {
          throw new Error("must not run");
        },
      },
      { [Symbol("s")]: 1 },
      { f: () => 1 },
      { n: Number.NaN },
      { n: 1n },
      { u: undefined },
      cyclic,
    ];
    for (const value of bad) expect(problem(value)).toBeTypeOf("string");
  });
});
