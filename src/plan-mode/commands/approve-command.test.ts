import { afterEach, describe, expect, it } from "vitest";
import { acceptCode, present, type ServedGateway, serveGateway, submitPlan } from "../../../test/kit/served-gateway.ts";
import { PlanModeState } from "../protocol/state.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

describe("/approve", () => {
  it.each([
    ["/approve CODE", "approved"],
    ["/approve edits CODE", "edited"],
    ["/approve CODE edits", "edited"],
    ["/approve", "pending"],
    ["/approve edits", "pending"],
    ["/approve 000000", "pending"],
    ["/approve everything", "pending"],
  ])("[PG-05, CH-02, PL-20] %s leaves the plan %s", async (text, approval) => {
    gateway = await serveGateway();
    const alice = await gateway.client();
    const sessionId = (await alice.must("sessions.create", {})).session.id;
    await submitPlan(gateway, sessionId);
    const code = await acceptCode(alice, sessionId);
    present(await alice.request("chat.send", { sessionId, text: text.replace("CODE", code) }));
    const { session } = await alice.must("sessions.get", { sessionId });
    expect(PlanModeState.parse(session.slices["planMode"]).now.approval).toBe(approval);
  });
});
