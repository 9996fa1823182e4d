/** Deciding from the page against a real gateway. */
import { afterEach, expect, it } from "vitest";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/index.ts";
import { approvalIn, type ApprovalCard } from "../../src/protocol/card/card.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { type ServedGateway, serveGateway, submitPlan } from "../../test/kit/served-gateway.ts";
import { besideText, createDecider, type Decider, type Decision, decisionOn } from "./decide.ts";

let gateway: ServedGateway;
let client: HoldpointClient;
afterEach(async () => {
  client.close();
  await gateway.close();
});

function must(card: ApprovalCard, action: string, given?: string): Decision {
  const decision = decisionOn(card, action, given);
  if (decision === undefined) throw new Error(`no ${action}`);
  return decision;
}

async function waiting(): Promise<{
  decider: Decider;
  sessionId: SessionId;
  card: ApprovalCard;
  approve: Decision;
}> {
  gateway = await serveGateway();
  client = connectHoldpoint({ url: gateway.url, token: await gateway.token(), clientName: "test", surface: "web" });
  const { session } = await client.call("sessions.create", {});
  await submitPlan(gateway, session.id);
  const seen = await client.call("sessions.get", { sessionId: session.id });
  const card = approvalIn(seen.session.cards ?? []);
  if (card === undefined) throw new Error("no card");
  return { decider: createDecider(client), sessionId: session.id, card, approve: must(card, "approve") };
}

it("[UI-02] sends a decision once, however often it is pressed meanwhile", async () => {
  const { decider, sessionId, approve } = await waiting();
  const presses = [1, 2, 3].map(() => decider.decide(sessionId, approve));
  expect(decider.of(approve.of)).toEqual({ status: "deciding" });
  expect(await Promise.all(presses)).toEqual(["done", "busy", "busy"]);
  expect([decider.of(approve.of), decider.doneHere(approve.of)]).toEqual([undefined, "approve"]);
});

it("[UI-04] [PL-09] keeps what the gateway said to a decision that came too late", async () => {
  const { decider, sessionId, approve } = await waiting();
  expect(await createDecider(client).decide(sessionId, approve)).toBe("done");
  expect(await decider.decide(sessionId, approve)).toBe("late");
  expect(decider.of(approve.of)).toMatchObject({ status: "refused", code: "APPROVAL_ALREADY_DECIDED" });
  expect(decider.doneHere(approve.of)).toBe(undefined);
});

it("[I06] beside the whole text an approval says so, and a rejection needs to say nothing", async () => {
  const { decider, sessionId, card, approve } = await waiting();
  const digest = card.digest ?? "";
  expect(besideText(must(card, "reject", "no"))).toEqual(must(card, "reject", "no"));
  expect(await decider.decide(sessionId, besideText(approve))).toBe("done");
  const { rows } = await client.call("audit.list", { sessionId, limit: 100 });
  const row = rows.find(({ body }) => body.includes('"plan.decided"'))?.body ?? "";
  expect(row).toContain(`"offered":{"surface":"api","extent":"whole","digest":"${digest}"}`);
});

it("[BY-01] accepts nothing but the bytes that were shown", async () => {
  const { decider, sessionId, card, approve } = await waiting();
  const other = { planApproval: { action: "approve", approvalId: card.id, digest: "sha256:other" } };
  expect(await decider.decide(sessionId, { ...approve, patch: other })).toBe("late");
  expect(decider.of(approve.of)).toMatchObject({ code: "APPROVAL_DIGEST_MISMATCH" });
  expect(await decider.decide(sessionId, must(card, "reject", " "))).toBe("refused");
  expect(await decider.decide(sessionId, approve)).toBe("done");
});
