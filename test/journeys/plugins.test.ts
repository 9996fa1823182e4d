/** Plugins in a whole gateway: a command that resumes the agent, a kill in between, and a plugin that goes without a trace. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgent } from "../../src/compose/agent.ts";
import { composeEngine } from "../../src/compose/engine.ts";
import { composeModels } from "../../src/compose/models.ts";
import { createFeed } from "../../src/gateway/feed.ts";
import { enableGiven } from "../../src/compose/plugins/plugin-host.ts";
import { openState } from "../../src/compose/state.ts";
import { definePlugin } from "../../src/plugins/sdk.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { SessionCommand } from "../../src/protocol/session.ts";
import { throwAwayPlace } from "../chaos/place.ts";
import { alice, create, messageId } from "../kit/core.ts";
import { deployPlugin } from "../kit/deploy-plugin.ts";
import { fakeClock, quiet } from "../kit/fake-clock.ts";
import { gatewayChild } from "../kit/gateway-child.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { wireClient } from "../kit/wire-client.ts";
import { story } from "./story.ts";

const trusted = { plugin: deployPlugin, tier: "trusted" as const };
const envelope = (text: string) => `[PLUGIN_MESSAGE deploy]\n> ${text}\n[/PLUGIN_MESSAGE]`;
const ran = "[PLUGIN_COMMAND deploy]\nlocal ran /deploy.\n[/PLUGIN_COMMAND]";
const told = (n: number) => `told: ${ran}\n\n${envelope(`Deployment ${n} is approved: go on.`)}`;

describe("a plugin's command", () => {
  it("[PG-02, PG-05, PG-06] changes its state, tells the agent and resumes it; what it shows is its projection", async () => {
    const { start, person } = story();
    await start(
      scriptedModel(({ entries }) => {
        const input = entries.findLast((entry) => entry.kind === "input");
        return { say: `told: ${input?.kind === "input" ? input.text : ""}` };
      }),
      { plugins: [trusted] },
    );
    const user = await person();
    const heard: { event: string; payload: unknown }[] = [];
    user.client.on("*", (event) => void heard.push(event));
    const sessionId = await user.open();
    expect(await user.say(sessionId, "/deploy")).toBe("0 approvals");
    expect(await user.say(sessionId, "/deploy approve")).toBe("Approved.");
    await user.until("turn.finished");
    const { session } = await user.client.call("sessions.get", { sessionId });
    expect(session.plugins).toEqual({ deploy: { deploy: { approvals: 1 } } });
    expect(Object.keys(session.slices)).not.toContain("plugin:deploy");
    const { items } = await user.client.call("chat.history", { sessionId });
    expect(items.flatMap(({ entry }) => (entry.kind === "assistant" ? [entry.text] : []))).toEqual([
      expect.stringContaining(told(1)),
    ]);
    const [committed] = heard.filter(({ event }) => event === "plugin.committed");
    expect(committed?.payload).toEqual({
      sessionId,
      atMs: expect.any(Number),
      pluginId: "deploy",
      version: 1,
      cause: "/deploy",
    });
  });
});

describe("a plugin that cannot be loaded", () => {
  it("[PG-01] is told of and left out, and the gateway runs with the others", async () => {
    const broken = definePlugin({
      id: "broken",
      name: "Broken",
      description: "for tests",
      async register(api) {
        api.commands.registerCommand({ name: "broken", description: "x", handler: async () => ({}) });
        throw new Error("not today");
      },
    });
    const { start, person } = story();
    const { notes } = await start(scriptedModel([]), { plugins: [broken, trusted] });
    expect(notes).toContainEqual("The plugin broken was not loaded: not today");
    const user = await person();
    const sessionId = await user.open();
    expect(await user.say(sessionId, "/deploy")).toBe("0 approvals");
    await expect(user.say(sessionId, "/broken")).rejects.toMatchObject({ code: "COMMAND_UNKNOWN" });
  });
});

describe("a plugin's policy", () => {
  it("[PG-04, GA-02] that wants a person asked has the call run once, when the person allowed exactly it", async () => {
    const friday = definePlugin({
      id: "friday",
      name: "Friday",
      description: "for tests",
      register: (api) =>
        api.tools.registerTrustedToolPolicy({
          id: "guard",
          description: "Nothing is written on a Friday unless somebody says so.",
          evaluate: ({ call }) =>
            call.tool === "write" ? { verdict: "ask", reason: "it is Friday" } : { verdict: "allow" },
        }),
    });
    const { start, person, workspace } = story();
    const write = { calls: [{ tool: "write", args: { path: "a.txt", content: "x" } }] };
    await start(scriptedModel([write, write, { say: "Done." }]), { plugins: [{ plugin: friday, tier: "trusted" }] });
    const user = await person();
    const sessionId = await user.open();
    await user.say(sessionId, "/plan off");
    await user.say(sessionId, "Write it");
    await user.until("turn.finished");
    expect([readdirSync(workspace), (await user.plan(sessionId)).question?.question]).toEqual([
      [],
      expect.stringContaining("friday/guard: it is Friday"),
    ]);
    await user.act(sessionId, "allow-once");
    await user.until("turn.finished", 2);
    expect(readdirSync(workspace)).toEqual(["a.txt"]);
  });
});

describe("a kill", () => {
  const script = fileURLToPath(new URL("plugin-process.ts", import.meta.url));

  async function answers(client: Awaited<ReturnType<typeof wireClient>>, sessionId: SessionId): Promise<string[]> {
    const { items } = await client.must("chat.history", { sessionId });
    return items.flatMap(({ entry }) => (entry.kind === "assistant" ? [entry.text] : []));
  }

  it("[PG-03, PG-06] between a command's state change and the resumed turn loses neither, and doubles neither", async () => {
    const place = await throwAwayPlace();
    onTestFinished(() => place.remove());
    const first = await gatewayChild({ ...place, script, toolMs: 1 }); // its model never answers
    const client = await wireClient(first);
    const { session } = await client.must("sessions.create", {});
    const sessionId = session.id;
    const text = "/deploy approve";
    expect(await client.must("chat.send", { sessionId, text, idempotencyKey: "one" })).toMatchObject({
      kind: "command",
    });
    await first.kill();

    const second = await gatewayChild({ ...place, script, toolMs: 1 });
    const again = await wireClient(second);
    expect(await again.must("chat.send", { sessionId, text, idempotencyKey: "one" })).toMatchObject({
      kind: "command",
    });
    void again.request("chat.send", { sessionId, text, idempotencyKey: "two" }); // killed before or after it is stored
    await second.kill();

    const third = await gatewayChild({ ...place, script });
    const last = await wireClient(third);
    const finished = Promise.withResolvers<void>();
    last.onEvent(({ event }) => void (event === "turn.finished" && finished.resolve()));
    await last.must("sessions.subscribe", { sessionId, afterCursor: 0 });
    await finished.promise;
    expect(await last.must("chat.send", { sessionId, text: "/deploy approve", idempotencyKey: "two" })).toMatchObject({
      kind: "command",
    });
    await settled(last, sessionId);
    const { session: after } = await last.must("sessions.get", { sessionId });
    expect(after.plugins).toEqual({ deploy: { deploy: { approvals: 2 } } });
    const said = (await answers(last, sessionId)).join("\n");
    expect([1, 2].map((n) => said.split(`Deployment ${n} is approved`).length - 1)).toEqual([1, 1]);
    await third.kill();
  });

  /** Until the agent has nothing left to do; looked at again whenever something has happened. */
  async function settled(client: Awaited<ReturnType<typeof wireClient>>, sessionId: SessionId): Promise<void> {
    let happened = Promise.withResolvers<void>();
    client.onEvent(() => happened.resolve());
    for (;;) {
      happened = Promise.withResolvers<void>();
      const { session } = await client.must("sessions.get", { sessionId });
      const isSaid = (await answers(client, sessionId)).join("").includes("Deployment 2");
      if (session.turn.status === "idle" && isSaid) return;
      await happened.promise;
    }
  }
});

