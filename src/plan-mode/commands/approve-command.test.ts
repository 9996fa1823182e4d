import { afterEach, describe, expect, it } from "vitest";
import { present, type ServedGateway, serveGateway, submitPlan } from "../../../test/kit/served-gateway.ts";
import { PlanModeState } from "../protocol/state.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

describe("/approve", () => {
  it.each([
    ["/approve", "approved"],
    ["/approve edits", "edited"],
    ["/approve everything", "pending"],
  ])("[PG-05, CH-02] %s leaves the plan %s", async (text, approval) => {
    gateway = await serveGateway();
    const alice = await gateway.client();
    const sessionId = (await alice.must("sessions.create", {})).session.id;
    await submitPlan(gateway, sessionId);
    present(await alice.request("chat.send", { sessionId, text }));
    const { session } = await alice.must("sessions.get", { sessionId });
    expect(PlanModeState.parse(session.slices["planMode"]).now.approval).toBe(approval);
  });
});
