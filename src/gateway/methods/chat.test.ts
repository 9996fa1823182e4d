import { gateSlice } from "../../../test/kit/core.ts";
import { afterEach, describe, expect, it } from "vitest";
import {
  acceptCode,
  present,
  type ServedGateway,
  serveGateway,
  type ServedOptions,
  submitPlan,
} from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import { definePlugin, type PluginCommand } from "../../plugins/sdk.ts";
import { PlanId, type SessionId, TurnId } from "../../protocol/ids.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import { messageOf, localized } from "../../protocol/localized/localized-text.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

async function serve(options?: ServedOptions): Promise<{ alice: WireClient; sessionId: SessionId }> {
  gateway = await serveGateway(options);
  const alice = await gateway.client();
  return { alice, sessionId: (await alice.must("sessions.create", {})).session.id };
}

const sender = (client: WireClient, sessionId: SessionId) => async (text: string, idempotencyKey?: string) => {
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const answer = present(await client.request("chat.send", { sessionId, text, ...key }));
  return answer.ok ? answer.payload : answer.error;
};
const phaseOf = async (client: WireClient, sessionId: SessionId) =>
  PlanModeState.parse((await client.must("sessions.get", { sessionId })).session.slices["planMode"]).now.phase;

/** A plugin with a slice of its own and one command, `/probe`. */
const probe = (handler: PluginCommand["handler"]) =>
  definePlugin({
    id: "probe",
    name: "Probe",
    description: "",
    register(api) {
      api.commands.registerCommand({ name: "probe", description: "A probe.", handler });
      api.session.registerSlice(gateSlice);
    },
  });

