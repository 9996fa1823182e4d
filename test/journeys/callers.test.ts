/** Calls that no turn makes: a trusted plugin speaks for an agent outside, and runs cells inside calls of the model. */
import { describe, expect, it } from "vitest";
import { definePlugin, type OpenCaller, type PluginApi, z } from "../../src/plugins/sdk.ts";
import { CallerId, type SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Refused } from "../../src/protocol/refusal.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "../../src/testing/index.ts";

const PLAN = { title: "Press it", plan: [{ step: "press", status: "pending" }] };
const CON = { kind: "external", connection: "con_1" } as const;

/** A plugin with a button that changes the world, and a tool inside of which a cell runs what a test wrote. */
function bridge() {
  const pressed: string[] = [];
  const hold: { begun: PromiseWithResolvers<void>; until: Promise<unknown> | undefined } = {
    begun: Promise.withResolvers(),
    until: undefined,
  };
  const now: { api?: PluginApi; cell?: (caller: OpenCaller) => Promise<unknown> } = {};
  const plugin = definePlugin({
    id: "bridge",
    name: "Bridge",
    description: "for tests",
    register(api) {
      now.api = api;
      api.tools.registerTool({
        name: "press",
        description: "Presses the button.",
        kind: "outbound",
        effect: "write",
        input: z.strictObject({ what: z.string() }),
        async run({ what }, _context, { caller, epoch }) {
          pressed.push(`${what} by ${caller?.kind ?? "turn"} under ${epoch}`);
          hold.begun.resolve();
          await hold.until;
          return { status: "ok", content: `pressed ${what}` };
        },
      });
      api.tools.registerTool({
        name: "cell",
        description: "Runs a cell.",
        kind: "read_only",
        effect: "read",
        input: z.strictObject({}),
        async run(_args, context) {
          const caller = must(await api.calls.open({ kind: "cell", parent: context }));
          const content = await now.cell?.(caller);
          await caller.close();
          return { status: "ok", content: JSON.stringify(content) };
        },
      });
    },
  });
  return { pressed, hold, now, load: { plugin, tier: "trusted" as const } };
}

function must<Value extends object>(answer: Value | Refused): Value {
  if ("refused" in answer) throw new Error(`${answer.refused.code}: ${answer.refused.message}`);
  return answer;
}

async function opened({ approvers, ...given }: Pick<TestGatewayOptions, "script"> & { approvers?: string[] } = {}) {
  const made = bridge();
  const limits =
    approvers === undefined ? {} : { approvals: { approvers }, automation: { unattended: "open" as const } };
  const settings = { agents: { defaults: { planMode: { enabled: true } } }, ...limits };
  const gateway = await startTestGateway({ plugins: [made.load], settings, ...given });
  const { api } = made.now;
  if (api === undefined) throw new Error("the plugin was not registered");
  const history = async (sessionId: SessionId) =>
    (await gateway.client.call("chat.history", { sessionId, limit: 200 })).items.map(({ entry }) => entry);
  const plan = async (sessionId: SessionId) =>
    PlanModeState.parse((await gateway.client.call("sessions.get", { sessionId })).session.slices["planMode"]);
  const facts = async (sessionId: SessionId): Promise<{ type: string; detail: JsonObject }[]> => {
    const { rows } = await gateway.client.call("audit.list", { sessionId, limit: 200 });
    return rows.flatMap(({ body }) => z.object({ facts: z.array(Fact) }).parse(JSON.parse(body)).facts);
  };
  return { ...made, gateway, api, history, plan, facts };
}
const Fact = z.object({ type: z.string(), detail: z.record(z.string(), z.json()) });

type World = Awaited<ReturnType<typeof opened>>;

async function approved({ gateway, plan }: World, sessionId: SessionId, caller: OpenCaller): Promise<string> {
  expect(must(await caller.call("exit_plan_mode", PLAN)).status).toBe("ok");
  const { now } = await plan(sessionId);
  if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
  const { approvalId } = now.submission;
  await gateway.client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
  return approvalId;
}

