import { expect, it } from "vitest";
import { agent, coreWorld, gateSlice, sessionId } from "../../../test/kit/core.ts";
import { CallerId } from "../../protocol/ids.ts";
import { anySlice } from "../slice.ts";

it("[GA-14] an agent outside is held while no approved plan has work left, whatever the guards say", () => {
  const world = coreWorld([anySlice({ ...gateSlice, guard: () => ({ allowed: true }) })]);
  world.must({
    type: "session.create",
    sessionId,
    agentId: "main",
    kind: "external",
    surface: "hook",
    workspace: "/w",
    title: "",
  });
  const callerId = CallerId.parse("clr_1");
  const lease = { node: "n1", leaseUntilMs: world.nowMs + 15_000 };
  world.must({ type: "caller.open", kind: "external", callerId, connection: "con_1", ...lease }, agent);
  const on = { caller: { id: callerId, epoch: 1 } };
  world.must({ type: "call.open", ...on, tool: "write", args: {} }, agent);
  const claim = { type: "call.claim", ...on, callId: "clr_1/1.1", kind: "file_edit", argsDigest: "d" } as const;
  expect(world.run(claim, agent)).toMatchObject({
    refused: { code: "PLAN_MODE_BLOCKED", details: { refusal: { rule: "unattended/held" } } },
  });
});
