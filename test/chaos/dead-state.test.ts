/** The check of the dead state finds what it is there to find. */
import { expect, it } from "vitest";
import { create, sessionId } from "../kit/core.ts";
import { engineWorld, sid } from "../kit/engine.ts";
import type { WireClient } from "../kit/wire-client.ts";
import type { SessionCommand } from "../../src/protocol/session.ts";
import { APPEND_TOOL } from "./chaos-model.ts";
import { type DeadState, faultsIn } from "./dead-state.ts";
import { createKnowledge, type Knowledge } from "./knowledge.ts";

const ID = sid("1");

/** Everybody was told that this session is called "new". */
async function told(): Promise<Knowledge> {
  const knowledge = createKnowledge();
  const payload = { session: { id: ID, title: "born" } };
  const client = { request: async () => ({ ok: true, payload }) } as unknown as WireClient;
  await knowledge.ledger.send(client, { method: "sessions.create", params: { title: "born", idempotencyKey: "a" } });
  const params = { sessionId, title: "new", idempotencyKey: "b" };
  await knowledge.ledger.send(client, { method: "sessions.patch", params: { ...params, sessionId: ID } });
  return knowledge;
}

async function dead(change: Partial<DeadState> = {}): Promise<string[]> {
  const { engine } = engineWorld();
  const made = await engine.dispatch(ID, { ...create, sessionId: ID } as SessionCommand, {
    actor: { kind: "system", reason: "test" },
  });
  if (!made.ok || made.session === undefined) throw new Error("the session was not made");
  const sessions = new Map([[ID as string, { ...made.session, title: "new" }]]);
  const whole: DeadState = { sessions, items: new Map(), facts: [], lines: [], chain: undefined, epochs: new Map() };
  return faultsIn({ ...whole, ...change }, await told(), false);
}

const fact = (type: string, atMs: number, status = "unknown") =>
  ({ type, detail: { callId: "c", tool: APPEND_TOOL, status }, atMs }) as DeadState["facts"][number];

it("[QA-05] finds nothing where everything is there", async () => {
  expect(await dead()).toEqual([]);
  const facts = [fact("call.claimed", 1_000), fact("call.closed", 2_000)];
  expect(await dead({ facts, lines: [{ callId: "c", beganAtMs: 1_500 }] })).toEqual([]);
});

it("[QA-05] finds a session that is gone, a title that is older, an epoch that was given twice, a broken chain", async () => {
  expect(await dead({ sessions: new Map() })).toEqual([`session ${ID} was acknowledged and is gone`]);
  const older = await dead({ sessions: new Map([[ID, { inbox: [], title: "born" } as never]]) });
  expect(older).toEqual([expect.stringContaining('is called "born"')]);
  expect(await dead({ epochs: new Map([[ID, [1, 2, 2]]]) })).toEqual([`${ID}: an epoch was given twice`]);
  expect(await dead({ chain: "broken" })).toEqual(["broken"]);
});

it("[QA-05] finds a call that ran twice, without a claim, or after its successor had closed it", async () => {
  const facts = [fact("call.claimed", 1_000), fact("call.closed", 2_000)];
  const line = { callId: "c", beganAtMs: 1_500 };
  expect(await dead({ facts, lines: [line, line] })).toEqual(["call c ran twice"]);
  expect(await dead({ lines: [line] })).toEqual(["call c ran without a claim"]);
  expect(await dead({ facts, lines: [{ ...line, beganAtMs: 7_000 }] })).toEqual([
    "call c began 5000 ms after it was closed",
  ]);
  expect(await dead({ facts: [fact("call.claimed", 1), fact("call.closed", 2, "ok")] })).toEqual([
    "call c is recorded as done and never ran",
  ]);
});
