import { afterEach, describe, expect, it } from "vitest";
import { gateSlice } from "../../test/kit/core.ts";
import { present, type ServedGateway, serveGateway } from "../../test/kit/served-gateway.ts";
import { definePlugin, type SessionState, z } from "../plugins/sdk.ts";
import type { SessionId } from "../protocol/ids.ts";
import { INJECTIONS_MAX } from "../protocol/injection.ts";
import { INJECTIONS_PER_COMMIT_MAX } from "../protocol/plugin/plugin-state.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

type Count = { count: number };

/** `/count`: adds one to what it read; between reading and storing, somebody else adds ten as often as asked for. */
async function serve(meddling: number) {
  let state: SessionState<Count> | undefined;
  const seen: number[] = [];
  const plugin = definePlugin({
    id: "counter",
    name: "Counter",
    description: "Counts.",
    register(api) {
      state = api.session.state.registerSessionExtension({
        namespace: "count",
        description: "How many.",
        schema: z.object({ count: z.int() }),
        initial: { count: 0 },
        project: (count) => count,
      });
      api.commands.registerCommand({
        name: "count",
        description: "Adds one.",
        async handler(call) {
          const { count } = z.object({ count: z.int() }).parse(call.state.get("count"));
          seen.push(count);
          if (seen.length <= meddling) await state?.update(call.session.id, (now) => ({ count: now.count + 10 }));
          call.state.set("count", { count: count + 1 });
          return { message: `now ${count + 1}` };
        },
      });
    },
  });
  gateway = await serveGateway({ plugins: [plugin] });
  const alice = await gateway.client();
  const sessionId: SessionId = (await alice.must("sessions.create", {})).session.id;
  const say = async (key: { idempotencyKey?: string } = {}) =>
    present(await alice.request("chat.send", { sessionId, text: "/count", ...key }));
  const shown = async () => (await alice.must("sessions.get", { sessionId })).session.plugins;
  return { seen, say, shown };
}

describe("a command that queues many texts", () => {
  async function queueing(count: number) {
    const plugin = definePlugin({
      id: "many",
      name: "Many",
      description: "Queues texts.",
      register(api) {
        api.commands.registerCommand({
          name: "many",
          description: "Queues texts.",
          async handler(call) {
            for (let n = 0; n < count; n++)
              call.enqueueNextTurnInjection({
                text: `text ${n}`,
                idempotencyKey: `k${n}`,
                placement: n < 4 ? "after" : "before",
              });
            return { message: "queued" };
          },
        });
      },
    });
    gateway = await serveGateway({ plugins: [plugin] });
    const alice = await gateway.client();
    const sessionId: SessionId = (await alice.must("sessions.create", {})).session.id;
    const answer = present(await alice.request("commands.run", { sessionId, name: "many", args: "" }));
    const queued = (await gateway.engine.session(sessionId))?.injections.map(({ id }) => id) ?? [];
    return { answer, queued, sessionId };
  }

  it("[IN-02] keeps those of the highest priority, the newest of the others, and never fails", async () => {
    const { answer, queued, sessionId } = await queueing(INJECTIONS_MAX + 1);
    expect(answer).toMatchObject({ ok: true });
    expect(queued).toHaveLength(INJECTIONS_MAX);
    expect(queued).not.toContain("plugin:many:k0");
    const events = await gateway.inner.events({ cursor: 0, sessionId, limit: 100 });
    expect(events.map(({ event }) => event).filter(({ type }) => type === "injection.dropped")).toEqual([
      { type: "injection.dropped", id: "plugin:many:k0", reason: "evicted" },
    ]);
  });

  it("[IN-02, PG-06] that has no end is refused as its plugin's failure", async () => {
    const { answer, queued } = await queueing(INJECTIONS_PER_COMMIT_MAX + 1);
    expect(answer).toMatchObject({ ok: false, error: { code: "PLUGIN_FAILED" } });
    expect(queued).toEqual([]);
  });
});

