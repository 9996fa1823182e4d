/** Deciding from the page against a real gateway. */
import { afterEach, expect, it } from "vitest";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/index.ts";
import { ApprovalId, type SessionId } from "../../src/protocol/ids.ts";
import { type ServedGateway, serveGateway, submitPlan } from "../../test/kit/served-gateway.ts";
import { createDecider, type Decider, type Decision } from "./decide.ts";

let gateway: ServedGateway;
let client: HoldpointClient;
afterEach(async () => {
  client.close();
  await gateway.close();
});

async function waiting(): Promise<{
  decider: Decider;
  sessionId: SessionId;
  approve: Decision & { action: "approve" };
}> {
  gateway = await serveGateway();
  client = connectHoldpoint({ url: gateway.url, token: await gateway.token(), clientName: "test", surface: "web" });
  const { session } = await client.call("sessions.create", {});
  const approvalId = ApprovalId.parse(await submitPlan(gateway, session.id));
  const { plans } = await client.call("plans.list", { sessionId: session.id });
  const digest = plans[0]?.digest ?? "";
  return { decider: createDecider(client), sessionId: session.id, approve: { action: "approve", approvalId, digest } };
}

it("[UI-02] sends a decision once, however often it is pressed meanwhile", async () => {
  const { decider, sessionId, approve } = await waiting();
  const presses = [1, 2, 3].map(() => decider.decide(sessionId, approve));
  expect(decider.of(approve.approvalId)).toEqual({ status: "deciding" });
  expect(await Promise.all(presses)).toEqual(["done", "busy", "busy"]);
  expect([decider.of(approve.approvalId), decider.doneHere(approve.approvalId)]).toEqual([undefined, "approve"]);
});

it("[UI-04] [PL-09] keeps what the gateway said to a decision that came too late", async () => {
  const { decider, sessionId, approve } = await waiting();
  await client.call("sessions.patch", { sessionId, planApproval: approve });
  expect(await decider.decide(sessionId, approve)).toBe("late");
  expect(decider.of(approve.approvalId)).toMatchObject({ status: "refused", code: "APPROVAL_ALREADY_DECIDED" });
  expect(decider.doneHere(approve.approvalId)).toBe(undefined);
});

it("[BY-01] accepts nothing but the bytes that were shown", async () => {
  const { decider, sessionId, approve } = await waiting();
  expect(await decider.decide(sessionId, { ...approve, digest: "sha256:other" })).toBe("late");
  expect(decider.of(approve.approvalId)).toMatchObject({ code: "APPROVAL_DIGEST_MISMATCH" });
  expect(await decider.decide(sessionId, { action: "reject", approvalId: approve.approvalId, feedback: " " })).toBe(
    "refused",
  );
  expect(await decider.decide(sessionId, approve)).toBe("done");
});