describe("disabling a plugin", () => {
  it("[PG-01, PG-02, PG-08] leaves no timer, command, slice, job, text or card behind, and its files with them", async () => {
    const home = mkdtempSync(join(tmpdir(), "holdpoint-plugins-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const clock = fakeClock();
    const model = scriptedModel(() => ({ until: new Promise(() => undefined) })); // its turns run and do not end
    const state = await openState({ home, workspace: home, model, clock, log: "silent", env: {}, plugins: [trusted] });
    onTestFinished(() => state.store.close());
    const models = await composeModels(state);
    const machine = composeEngine(state, models);
    await enableGiven(state, machine.host);
    const feed = createFeed({ engine: machine.engine, store: state.store });
    const agent = createAgent({ state, machine, models, feed });
    machine.connect(agent.worker);
    machine.wake();
    const { engine, host, scheduler } = machine;
    const ids = ["ses_1", "ses_2", "ses_3"].map((id) => SessionId.parse(id));
    const must = async (id: SessionId, command: SessionCommand) => {
      const outcome = await engine.dispatch(id, command, { actor: alice });
      if (!outcome.ok) throw new Error(`${command.type}: ${outcome.refusal.message}`);
    };
    let messages = 0;
    for (const id of ids) {
      await must(id, { ...create, sessionId: id } as SessionCommand);
      await must(id, { type: "message.send", messageId: messageId(++messages), text: "remind me" });
    }
    await model.asked(ids.length);
    for (const id of ids)
      for (const text of ["count", "note"])
        await must(id, { type: "message.send", messageId: messageId(++messages), text });
    await must(ids[2] ?? SessionId.parse("ses_3"), { type: "session.archive", archived: true });
    await quietly(async () => (await scheduler.list()).length === 3);
    const left = async () =>
      Promise.all(
        ids.map(async (id) => {
          const session = await engine.session(id);
          return {
            slice: session?.slices["plugin:deploy"] ?? null,
            texts: session?.injections.filter(({ kind }) => kind === "plugin:deploy").length,
            jobs: (await scheduler.list(id)).length,
            timers: session?.timers.length,
          };
        }),
      );
    const full = {
      slice: { version: 1, values: { deploy: { approvals: 1, by: null } }, shown: { deploy: { approvals: 1 } } },
      texts: 1,
      jobs: 1,
      timers: 1,
    };
    await quietly(async () => JSON.stringify(await left()) === JSON.stringify([full, full, full]));
    expect(await left()).toEqual([full, full, full]);

    await host.disable("deploy");
    expect([host.commands.get("deploy"), host.actions.size, host.descriptors.size]).toEqual([undefined, 0, 0]);
    await host.cleanedUp();
    const empty = { slice: null, texts: 0, jobs: 0, timers: 0 };
    expect(await left()).toEqual([empty, empty, empty]);
    expect(readdirSync(home)).not.toContain("plugin-sweeps.json");
    await machine.drain();
  });

  async function quietly(isSo: () => Promise<boolean>): Promise<void> {
    for (let rounds = 0; rounds < 200; rounds++) {
      if (await isSo()) return;
      await quiet();
    }
  }
});