describe("a handler that is still running when its plugin is switched off", () => {
  it.each([
    ["off", false],
    ["on again", true],
  ])("[PG-01, PG-06] commits nothing, with the plugin %s by then", async (_how, isBack) => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const plugin = definePlugin({
      id: "slow",
      name: "Slow",
      description: "Waits.",
      register(api) {
        api.session.state.registerSessionExtension({
          namespace: "count",
          description: "x",
          schema: z.object({ n: z.int() }),
          initial: { n: 0 },
          project: (state) => state,
        });
        api.commands.registerCommand({
          name: "slow",
          description: "Waits.",
          async handler(call) {
            reached.resolve();
            await goOn.promise;
            call.state.set("count", { n: 1 });
            call.enqueueNextTurnInjection({ text: "go" });
            return { message: "done", continueAgent: true };
          },
        });
      },
    });
    gateway = await serveGateway({ plugins: [plugin] });
    const alice = await gateway.client();
    const { session } = await alice.must("sessions.create", {});
    const sent = alice.request("chat.send", { sessionId: session.id, text: "/slow" });
    await reached.promise;
    await gateway.host.disable("slow");
    await gateway.host.cleanedUp();
    if (isBack) await gateway.host.enable({ plugin });
    goOn.resolve();
    expect(present(await sent)).toMatchObject({ ok: false, error: { code: "PLUGIN_DISABLED" } });
    const after = await gateway.engine.session(session.id);
    expect([after?.turn.status, after?.injections, after?.slices["plugin:slow"]]).toEqual(["idle", [], undefined]);
  });
});

describe("a command of a plugin that has a machine of its own", () => {
  it("[PG-06] applies its command and resumes the agent, each once, however often it is sent under one key", async () => {
    const opener = definePlugin({
      id: "opener",
      name: "Opener",
      description: "Opens.",
      register(api) {
        api.session.registerSlice({ ...gateSlice, name: "valve" });
        api.registerCommand({
          name: "open",
          async handler({ apply }) {
            const outcome = await apply({ do: "open" });
            return outcome.ok ? { message: "open", continueAgent: true } : { refusal: outcome.refusal };
          },
        });
      },
    });
    gateway = await serveGateway({ plugins: [{ plugin: opener, tier: "trusted" }] });
    const alice = await gateway.client();
    const { session } = await alice.must("sessions.create", {});
    const send = () => alice.request("chat.send", { sessionId: session.id, text: "/open", idempotencyKey: "k" });
    expect(present(await send())).toMatchObject({ ok: true, payload: { message: "open" } });
    expect(present(await send())).toMatchObject({ ok: true, payload: { message: "open" } });
    const after = present(await gateway.engine.session(session.id));
    expect([after.slices["valve"], after.turn.status]).toMatchObject([{ open: true }, "requested"]);
    expect(after.injections.map(({ text }) => text)).toEqual([
      "[PLUGIN_COMMAND opener]\nalice ran /open.\n[/PLUGIN_COMMAND]",
    ]);
  });
});

describe("an invocation", () => {
  it("[PG-02] computes again when somebody else was faster, so that nothing is lost", async () => {
    const { seen, say, shown } = await serve(2);
    expect(await say()).toMatchObject({ ok: true, payload: { message: "now 21" } });
    expect(seen).toEqual([0, 10, 20]);
    expect(await shown()).toEqual({ counter: { count: { count: 21 } } });
  });

  it("[PG-02, I13] computes again under one idempotency key as well, and the key then stands for what was done", async () => {
    const { seen, say, shown } = await serve(2);
    const once = { idempotencyKey: "k" };
    expect(await say(once)).toMatchObject({ ok: true, payload: { message: "now 21" } });
    expect(await say(once)).toMatchObject({ ok: true, payload: { message: "now 21" } });
    expect(seen).toEqual([0, 10, 20]);
    expect(await shown()).toEqual({ counter: { count: { count: 21 } } });
  });

  it("[PG-02] gives up after three times with a refusal that says to try again, and changes nothing itself", async () => {
    const { seen, say, shown } = await serve(3);
    expect(await say()).toMatchObject({ ok: false, error: { code: "PLUGIN_STATE_CHANGED" } });
    expect(seen).toEqual([0, 10, 20]);
    expect(await shown()).toEqual({ counter: { count: { count: 30 } } });
  });
});
