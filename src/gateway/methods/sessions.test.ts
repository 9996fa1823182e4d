import { afterEach, describe, expect, it } from "vitest";
import {
  present,
  type ServedGateway,
  serveGateway,
  type ServedOptions,
  submitPlan,
} from "../../../test/kit/served-gateway.ts";
import { type WireClient, wireClient } from "../../../test/kit/wire-client.ts";
import type { Scope } from "../../protocol/actor.ts";
import { ALL_METHODS, type MethodName } from "../../all-methods.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import { lampField, lampPlugin } from "../../../test/kit/lamp-plugin.ts";
import { plugin } from "../../../test/kit/plugins.ts";
import { SessionId, TurnId } from "../../protocol/ids.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

const serve = async (options?: ServedOptions): Promise<WireClient> => {
  gateway = await serveGateway(options);
  return gateway.client();
};
const code = async (client: WireClient, method: MethodName, params: object): Promise<string> => {
  const answer = await client.request(method, params);
  if (answer === undefined) return "no answer";
  return answer.ok ? "ok" : answer.error.code;
};
const planOf = async (client: WireClient, sessionId: SessionId) =>
  PlanModeState.parse((await client.must("sessions.get", { sessionId })).session.slices["planMode"]).now;

describe("what a person without the right to approve can do about plan mode", () => {
  const lax = { planMode: { enabled: true, defaultActive: null } } as const;

  it("[I05, PL-14] does not include naming a role that starts a session unlocked", async () => {
    const alice = await serve(lax);
    const writer = await gateway.client(["operator.read", "operator.write"], "bob");
    expect(await code(writer, "sessions.create", { role: "worker" })).toBe("FORBIDDEN");
    expect(await code(writer, "sessions.create", {})).toBe("ok");
    expect(await code(alice, "sessions.create", { role: "worker" })).toBe("ok");
  });

  it("[I05, PL-02] does not include leaving it by a reset", async () => {
    const alice = await serve(lax);
    const writer = await gateway.client(["operator.read", "operator.write"], "bob");
    const { session } = await alice.must("sessions.create", {});
    const sessionId = session.id;
    await alice.must("sessions.patch", { sessionId, planMode: "plan" });
    const approvalId = await submitPlan(gateway, sessionId);
    const approve = { sessionId, planApproval: { action: "approve", approvalId } } as const;
    await writer.must("sessions.reset", { sessionId });
    expect(await planOf(alice, sessionId)).toMatchObject({ mode: "plan", phase: "exploring", approval: "none" });
    expect(await code(alice, "sessions.patch", approve)).toBe("APPROVAL_NOT_PENDING");
    await alice.must("sessions.patch", { sessionId, planMode: "normal" });
    await writer.must("sessions.reset", { sessionId });
    expect(await planOf(alice, sessionId)).toMatchObject({ mode: "normal", left: "never" });
  });
});

