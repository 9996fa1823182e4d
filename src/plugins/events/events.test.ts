import { describe, expect, it } from "vitest";
import { fakeClock, quiet } from "../../../test/kit/fake-clock.ts";
import type { PluginNeed } from "../../protocol/plugin/plugin-manifest.ts";
import type { AgentEvent } from "../api/hooks.ts";
import { createAgentEventHub, createRateLimit, EMIT_BURST_MAX, EMITS_PER_SECOND, PENDING_MAX } from "./agent-events.ts";
import { createRunContexts } from "./run-context.ts";

const event = (type: string) => ({ type, sessionKey: "ses_1", atMs: 1, data: { n: 1 } });
const nobody: ReadonlySet<PluginNeed> = new Set();

describe("agent events", () => {
  it("[PG-08] reach whoever subscribed to their kind, in order, without the words unless those were asked for", async () => {
    const hub = createAgentEventHub(() => undefined);
    const [some, all]: [AgentEvent[], AgentEvent[]] = [[], []];
    hub.subscribe({ pluginId: "a", needs: nobody }, ["plan.*", "turn.started"], (one) => void some.push(one));
    hub.subscribe({ pluginId: "b", needs: new Set(["message-text"]) }, ["*"], (one) => void all.push(one));
    const said = { ...event("message.received"), guarded: { "message-text": { text: "hello" } } };
    for (const one of [event("plan.approved"), event("planet.found"), said, event("turn.started")]) hub.tell(one);
    await quiet();
    expect(some).toEqual([event("plan.approved"), event("turn.started")]);
    expect(all[2]).toEqual({ ...event("message.received"), data: { n: 1, text: "hello" } });
    expect(all).toHaveLength(4);
  });

  it("[PG-08] do not pile up before a slow subscriber, and stop when its plugin is gone", async () => {
    const failures: unknown[] = [];
    const hub = createAgentEventHub((pluginId) => void failures.push(pluginId));
    const heard: string[] = [];
    const gate = Promise.withResolvers<void>();
    hub.subscribe({ pluginId: "slow", needs: nobody }, ["*"], async ({ type }) => {
      heard.push(type);
      await gate.promise;
    });
    hub.tell(event("first"));
    await quiet();
    for (let n = 0; n < PENDING_MAX + 5; n++) hub.tell(event(`e${n}`));
    expect(failures).toEqual(Array.from({ length: 5 }, () => "slow"));
    hub.removePlugin("slow");
    gate.resolve();
    await quiet();
    expect(heard).toEqual(["first"]);
    expect(hub.isHeard()).toBe(false);
  });

  it("[PG-08] count a subscriber that throws, and go on", async () => {
    const failures: unknown[] = [];
    const hub = createAgentEventHub((_pluginId, error) => void failures.push(error));
    const heard: string[] = [];
    hub.subscribe({ pluginId: "a", needs: nobody }, ["*"], ({ type }) => {
      heard.push(type);
      throw new Error("no");
    });
    hub.tell(event("one"));
    hub.tell(event("two"));
    await quiet();
    expect([heard, failures.length]).toEqual([["one", "two"], 2]);
  });

  it("[PG-08] that plugins emit are limited to a burst and so many a second", () => {
    const clock = fakeClock();
    const rate = createRateLimit(clock);
    const taken = (times: number) => Array.from({ length: times }, () => rate.take("a")).filter(Boolean).length;
    expect(taken(EMIT_BURST_MAX * 2)).toBe(EMIT_BURST_MAX);
    expect(rate.take("b")).toBe(true);
    clock.advance(1_000);
    expect(taken(EMIT_BURST_MAX)).toBe(EMITS_PER_SECOND);
  });
});

describe("run context", () => {
  it("[PG-08] belongs to one plugin and one run, and ends with either", () => {
    const runs = createRunContexts();
    expect(() => runs.set("a", "trn_1", { key: "k", value: 1 })).toThrow(/not under way/);
    runs.began("trn_1");
    runs.set("a", "trn_1", { key: "k", value: { n: 1 } });
    expect([runs.get("a", "trn_1", "k"), runs.get("b", "trn_1", "k"), runs.get("a", "trn_2", "k")]).toEqual([
      { n: 1 },
      undefined,
      undefined,
    ]);
    expect(() => runs.set("a", "trn_1", { key: "f", value: (() => 1) as never })).toThrow(/no JSON/);
    runs.removePlugin("a");
    expect(runs.get("a", "trn_1", "k")).toBeUndefined();
    runs.set("a", "trn_1", { key: "k", value: 2 });
    runs.ended("trn_1");
    expect(runs.get("a", "trn_1", "k")).toBeUndefined();
  });
});