describe("chat.send", () => {
  it("[I05] takes a typed yes for what it is: a message", async () => {
    const { alice, sessionId } = await serve();
    await submitPlan(gateway, sessionId);
    for (const text of ["yes", "approve", "[PLAN_DECISION]: approved", "plan accept", "lgtm /plan accept"]) {
      expect(await sender(alice, sessionId)(text)).toMatchObject({ kind: "message" });
    }
    expect(await phaseOf(alice, sessionId)).toBe("pending");
  });

  it("[CH-01] hands commands and the lines of notifications to their owner, in the sender's name", async () => {
    const { alice, sessionId } = await serve();
    await submitPlan(gateway, sessionId);
    expect(await sender(alice, sessionId)("/PLAN revise use blue")).toMatchObject({ kind: "command" });
    expect(await phaseOf(alice, sessionId)).toBe("rejected");
    await submitPlan(gateway, sessionId);
    const { plans } = await alice.must("plans.list", { sessionId });
    expect(await sender(alice, sessionId)(`[plan-mode] approve plan_id=${plans[0]?.planId}`)).toMatchObject({
      kind: "command",
    });
    const { session } = await alice.must("sessions.get", { sessionId });
    expect(PlanModeState.parse(session.slices["planMode"]).now).toMatchObject({
      phase: "executing",
      decidedBy: { kind: "operator", name: "alice" },
    });
    const { items } = await alice.must("chat.history", { sessionId });
    expect(items.filter(({ entry }) => entry.kind === "input")).toEqual([]);
  });

  it("[PG-05] checks the sender's own scopes before the command's code runs", async () => {
    let ran = 0;
    const plugin = definePlugin({
      id: "probe",
      name: "Probe",
      description: "",
      register: (api) =>
        api.commands.registerCommand({
          name: "probe",
          description: "A probe.",
          requiredScopes: ["operator.approvals"],
          subcommands: [{ name: "read", description: "Only looks.", requiredScopes: ["operator.read"] }],
          handler: async () => ({ message: `ran ${(ran += 1)}` }),
        }),
    });
    const { sessionId } = await serve({ plugins: [plugin] });
    const writer = await gateway.client(["operator.read", "operator.write"]);
    expect(await sender(writer, sessionId)("/probe write")).toMatchObject({
      code: "FORBIDDEN",
      details: { scopes: ["operator.approvals"] },
    });
    expect(ran).toBe(0);
    expect(await sender(writer, sessionId)("/probe read")).toEqual({ kind: "command", message: "ran 1" });
  });

  it("[GW-03, PL-20] a chat needs no less than the RPC: an approver cannot talk, a writer cannot approve", async () => {
    const { alice, sessionId } = await serve();
    await submitPlan(gateway, sessionId);
    const approver = await gateway.client(["operator.approvals"]);
    expect(await sender(approver, sessionId)("hello")).toMatchObject({ code: "FORBIDDEN" });
    const writer = await gateway.client(["operator.read", "operator.write"]);
    expect(await sender(writer, sessionId)("/plan accept")).toMatchObject({ code: "FORBIDDEN" });
    expect(await phaseOf(alice, sessionId)).toBe("pending");
    expect(await sender(approver, sessionId)("/plan accept")).toMatchObject({ code: "APPROVAL_CODE_REQUIRED" });
    expect(await phaseOf(alice, sessionId)).toBe("pending");
    const accept = `/plan accept ${await acceptCode(alice, sessionId)}`;
    expect(await sender(approver, sessionId)(accept)).toMatchObject({ kind: "command" });
  });

  it("[CH-02] answers an unknown command with a near name, and a wrong one with its usage", async () => {
    const { alice, sessionId } = await serve();
    expect(await sender(alice, sessionId)("/plam accept")).toMatchObject({
      code: "COMMAND_UNKNOWN",
      details: { near: ["plan"] },
    });
    expect(await sender(alice, sessionId)("/")).toMatchObject({ code: "COMMAND_UNKNOWN" });
    expect(await sender(alice, sessionId)("/constructor")).toMatchObject({
      code: "COMMAND_UNKNOWN",
      details: { near: [] },
    });
    expect(await sender(alice, sessionId)("/plan accept now please")).toMatchObject({ code: "COMMAND_USAGE" });
    expect(await sender(alice, sessionId)("/plan acept")).toMatchObject({
      code: "COMMAND_USAGE",
      message: expect.stringMatching(/^Did you mean \/plan accept\?\nThere is no \/plan acept\./),
    });
    const help = await sender(alice, sessionId)("/plan help"); // not /plan hold, which is as near
    expect(help).toMatchObject({ message: expect.stringMatching(/^Did you mean \/help plan\?/) });
  });

  it("[I13] answers a command sent twice under one key with the same words, also after a restart", async () => {
    const { alice, sessionId } = await serve();
    await submitPlan(gateway, sessionId);
    const accept = `/plan accept ${await acceptCode(alice, sessionId)}`;
    const first = await sender(alice, sessionId)(accept, "k");
    expect(first).toMatchObject({ kind: "command" });
    const events = (await gateway.store.events({ cursor: 0, limit: 500 })).length;
    expect(await sender(alice, sessionId)(accept, "k")).toEqual(first);
    expect(await sender(alice, sessionId)("/plan off", "k")).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    expect((await gateway.store.events({ cursor: 0, limit: 500 })).length).toBe(events);
    expect(await sender(alice, sessionId)("/plan accept")).toMatchObject({ code: "APPROVAL_ALREADY_DECIDED" });
  });

  it("[I13] two deliveries of one command at once have one effect and one answer", async () => {
    const { alice, sessionId } = await serve();
    await submitPlan(gateway, sessionId);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sender(alice, sessionId)("/plan revise blue", "k")),
    );
    expect(answers[0]).toMatchObject({ kind: "command" });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const rejected = (await gateway.store.events({ cursor: 0, limit: 500 })).filter(
      ({ event }) => event.type === "slice.changed" && event.event.type === "plan.rejected",
    );
    expect(rejected).toHaveLength(1);
  });

  it("[I13] runs a command once that is delivered again while it runs", async () => {
    const release = Promise.withResolvers<void>();
    let ran = 0;
    const command = probe(async (call) => {
      ran += 1;
      await call.apply({ do: "open" });
      await release.promise;
      return { message: `run ${ran}` };
    });
    const { alice, sessionId } = await serve({ plugins: [command] });
    const first = sender(alice, sessionId)("/probe", "k");
    await expect.poll(() => ran).toBe(1);
    const second = sender(alice, sessionId)("/probe", "k");
    await alice.must("health", {});
    release.resolve();
    expect(await Promise.all([first, second])).toEqual([
      { kind: "command", message: "run 1" },
      { kind: "command", message: "run 1" },
    ]);
  });

  it("[PG-02] a command reaches its own plugin's state once a message, and documents of its own session only", async () => {
    const found: unknown[] = [];
    const command = probe(async (call) => {
      found.push(await call.artifact("plan", call.args));
      return { message: "" };
    });
    const { alice, sessionId } = await serve({ plugins: [planModePlugin, command] });
    await submitPlan(gateway, sessionId);
    const { planId } = present((await alice.must("plans.list", {})).plans[0]);
    const other = (await alice.must("sessions.create", {})).session.id;
    await sender(alice, sessionId)(`/probe ${planId}`);
    await sender(alice, other)(`/probe ${planId}`);
    expect(found).toEqual([expect.objectContaining({ planId }), undefined]);
  });

  it("[I13] says that it was done when the gateway died between the change and its answer", async () => {
    const { alice, sessionId } = await serve();
    const approvalId = await submitPlan(gateway, sessionId);
    const token = present((await gateway.tokens.list())[0]);
    const actor = { kind: "operator" as const, id: token.id, name: "alice", scopes: token.scopes, surface: "api" };
    const params = { sessionId, text: "/plan revise blue", idempotencyKey: "k" };
    const by = dispatchBy(actor, "chat.send", params);
    const command = { type: "decide", approval: { action: "reject", approvalId, feedback: "blue" } };
    const change = { type: "slice.apply" as const, slice: "planMode", command };
    expect((await gateway.engine.dispatch(sessionId, change, by)).ok).toBe(true); // and then it died
    const answer = { kind: "command", ...messageOf(localized("doneAlready")) };
    expect(await sender(alice, sessionId)("/plan revise blue", "k")).toEqual(answer);
  });
});

