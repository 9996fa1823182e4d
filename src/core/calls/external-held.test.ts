import { expect, it } from "vitest";
import { agent, coreWorld, gateSlice, sessionId } from "../../../test/kit/core.ts";
import { CallerId } from "../../protocol/ids.ts";
import { anySlice } from "../slice.ts";

/** An agent outside that has made one call. */
function called(world: ReturnType<typeof coreWorld>) {
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
  const call = { type: "call.open", ...on, tool: "write", args: {} } as const;
  world.must(call, agent);
  const claim = { type: "call.claim", ...on, callId: "clr_1/1.1", kind: "file_edit", argsDigest: "d" } as const;
  return { on, call, claim };
}

it("[GA-14] an agent outside is held while no approved plan has work left, whatever the guards say", () => {
  const world = coreWorld([anySlice({ ...gateSlice, guard: () => ({ allowed: true }) })]);
  const { claim } = called(world);
  expect(world.run(claim, agent)).toMatchObject({
    refused: { code: "PLAN_MODE_BLOCKED", details: { refusal: { rule: "unattended/held" } } },
  });
});

it("[GA-12] an agent outside makes and starts nothing more once its session is archived, and may record what runs", () => {
  const world = coreWorld();
  const { on, call, claim } = called(world);
  world.must({ type: "session.archive", archived: true });
  const archived = { refused: { code: "SESSION_ARCHIVED" } };
  expect(world.run(call, agent)).toMatchObject(archived);
  expect(world.run(claim, agent)).toMatchObject(archived);
  world.must({ type: "call.finish", ...on, callId: "clr_1/1.1", status: "skipped", content: "" }, agent);
});