/** Time passes while the process dies: whoever would wait for something gives up. */
async function killed(gateway: TestGateway): Promise<void> {
  let isOver = false;
  const { clock } = gateway;
  const kill = gateway.kill().finally(() => void (isOver = true));
  while (!isOver) {
    clock.advance(100);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await kill;
}

describe("an agent outside", () => {
  it("[GA-02, GA-12, PL-05] is refused in plan mode, is permitted once per call after a person's approval, and audited", async () => {
    const world = await opened();
    await using gateway = world.gateway;
    const { sessionId } = must(await world.api.calls.createSession({ title: "Claude" }));
    const connection = new AbortController();
    const caller = must(await world.api.calls.open({ ...CON, sessionId, signal: connection.signal }));
    await gateway.client.call("sessions.patch", { sessionId, planMode: "plan" });

    const refused = must(await caller.call("press", { what: "red" }, { ref: "toolu_1" }));
    expect(refused).toMatchObject({ status: "refused", content: { tool_name: "press", tool_kind: "outbound" } });
    expect(world.pressed).toEqual([]);
    const approvalId = await approved(world, sessionId, caller);
    const done = must(await caller.call("press", { what: "red" }));
    expect([done.status, world.pressed]).toEqual(["ok", ["red by external under 1"]]);

    const claims = (await world.facts(sessionId)).filter(({ type }) => type === "call.claimed");
    expect(claims).toEqual([
      {
        type: "call.claimed",
        detail: {
          callId: done.callId,
          tool: "press",
          argsDigest: expect.any(String),
          epoch: 1,
          caller: { id: caller.id, kind: "external" },
          under: expect.objectContaining({ planMode: expect.objectContaining({ approvalId }) }),
        },
      },
    ]);
    expect(gateway.model.requests).toEqual([]); // its own turns are none of ours
    connection.abort();
    const seen = await (await gateway.person(ALL)).session(sessionId);
    await seen.when(() => seen.stored()?.callers === undefined);
  });

  it("[PL-19] is held with its session, and so is a cell: leaving plan mode opens nothing for either", async () => {
    const script = [{ calls: [{ tool: "cell", args: {} }] }, { say: "I tried." }];
    const world = await opened({ approvers: ["somebody else"], script });
    await using gateway = world.gateway;
    const { sessionId } = must(await world.api.calls.createSession({ title: "Claude" }));
    const caller = must(await world.api.calls.open({ ...CON, sessionId, signal: new AbortController().signal }));
    await gateway.client.call("sessions.patch", { sessionId, planMode: "plan" });
    await gateway.client.call("sessions.patch", { sessionId, planMode: "normal" });
    const held = { status: "refused", content: { rule: "plan-mode/held" } };
    expect(must(await caller.call("press", { what: "red" }))).toMatchObject(held);

    const { id } = (await gateway.client.call("sessions.create", {})).session;
    await gateway.client.call("sessions.patch", { sessionId: id, planMode: "plan" });
    await gateway.client.call("sessions.patch", { sessionId: id, planMode: null });
    const inside: unknown[] = [];
    world.now.cell = async (cell) => inside.push(must(await cell.call("press", { what: "blue" })));
    await gateway.client.call("chat.send", { sessionId: id, text: "press it" });
    await expect.poll(() => inside).toMatchObject([held]);
    expect(world.pressed).toEqual([]);
  });

  it("[I15, I20] killed between claim and result leaves the call unknown, shown, and never run again", async () => {
    const world = await opened();
    await using gateway = world.gateway;
    const { sessionId } = must(await world.api.calls.createSession({ title: "Claude" }));
    const { signal } = new AbortController();
    const caller = must(await world.api.calls.open({ ...CON, sessionId, signal }));
    await gateway.client.call("sessions.patch", { sessionId, planMode: "plan" });
    await approved(world, sessionId, caller);
    world.hold.until = new Promise(() => undefined);
    const call = caller.call("press", { what: "red" });
    call.catch(() => undefined); // its gateway dies
    await world.hold.begun.promise;
    const person = await gateway.person(ALL);
    const seen = await person.session(sessionId);
    await killed(gateway);
    await gateway.restart();
    gateway.clock.advance(15_000);
    await seen.when(() => seen.stored()?.callers === undefined);

    const entries = await world.history(sessionId);
    expect(entries.findLast((entry) => entry.kind === "call-result")).toMatchObject({
      tool: "press",
      status: "unknown",
    });
    expect(await seen.notices()).toContain(
      "A call of press was under way when its caller was lost. Its outcome is unknown and it was not repeated.",
    );
    expect(seen.stored()?.injections).toContainEqual(expect.objectContaining({ kind: "caller_lost" }));
    expect(world.pressed).toHaveLength(1);
  });

  it("[PG-04] is spoken for by a trusted plugin only", async () => {
    const asked: unknown[] = [];
    const ordinary = definePlugin({
      id: "ordinary",
      name: "Ordinary",
      description: "for tests",
      register: (api) =>
        api.on("gateway_start", () =>
          api.calls.createSession({ title: "x" }).then(
            (made) => void asked.push(made),
            (error: unknown) => void asked.push(String(error)),
          ),
        ),
    });
    const made = bridge();
    await using gateway = await startTestGateway({ plugins: [made.load, { plugin: ordinary, tier: "ordinary" }] });
    const session = await gateway.session();
    await session.when(() => asked.length > 0);
    expect(asked).toEqual([expect.stringContaining("only a trusted plugin may register callers")]);
  });
});

describe("a cell inside a call of the model", () => {
  const script: TestGatewayOptions["script"] = ({ entries }) =>
    entries.some((entry) => entry.kind === "result") ? { say: "Done." } : { calls: [{ tool: "cell", callId: "c1" }] };

  it("[CM-04, RT-05] makes nested calls through the whole gate, shown under their parent and not sent to the model", async () => {
    const world = await opened({ script });
    await using gateway = world.gateway;
    const session = await gateway.session();
    await gateway.client.call("sessions.patch", { sessionId: session.id, planMode: "plan" });
    world.now.cell = async (caller) => {
      const answer = must(await caller.call("press", { what: "red" }));
      await gateway.client.call("sessions.patch", { sessionId: session.id, planMode: "normal" });
      return [answer.status, must(await caller.call("press", { what: "blue" })).status];
    };
    await session.say("Go");
    await session.atRest();
    expect(world.pressed).toEqual(["blue by cell under 1"]);
    const entries = await world.history(session.id);
    expect(entries.flatMap((entry) => ("caller" in entry ? [[entry.kind, entry.parentCallId]] : []))).toEqual([
      ["call", "c1"],
      ["call-result", "c1"],
      ["call", "c1"],
      ["call-result", "c1"],
    ]);
    expect(await session.results()).toEqual([{ tool: "cell", status: "ok", content: '["refused","ok"]' }]);
    const last = gateway.model.requests.at(-1);
    expect(last?.entries.map(({ kind }) => kind)).toEqual(["input", "assistant", "result"]);
    expect(session.stored()).not.toHaveProperty("callers");
  });

  it("[I15, GA-12] killed in a nested call: that call and its parent are unknown, the cell does not begin again", async () => {
    const world = await opened({ script });
    await using gateway = world.gateway;
    const session = await gateway.session();
    world.hold.until = new Promise(() => undefined);
    world.now.cell = async (caller) => must(await caller.call("press", { what: "red" })).status;
    await session.say("Go");
    await world.hold.begun.promise;
    await killed(gateway);
    await gateway.restart();
    await session.atRest();
    const entries = await world.history(session.id);
    expect(entries.flatMap((entry) => ("status" in entry ? [[entry.tool, entry.status]] : []))).toEqual([
      ["press", "unknown"],
      ["cell", "unknown"],
    ]);
    expect(world.pressed).toHaveLength(1);
    expect(session.stored()).not.toHaveProperty("callers");
  });

  it("[CM-05] cannot be resumed by a name that nobody suspended", async () => {
    const world = await opened({ script });
    await using gateway = world.gateway;
    const session = await gateway.session();
    world.now.cell = async (caller) => {
      const { callers = [], turn, epoch } = session.stored() ?? { turn: { status: "idle" as const }, epoch: 0 };
      if (turn.status !== "running") throw new Error("no turn runs");
      expect(callers.map(({ id }) => id)).toEqual([caller.id]);
      const { signal } = new AbortController();
      const parent = { sessionId: session.id, turnId: turn.turnId, callId: "c1", epoch, signal };
      return world.api.calls.resume({ callerId: CallerId.parse("clr_x"), parent });
    };
    await session.say("Go");
    await session.atRest();
    expect(await session.results()).toMatchObject([{ content: expect.stringContaining("LEASE_LOST") }]);
  });
});

const ALL = { name: "Rita", scopes: ["operator.read", "operator.write", "operator.approvals"] } as const;
