import { afterEach, describe, expect, it } from "vitest";
import { present, type ServedGateway, serveGateway, submitPlan } from "../../../../test/kit/served-gateway.ts";
import { METHODS } from "../../../protocol/methods.ts";
import { SessionId } from "../../../protocol/ids.ts";
import { TIMELINE_CHARS_MAX } from "./timeline.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

async function world() {
  gateway = await serveGateway();
  const client = await gateway.client();
  const { session } = await client.must("sessions.create", {});
  return { client, sessionId: session.id };
}

describe("the timeline of a session", () => {
  it("[UI-10] tells messages, plans and decisions in order, a page at a time from the end, each once", async () => {
    const { client, sessionId } = await world();
    await client.must("chat.send", { sessionId, text: "Paint the shed" });
    const approvalId = await submitPlan(gateway, sessionId);
    const planApproval = { action: "reject", approvalId, feedback: "In green" } as const;
    await client.must("sessions.patch", { sessionId, planApproval: planApproval as never });
    const whole = await client.must("sessions.timeline", { sessionId, limit: 200 });
    METHODS["sessions.timeline"].result.parse(whole);
    const names = whole.items.map(({ event }) => event);
    expect(names.slice(0, 2)).toEqual(["session.created", "plan.entered"]);
    expect(names.filter((name) => ["message.queued", "plan.submitted", "plan.rejected"].includes(name))).toEqual([
      "message.queued",
      "plan.submitted",
      "plan.rejected",
    ]);
    expect(names.some((name) => name.startsWith("timer.") || name.startsWith("injection."))).toBe(false);
    expect(whole.before).toBeNull();
    const paged: typeof whole.items = [];
    let before: number | null = null;
    do {
      const page: typeof whole = await client.must("sessions.timeline", { sessionId, limit: 2, before });
      paged.unshift(...page.items);
      ({ before } = page);
    } while (before !== null);
    expect(paged).toEqual(whole.items);
  });

  it("[UI-10] [GW-05] cuts long texts and lists short, and never in the middle of a character", async () => {
    const { client, sessionId } = await world();
    await client.must("chat.send", { sessionId, text: `${"a".repeat(TIMELINE_CHARS_MAX - 1)}😀${"b".repeat(9_000)}` });
    const steps = Array.from({ length: 200 }, (_, n) => ({ step: `step ${n}`, status: "pending" }));
    await submitPlan(gateway, sessionId, { title: "Long", plan: steps });
    const { items } = await client.must("sessions.timeline", { sessionId });
    const message = present(items.find(({ event }) => event === "message.queued"));
    expect(message.payload["message"]).toMatchObject({ text: `${"a".repeat(TIMELINE_CHARS_MAX - 1)}\uFFFD…` });
    expect(JSON.stringify(items).length).toBeLessThan(20_000);
  });

  it("[UI-10] tells how every step stands, however many there are", async () => {
    const { client, sessionId } = await world();
    const steps = Array.from({ length: 200 }, (_, n) => ({ step: `step ${n}`, status: "pending" }));
    const plan = steps.map((step, n) => ({ ...step, status: n < 150 ? "completed" : "pending" }));
    const agent = { actor: { kind: "agent", sessionId } } as const;
    const command = { type: "update", patch: { plan } };
    await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, agent);
    const { items } = await client.must("sessions.timeline", { sessionId });
    const updated = present(items.find(({ event }) => event === "plan.updated"));
    expect(updated.payload["statuses"]).toEqual(plan.map(({ status }) => status));
    expect(updated.payload["steps"]).toHaveLength(20);
  });

  it("[UI-10] is refused for a session that is not there", async () => {
    const { client } = await world();
    const answer = await client.request("sessions.timeline", { sessionId: SessionId.parse("ses_none") });
    expect(answer).toMatchObject({ ok: false, error: { code: "SESSION_NOT_FOUND" } });
  });
});

describe("the counts for charts", () => {
  it("[UI-10] say how long plans waited, how they ended, and which rules refused", async () => {
    const { client, sessionId } = await world();
    const decide = async (waitMs: number, planApproval: object) => {
      const approvalId = await submitPlan(gateway, sessionId);
      gateway.clock.advance(waitMs);
      await client.must("sessions.patch", { sessionId, planApproval: { approvalId, ...planApproval } as never });
    };
    await decide(1_000, { action: "reject", feedback: "no" });
    await decide(5_000, { action: "reject", feedback: "still no" });
    await decide(2_000, { action: "approve" });
    const refused = (rule: string) => ({ type: "call.refused", detail: { callId: "c", tool: "exec", rule } });
    const facts = [refused("b"), refused("a"), refused("b")];
    await gateway.store.audit({ atMs: gateway.clock.now(), actor: "agent", facts });
    const stats = await client.must("stats", {});
    METHODS.stats.result.parse(stats);
    expect(stats).toEqual({
      fromMs: 1_000_000,
      complete: true,
      days: [{ day: "1970-01-01", submitted: 3, approved: 1, rejected: 2, expired: 0, refusals: 3 }],
      plansWaited: { count: 3, medianMs: 2_000, p90Ms: 5_000, longestMs: 5_000 },
      questionsWaited: { count: 0, medianMs: 0, p90Ms: 0, longestMs: 0 },
      refusalsByRule: [
        { rule: "b", count: 2 },
        { rule: "a", count: 1 },
      ],
    });
  });

  it("[UI-10] [GW-05] look at the newest rows alone, however long the chain is", async () => {
    const { client } = await world();
    for (let n = 0; n < 5_100; n += 1) {
      const facts = [{ type: "call.refused", detail: { rule: "r" } }];
      await gateway.inner.audit({ atMs: gateway.clock.now(), actor: "agent", facts });
    }
    const stats = await client.must("stats", {});
    expect([stats.complete, stats.refusalsByRule]).toEqual([false, [{ rule: "r", count: 5_000 }]]);
    expect(gateway.store.calls.get("auditRowsBefore")).toBe(10);
  });

  it("[UI-10] the audit can be read from its end", async () => {
    const { client } = await world();
    const { rows } = await client.must("audit.list", {});
    const last = present(rows.at(-1));
    expect(await client.must("audit.list", { before: null, limit: 1 })).toEqual({ rows: [last] });
    expect(await client.must("audit.list", { before: last.seq })).toEqual({ rows: rows.slice(0, -1) });
  });
});