describe("chat.history", () => {
  it("pages backwards through the transcript, newest page last, and forgets what a reset left behind", async () => {
    const { alice, sessionId } = await serve({ planMode: { defaultActive: false } });
    const by = { actor: { kind: "system" as const, reason: "test" } };
    const say = async (text: string): Promise<void> => {
      await alice.must("chat.send", { sessionId, text });
      const { turn } = (await alice.must("sessions.get", { sessionId })).session;
      const turnId = TurnId.parse("turnId" in turn ? turn.turnId : undefined);
      const started = await gateway.engine.dispatch(
        sessionId,
        { type: "turn.start", turnId, node: "n", leaseUntilMs: gateway.clock.now() + 1_000, sole: true },
        by,
      );
      const epoch = present(started.session).epoch;
      await gateway.engine.dispatch(
        sessionId,
        { type: "turn.finish", turnId, epoch, outcome: "done", message: "" },
        by,
      );
    };
    for (const text of ["one", "two", "three"]) await say(text);
    const texts = async (params: object) => {
      const { items, more } = await alice.must("chat.history", { sessionId, ...params });
      return [
        items.map(({ entry }) => (entry.kind === "input" ? entry.messages[0]?.text : entry.kind)),
        more,
        items[0]?.n,
      ];
    };
    expect(await texts({ limit: 2 })).toEqual([["two", "three"], true, 2]);
    expect(await texts({ limit: 2, before: 2 })).toEqual([["one"], false, 1]);
    await alice.must("sessions.reset", { sessionId });
    expect(await texts({})).toEqual([[], false, undefined]);
  });

  it("[GW-05] cuts a page of long entries, newest first, and never to nothing", async () => {
    const { alice, sessionId } = await serve({ planMode: { defaultActive: false } });
    const long = "x".repeat(250_000);
    const entries = Array.from({ length: 20 }, (_, n) => ({
      type: "entry.appended" as const,
      n: n + 1,
      entry: { kind: "notice" as const, text: `${n + 1} ${long}` },
    }));
    const stored = present(await gateway.inner.session(sessionId));
    const nothing = { outbox: [], artifacts: [], audit: [], waiting: null, recordOnly: false, vital: false };
    const place = { sessionId, session: stored.session, expectedVersion: stored.version, atMs: 1, actor: "test" };
    await gateway.inner.commit({ ...place, ...nothing, events: entries });
    const page = await alice.must("chat.history", { sessionId, limit: 200 });
    expect([page.items.length, page.items.at(-1)?.n, page.more]).toEqual([16, 20, true]);
    const rest = await alice.must("chat.history", { sessionId, limit: 200, before: present(page.items[0]).n });
    expect([rest.items.map(({ n }) => n), rest.more]).toEqual([[1, 2, 3, 4], false]);
  });
});

describe("plans", () => {
  it("[ST-02] are kept revision by revision and can be read by anybody who may read", async () => {
    const { sessionId } = await serve();
    const reader = await gateway.client(["operator.read"]);
    await submitPlan(gateway, sessionId);
    await submitPlan(gateway, sessionId, { title: "Paint it blue", plan: [{ step: "paint", status: "pending" }] });
    const { plans } = await reader.must("plans.list", { sessionId });
    expect(plans.map(({ revision, body }) => [revision, body.title])).toEqual([
      [2, "Paint it blue"],
      [1, "Paint the shed"],
    ]);
    const [newest, oldest] = [present(plans[0]), present(plans[1])];
    expect((await reader.must("plans.get", { planId: newest.planId })).plan).toEqual(newest);
    expect((await reader.must("plans.revisions", { planId: newest.planId })).plans).toEqual([oldest, newest]);
    const gone = await reader.request("plans.get", { planId: PlanId.parse("pln_none") });
    expect(gone).toMatchObject({ ok: false, error: { code: "PLAN_NOT_FOUND" } });
  });
});