describe("sessions", () => {
  it("[I16, PL-02] of sub-agents say in every answer the mode that counts for them, which is that of the session above", async () => {
    const alice = await serve();
    const { session: parent } = await alice.must("sessions.create", {});
    const child = SessionId.parse("ses_child");
    const { agentId, surface, workspace } = parent;
    const above = { agentId, surface, workspace, parentId: parent.id, kind: "subagent", title: "" } as const;
    const agent = { kind: "agent", sessionId: parent.id } as const;
    await gateway.engine.dispatch(child, { type: "session.create", sessionId: child, ...above }, { actor: agent });
    const off = { sessionId: child, planMode: "normal" } as const;
    for (const mode of ["plan", "normal"] as const) {
      await alice.must("sessions.patch", { sessionId: parent.id, planMode: mode });
      const answer = await alice.must("sessions.patch", off);
      const short = await alice.must("sessions.patch", { ...off, withoutSession: true });
      const reset = await alice.must("sessions.reset", { sessionId: child });
      expect([answer.reply, short.reply]).toMatchObject([{ mode }, { mode }]);
      expect([answer.session?.mode, short.session, reset.session.mode]).toEqual([mode, null, mode]);
      expect((await alice.must("sessions.get", { sessionId: child })).session.mode).toBe(mode);
    }
    expect(await alice.must("commands.run", { sessionId: child, name: "plan", args: "off" })).toMatchObject({
      message: "A sub-agent has no plan mode of its own: it may do what the session above it may.",
    });
  });

  it("[GW-01] are created, read, listed, renamed, archived, reset and deleted, and answers fit their schemas", async () => {
    const alice = await serve();
    const created = await alice.must("sessions.create", { title: "Shed", workspace: "/srv/shed" });
    const sessionId = created.session.id;
    expect(ALL_METHODS["sessions.create"].result.parse(created)).toEqual(created);
    expect(created.session).toMatchObject({
      title: "Shed",
      workspace: "/srv/shed",
      surface: "api",
      kind: "chat",
      agentId: "main",
      queuedMessages: 0,
      waiting: null,
    });
    expect(await alice.must("sessions.get", { sessionId })).toEqual(created);
    const renamed = await alice.must("sessions.patch", { sessionId, title: "  Barn " });
    expect([renamed.reply, renamed.session?.title]).toEqual([null, "Barn"]);
    const list = await alice.must("sessions.list", {});
    expect(ALL_METHODS["sessions.list"].result.parse(list)).toEqual(list);
    expect(list.sessions.map(({ title }) => title)).toEqual(["Barn"]);
    await alice.must("sessions.patch", { sessionId, archived: true });
    expect((await alice.must("sessions.list", {})).sessions).toEqual([]);
    expect((await alice.must("sessions.list", { archived: true })).sessions).toHaveLength(1);
    expect(await code(alice, "chat.send", { sessionId, text: "hello" })).toBe("SESSION_ARCHIVED");
    const { session: reset } = await alice.must("sessions.reset", { sessionId });
    expect([reset.id, reset.title, reset.epoch]).toEqual([sessionId, "Barn", 1]);
    expect(await alice.must("sessions.delete", { sessionId })).toEqual({});
    expect(await code(alice, "sessions.get", { sessionId })).toBe("SESSION_NOT_FOUND");
    expect(await code(alice, "sessions.subscribe", { sessionId })).toBe("SESSION_NOT_FOUND");
  });

  it("[UI-01] whose agent could not go on are marked in the list, until a turn ends well", async () => {
    const alice = await serve({ planMode: { defaultActive: false } });
    const { session } = await alice.must("sessions.create", {});
    const sessionId = session.id;
    const by = { actor: { kind: "system" as const, reason: "test" } };
    const turn = async (outcome: "done" | "failed"): Promise<unknown> => {
      await alice.must("chat.send", { sessionId, text: "go on" });
      const asked = (await alice.must("sessions.get", { sessionId })).session.turn;
      const turnId = TurnId.parse("turnId" in asked ? asked.turnId : undefined);
      const lease = { node: "n", leaseUntilMs: gateway.clock.now() + 1_000, sole: true };
      const started = await gateway.engine.dispatch(sessionId, { type: "turn.start", turnId, ...lease }, by);
      const { epoch } = present(started.session);
      await gateway.engine.dispatch(sessionId, { type: "turn.finish", turnId, epoch, outcome, message: "" }, by);
      return (await alice.must("sessions.list", {})).sessions[0]?.failed;
    };
    expect([await turn("failed"), await turn("done")]).toEqual([true, undefined]);
  });

  it("[GW-01] are listed a page at a time, those that wait for a person on their own", async () => {
    const alice = await serve();
    const ids: SessionId[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await alice.must("sessions.create", { title: `s${n}` })).session.id);
    const pages = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(cursor);
      pages.push(page.sessions.length);
      cursor = page.nextCursor;
    } while (cursor !== null);
    async function list(from: string | null) {
      return alice.must("sessions.list", { limit: 2, cursor: from });
    }
    expect(pages).toEqual([2, 2, 1]);
    expect(await code(alice, "sessions.list", { cursor: "made-up" })).toBe("INVALID_REQUEST");
    const approvalId = await submitPlan(gateway, present(ids[3]));
    const waiting = await alice.must("sessions.list", { waiting: true });
    expect(waiting.sessions.map(({ id, waiting: what }) => [id, what?.kind, what?.id])).toEqual([
      [ids[3], "approval", approvalId],
    ]);
    const status = await alice.must("status", {});
    expect([status.waiting, status.modes]).toEqual([1, { plan: 5 }]);
    await alice.must("sessions.patch", { sessionId: present(ids[0]), planMode: "normal" });
    await alice.must("sessions.patch", {
      sessionId: present(ids[3]),
      planApproval: { action: "approve", approvalId } as never,
    });
    const modes = (await alice.must("sessions.list", {})).sessions.map(({ id, mode }) => [ids.indexOf(id), mode]);
    expect(Object.fromEntries(modes)).toEqual({ 0: "normal", 1: "plan", 2: "plan", 3: "executing", 4: "plan" });
    expect((await alice.must("status", {})).modes).toEqual({ plan: 3, executing: 1 });
    expect((await alice.must("sessions.get", { sessionId: present(ids[3]) })).session.mode).toBe("executing");
  });

  it("refuses a workspace that means another folder on each machine", async () => {
    const alice = await serve();
    expect(await code(alice, "sessions.create", { workspace: "src" })).toBe("INVALID_REQUEST");
  });
});

