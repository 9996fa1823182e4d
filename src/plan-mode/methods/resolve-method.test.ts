import { afterEach, expect, it } from "vitest";
import { type ServedGateway, serveGateway, submitPlan } from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import type { PlanId, SessionId } from "../../protocol/ids.ts";
import { PlanModeState } from "../protocol/state.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

async function waiting(planMode: Parameters<typeof serveGateway>[0] = {}) {
  gateway = await serveGateway(planMode);
  const alice = await gateway.client();
  const sessionId = (await alice.must("sessions.create", {})).session.id;
  await submitPlan(gateway, sessionId);
  return { alice, sessionId, planId: await lastPlan(alice, sessionId) };
}

async function lastPlan(person: WireClient, sessionId: SessionId): Promise<PlanId> {
  const [plan] = (await person.must("plans.list", { sessionId, limit: 1 })).plans;
  if (plan === undefined) throw new Error("no plan");
  return plan.planId;
}

const phaseOf = async (person: WireClient, sessionId: SessionId) =>
  PlanModeState.parse((await person.must("sessions.get", { sessionId })).session.slices["planMode"]).now.phase;

const code = async (person: WireClient, params: object): Promise<string> => {
  const answer = await person.request("plan_mode_resolve", params as never);
  return answer === undefined ? "no answer" : answer.ok ? "ok" : answer.error.code;
};

it("[TO-08, CH-10] decides on the plan that an awaiting line names, as a card does", async () => {
  const { alice, sessionId, planId } = await waiting();
  expect(await code(alice, { plan_id: planId, decision: "reject" })).toBe("FEEDBACK_REQUIRED");
  expect(await code(alice, { plan_id: planId, decision: "reject", reason: " " })).toBe("FEEDBACK_REQUIRED");
  expect(await phaseOf(alice, sessionId)).toBe("pending");
  expect(await alice.must("plan_mode_resolve", { plan_id: planId, decision: "reject", reason: "too big" })).toEqual({
    plan_id: planId,
    session_id: sessionId,
    decision: "rejected",
    mode: "plan",
    unlocked_at: null,
  });
  await submitPlan(gateway, sessionId);
  expect(await code(alice, { plan_id: planId, decision: "approve" })).toBe("APPROVAL_SUPERSEDED");
  const newer = await lastPlan(alice, sessionId);
  const approve = { plan_id: newer, decision: "approve", idempotencyKey: "once" } as const;
  const approved = await alice.must("plan_mode_resolve", approve);
  expect(approved).toMatchObject({ plan_id: newer, decision: "approved", mode: "executing" });
  expect(approved.unlocked_at).toMatch(/^\d{4}-.*Z$/);
  expect(await alice.must("plan_mode_resolve", approve)).toEqual(approved);
  expect(await code(alice, { plan_id: newer, decision: "approve" })).toBe("APPROVAL_ALREADY_DECIDED");
  expect(await phaseOf(alice, sessionId)).toBe("executing");
});

it("[TO-08, PL-18] asks for the right to approve, and for every signature that a card would ask for", async () => {
  const { alice, sessionId, planId } = await waiting({ planMode: { approvals: { quorum: 2 } } });
  const writer = await gateway.client(["operator.read", "operator.write"], "writer");
  expect(await code(writer, { plan_id: planId, decision: "approve" })).toBe("FORBIDDEN");
  expect(await code(alice, { plan_id: "pln_none", decision: "approve" })).toBe("PLAN_NOT_FOUND");
  expect(await code(alice, { plan_id: planId, decision: "perhaps" })).toBe("INVALID_REQUEST");
  expect(await alice.must("plan_mode_resolve", { plan_id: planId, decision: "approve" })).toMatchObject({
    decision: "signed",
    mode: "plan",
    unlocked_at: null,
  });
  expect(await phaseOf(alice, sessionId)).toBe("pending");
  const bob = await gateway.client(undefined, "bob");
  expect(await code(bob, { plan_id: planId, decision: "approve" })).toBe("ok");
  expect(await phaseOf(alice, sessionId)).toBe("executing");
});

it("[TO-08] is no tool of an agent", async () => {
  await waiting();
  expect(gateway.host.tools.map(({ name }) => name)).not.toContain("plan_mode_resolve");
});