describe("sessions.patch", () => {
  const decide = (
    sessionId: SessionId,
    action: string,
    named: { approvalId?: string; [field: string]: string } = {},
  ) => ({
    sessionId,
    planApproval: { action, ...named },
  });

  it("[PL-10] [GW-02] takes a decision only with the id it answers; every other one changes nothing and says why", async () => {
    const alice = await serve();
    const { session } = await alice.must("sessions.create", {});
    const other = (await alice.must("sessions.create", {})).session.id;
    const stale = await submitPlan(gateway, session.id);
    const foreign = await submitPlan(gateway, other);
    const current = await submitPlan(gateway, session.id);
    const before = await alice.must("sessions.get", { sessionId: session.id });
    expect(await code(alice, "sessions.patch", decide(session.id, "approve"))).toBe("APPROVAL_ID_REQUIRED");
    expect(await code(alice, "sessions.patch", decide(session.id, "approve", { approvalId: stale }))).toBe(
      "APPROVAL_SUPERSEDED",
    );
    expect(await code(alice, "sessions.patch", decide(session.id, "approve", { approvalId: foreign }))).toBe(
      "APPROVAL_UNKNOWN",
    );
    expect(
      await code(
        alice,
        "sessions.patch",
        decide(session.id, "approve", { approvalId: current, digest: "of another text" }),
      ),
    ).toBe("APPROVAL_DIGEST_MISMATCH");
    expect(
      await code(alice, "sessions.patch", decide(session.id, "reject", { approvalId: current, feedback: "" })),
    ).toBe("FEEDBACK_REQUIRED");
    expect(await alice.must("sessions.get", { sessionId: session.id })).toEqual(before);
    expect(await code(alice, "sessions.patch", decide(session.id, "approve", { approvalId: current }))).toBe("ok");
    expect((await planOf(alice, session.id)).phase).toBe("executing");
    expect(await code(alice, "sessions.patch", decide(session.id, "approve", { approvalId: current }))).toBe(
      "APPROVAL_ALREADY_DECIDED",
    );
  });

  it("[GW-02] names one change at a time, each action with its own fields, and changes nothing for any other", async () => {
    const alice = await serve();
    const { session } = await alice.must("sessions.create", {});
    const approvalId = await submitPlan(gateway, session.id);
    const before = await alice.must("sessions.get", { sessionId: session.id });
    const { id: sessionId } = session;
    const refused: [Record<string, unknown>, string][] = [
      [{}, "INVALID_REQUEST"],
      [{ title: "a", archived: true }, "INVALID_REQUEST"],
      [{ title: "a", planApproval: { action: "approve", approvalId } }, "INVALID_REQUEST"],
      [{ planApproval: { action: "approve" } }, "APPROVAL_ID_REQUIRED"],
      [{ planApproval: { action: "edit" } }, "APPROVAL_ID_REQUIRED"],
      [{ planApproval: { action: "reject", feedback: "no" } }, "APPROVAL_ID_REQUIRED"],
      [{ planApproval: { action: "reject", approvalId } }, "FEEDBACK_REQUIRED"],
      [{ planApproval: { action: "approve", approvalId, feedback: "no" } }, "INVALID_REQUEST"],
      [{ planApproval: { action: "answer", approvalId } }, "INVALID_REQUEST"],
      [{ planApproval: { action: "auto", autoEnabled: "yes" } }, "INVALID_REQUEST"],
      [{ planApproval: { action: "sign", approvalId } }, "INVALID_REQUEST"],
      [{ permissionMode: "everything" }, "INVALID_REQUEST"],
    ];
    const codes = [];
    for (const [patch] of refused) codes.push(await code(alice, "sessions.patch", { sessionId, ...patch }));
    expect(codes).toEqual(refused.map(([, expected]) => expected));
    expect(await alice.must("sessions.get", { sessionId })).toEqual(before);
    expect(await alice.must("sessions.patch", { sessionId, permissionMode: "ask" })).toMatchObject({
      reply: { permission_mode: "ask" },
    });
    expect(await alice.must("sessions.patch", { sessionId, permissionMode: null })).toMatchObject({
      reply: { permission_mode: "default" },
    });
  });

  it("[PL-10] [I13] answers the same decision under the same key with the first answer, and another one under it with a refusal", async () => {
    const alice = await serve();
    const { session } = await alice.must("sessions.create", {});
    const approvalId = await submitPlan(gateway, session.id);
    const approve = { ...decide(session.id, "approve", { approvalId }), idempotencyKey: "k1" };
    const first = await alice.must("sessions.patch", approve as never);
    const events = (await gateway.store.events({ cursor: 0, limit: 500 })).length;
    expect(await alice.must("sessions.patch", approve as never)).toEqual(first);
    expect(
      await code(alice, "sessions.patch", { ...decide(session.id, "edit", { approvalId }), idempotencyKey: "k1" }),
    ).toBe("IDEMPOTENCY_KEY_REUSED");
    const late = { ...decide(session.id, "reject", { approvalId, feedback: "no" }), idempotencyKey: "k2" };
    expect([await code(alice, "sessions.patch", late), await code(alice, "sessions.patch", late)]).toEqual([
      "APPROVAL_ALREADY_DECIDED",
      "APPROVAL_ALREADY_DECIDED",
    ]);
    expect((await gateway.store.events({ cursor: 0, limit: 500 })).length).toBe(events);
    const bob = await gateway.client(undefined, "bob");
    expect(await code(bob, "sessions.patch", approve)).toBe("APPROVAL_ALREADY_DECIDED"); // the key is alice's
  });

  it("[PL-10] lets one of many conflicting decisions win, and shows every client the same winner", async () => {
    const alice = await serve();
    const { session } = await alice.must("sessions.create", {});
    const watchers = await Promise.all(["w1", "w2"].map((name) => gateway.client(undefined, name)));
    const seen = watchers.map((watcher) => {
      const decisions: unknown[] = [];
      watcher.onEvent(
        ({ event, payload }) => void (/^plan\.(?:approved|rejected)$/.test(event) && decisions.push([event, payload])),
      );
      return decisions;
    });
    for (const watcher of watchers) await watcher.must("sessions.subscribe", { sessionId: session.id });
    const approvalId = await submitPlan(gateway, session.id);
    const people = await Promise.all(Array.from({ length: 20 }, (_, n) => gateway.client(undefined, `person ${n}`)));
    const answers = await Promise.all(
      people.map((person, n) =>
        code(
          person,
          "sessions.patch",
          n % 2 === 0 ? decide(session.id, "approve", { approvalId }) : decide(session.id, "edit", { approvalId }),
        ),
      ),
    );
    expect(answers.filter((answer) => answer === "ok")).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(["ok", "APPROVAL_ALREADY_DECIDED"]));
    for (const watcher of watchers) await watcher.must("health", {});
    expect(seen[0]).toHaveLength(1);
    expect(seen[1]).toEqual(seen[0]);
  });

  it("[GW-03] needs the right to approve for decisions and nothing else, and the right to write for the rest", async () => {
    await serve();
    const admin = await gateway.client();
    const { session } = await admin.must("sessions.create", {});
    const approvalId = await submitPlan(gateway, session.id);
    const asked = async (scopes: Scope[]) =>
      code(await gateway.client(scopes), "sessions.patch", decide(session.id, "approve", { approvalId }));
    expect(await asked(["operator.read", "operator.write"])).toBe("FORBIDDEN");
    expect(await asked(["operator.read"])).toBe("FORBIDDEN");
    expect((await planOf(admin, session.id)).phase).toBe("pending");
    const approver = await gateway.client(["operator.approvals"]);
    expect(await code(approver, "sessions.patch", { sessionId: session.id, title: "Mine" })).toBe("FORBIDDEN");
    expect(await asked(["operator.approvals"])).toBe("ok");
  });

  it("[PL-02] enters and leaves plan mode, and leaving works where entering does not", async () => {
    const alice = await serve({ planMode: { enabled: false } });
    const sessionId = (await alice.must("sessions.create", {})).session.id;
    expect(await code(alice, "sessions.patch", { sessionId, planMode: "plan" })).toBe("PLAN_MODE_DISABLED");
    expect(await code(alice, "sessions.patch", { sessionId, planMode: null })).toBe("ok");
    expect(await code(alice, "sessions.patch", { sessionId, planMode: "normal" })).toBe("ok");
  });

  it("says so when no plugin takes the field", async () => {
    const alice = await serve({ plugins: [] });
    const sessionId = (await alice.must("sessions.create", {})).session.id;
    expect(await code(alice, "sessions.patch", { sessionId, planMode: "plan" })).toBe("INVALID_REQUEST");
  });

  it("[PG-02] takes a field that a trusted plugin of somebody else registered, by its name or as field and value", async () => {
    const alice = await serve({ plugins: [planModePlugin, { plugin: lampPlugin, tier: "trusted" }] });
    const sessionId = (await alice.must("sessions.create", {})).session.id;
    const lamp = async () => (await alice.must("sessions.get", { sessionId })).session.slices["lamp"];
    const patched = async (params: object) => alice.request("sessions.patch", { sessionId, ...params } as never);
    expect(await patched({ lampColour: "red", idempotencyKey: "k" })).toMatchObject({ ok: true });
    expect(await lamp()).toEqual({ colour: "red" });
    const again = { field: "lampColour", value: "red", idempotencyKey: "k" };
    expect(await patched(again)).toMatchObject({ ok: true }); // the same request, so the first answer
    expect(await patched({ field: "lampColour", value: "green" })).toMatchObject({ ok: true });
    expect(await lamp()).toEqual({ colour: "green" });
    expect(await patched({ lampColour: "mauve" })).toMatchObject({
      error: { code: "INVALID_REQUEST", details: { path: "lampColour" } },
    });
    expect(await patched({ field: "lampcolor", value: "red" })).toMatchObject({
      error: {
        code: "INVALID_REQUEST",
        message: 'sessions.patch: field: unknown field "lampcolor"',
        details: { path: "field", near: ["lampColour"] },
      },
    });
    expect(await patched({ planmode: "plan" })).toMatchObject({
      error: {
        message: 'sessions.patch: params: unknown field "planmode"',
        details: { near: ["planMode", "planNote"] },
      },
    });
    const reader = await gateway.client(["operator.read"], "bob");
    expect(await code(reader, "sessions.patch", { sessionId, lampColour: "red" })).toBe("FORBIDDEN");
    await gateway.host.disable("lamp");
    expect(await patched({ lampColour: "red" })).toMatchObject({
      error: { code: "INVALID_REQUEST", message: 'sessions.patch: params: unknown field "lampColour"' },
    });
  });

  it.each(["sessionId", "title", "field", "with space"])("[PG-02] gives no plugin the field %s", async (field) => {
    await serve();
    const taken = plugin("taker", (api) =>
      api.session.registerPatchField({ ...lampField, field, toCommand: () => ({}) }),
    );
    await expect(gateway.host.enable({ plugin: taken, tier: "trusted" })).rejects.toThrow("cannot name a field");
  });
});

describe("idempotency keys", () => {
  it("[I13] make a repeated creation the same session, also after the gateway was started anew", async () => {
    const alice = await serve();
    const create = { idempotencyKey: "once", title: "Shed" };
    const first = await alice.must("sessions.create", create);
    expect(await alice.must("sessions.create", create)).toEqual(first);
    expect(await code(alice, "sessions.create", { ...create, title: "Barn" })).toBe("IDEMPOTENCY_KEY_REUSED");
    const bob = await gateway.client(undefined, "bob");
    expect((await bob.must("sessions.create", create)).session.id).not.toBe(first.session.id);
    const secret = await gateway.token(undefined, "carol");
    const carol = await wireClient({ url: gateway.url, token: secret });
    const hers = await carol.must("sessions.create", create);
    const { inner } = gateway;
    await gateway.close();
    gateway = await serveGateway({ store: inner });
    const again = await wireClient({ url: gateway.url, token: secret });
    expect(await again.must("sessions.create", create)).toEqual(hers);
    expect((await again.must("sessions.list", {})).sessions).toHaveLength(3);
  });

  it("[PL-12] bring no deleted conversation back when a key is used again after it was forgotten", async () => {
    const alice = await serve();
    const create = { idempotencyKey: "once" };
    const { session } = await alice.must("sessions.create", create);
    await alice.must("sessions.delete", { sessionId: session.id });
    expect(await code(alice, "sessions.create", create)).toBe("SESSION_NOT_FOUND"); // the first answer was about a session that is gone
    await gateway.store.prune(gateway.clock.now() + 49 * 3_600_000);
    expect((await alice.must("sessions.create", create)).session.id).not.toBe(session.id);
  });

  it("[I13] make repeated messages, resets, aborts and deletions happen once", async () => {
    const alice = await serve();
    const sessionId = (await alice.must("sessions.create", {})).session.id;
    const send = { sessionId, text: "hello", idempotencyKey: "m" };
    const sent = await alice.must("chat.send", send);
    expect(await alice.must("chat.send", send)).toEqual(sent);
    expect((await alice.must("sessions.get", { sessionId })).session.queuedMessages).toBe(1);
    const abort = { sessionId, idempotencyKey: "a" };
    expect([await code(alice, "chat.abort", abort), await code(alice, "chat.abort", abort)]).toEqual(["ok", "ok"]);
    const reset = { sessionId, idempotencyKey: "r" };
    const epoch = (await alice.must("sessions.reset", reset)).session.epoch;
    expect((await alice.must("sessions.reset", reset)).session.epoch).toBe(epoch);
    const remove = { sessionId, idempotencyKey: "d" };
    expect([await code(alice, "sessions.delete", remove), await code(alice, "sessions.delete", remove)]).toEqual([
      "ok",
      "ok",
    ]);
    expect(await code(alice, "sessions.delete", { sessionId })).toBe("SESSION_NOT_FOUND");
  });
});

it("[GW-03] every method needs its scope, and without it says no before it looks at anything", async () => {
  await serve();
  const nobody = await gateway.client([]);
  const everything = Object.entries(ALL_METHODS).filter(([name]) => name !== "connect");
  for (const [name] of everything)
    expect([name, await code(nobody, name as MethodName, { nonsense: true })]).toEqual([name, "FORBIDDEN"]);
  const reader = await gateway.client(["operator.read"]);
  const before =
    (await gateway.store.events({ cursor: 0, limit: 500 })).length +
    (await gateway.store.auditRows({ afterSeq: 0, limit: 500 })).length;
  const changing = everything.filter(([, { scope }]) => scope !== "operator.read");
  for (const [name] of changing)
    expect([name, await code(reader, name as MethodName, {})]).toEqual([name, "FORBIDDEN"]);
  for (const [name] of everything) await code(reader, name as MethodName, {});
  const after =
    (await gateway.store.events({ cursor: 0, limit: 500 })).length +
    (await gateway.store.auditRows({ afterSeq: 0, limit: 500 })).length;
  expect(after).toBe(before); // who may only read changes nothing
});
