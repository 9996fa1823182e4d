/** Sub-agents that their parent loses sight of while they work, over the whole gateway. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ModelRequest } from "../../src/agent/model.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { INBOX_MAX } from "../../src/protocol/session.ts";
import { SubAgentsState } from "../../src/agent/sub-agents/protocol/sub-agents.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { quiet } from "../kit/fake-clock.ts";
import { type Person, story } from "./story.ts";

const PLAN: ScriptStep = { calls: [{ tool: "exit_plan_mode", args: { title: "T", plan: [{ step: "one" }] } }] };
const DONE: ScriptStep = { say: "Done." };

const told = ({ entries }: ModelRequest): string => {
  const input = entries.findLast((entry) => entry.kind === "input");
  return input?.kind === "input" ? input.text : "";
};

/** The result that the model is asked about, if it is one of this tool. */
function resultOf({ entries }: ModelRequest, tool?: string): { session_id?: string; title?: string } | undefined {
  const last = entries.at(-1);
  if (last?.kind !== "result" || (tool !== undefined && last.tool !== tool)) return undefined;
  return last.content as { session_id?: string; title?: string };
}

async function planning(person: Person): Promise<SessionId> {
  await person.client.call("config.set", { path: "agents.defaults.planMode.enabled", value: true });
  return person.open();
}

/** What became of the submissions of a session. */
async function submissions({ client }: Person, sessionId: SessionId): Promise<string[]> {
  const { items } = await client.call("chat.history", { sessionId, before: null, limit: 200 });
  return items.flatMap(({ entry }) =>
    entry.kind === "result" && entry.tool === "exit_plan_mode" ? [entry.status as string] : [],
  );
}

async function standings({ client }: Person, sessionId: SessionId): Promise<string[]> {
  const { session } = await client.call("sessions.get", { sessionId });
  return SubAgentsState.parse(session.slices["subagents"]).children.map(({ status }) => status);
}

it("[SB-01, SB-02] a child whose inbox is full still works, and the plan above it is not submitted", async () => {
  const { start, person } = story();
  const root: { id?: SessionId } = {};
  const texts = Array.from({ length: INBOX_MAX + 2 }, (_, n) => `and number ${n}`);
  const model = scriptedModel((request) => {
    if (request.sessionId !== root.id) return { until: new Promise(() => undefined) };
    const session_id = resultOf(request, "sessions_spawn")?.session_id;
    if (session_id !== undefined)
      return { calls: texts.map((text) => ({ tool: "sessions_send", args: { session_id, text } })) };
    if (resultOf(request) !== undefined) return DONE;
    if (told(request).endsWith("begin")) return { calls: [{ tool: "sessions_spawn", args: { task: "look" } }] };
    return told(request).endsWith("submit") ? PLAN : DONE;
  });
  await start(model);
  const alice = await person();
  const sessionId = await planning(alice);
  root.id = sessionId;
  await alice.say(sessionId, "begin");
  await alice.until("turn.finished");
  await quiet();
  await alice.say(sessionId, "submit");
  await expect.poll(() => submissions(alice, sessionId)).toHaveLength(1);
  expect(await submissions(alice, sessionId)).toEqual(["error"]);
});

it("[SB-03, SB-04] a child that was replaced does not go on with what was queued for it", async () => {
  const { start, person, workspace } = story();
  const approved = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const root: { id?: SessionId } = {};
  const child = (request: ModelRequest): ScriptStep => {
    const text = told(request);
    if (text.startsWith("first")) {
      begun.resolve();
      return { until: new Promise(() => undefined) };
    }
    if (!text.startsWith("later") || resultOf(request) !== undefined) return DONE;
    return { until: approved.promise, calls: [{ tool: "write", args: { path: "by-lost.txt", content: "x" } }] };
  };
  const model = scriptedModel((request) => {
    if (request.sessionId !== root.id) return child(request);
    const { title, session_id = "" } = resultOf(request, "sessions_spawn") ?? {};
    const more = { calls: [{ tool: "sessions_send", args: { session_id, text: "later" } }] };
    if (title === "first") return { until: begun.promise, ...more };
    const sent = resultOf(request, "sessions_send")?.session_id;
    if (sent !== undefined) return { calls: [{ tool: "sessions_spawn", args: { task: "second", replaces: sent } }] };
    if (resultOf(request) !== undefined) return DONE;
    if (told(request).endsWith("begin")) return { calls: [{ tool: "sessions_spawn", args: { task: "first" } }] };
    return told(request).endsWith("submit") ? PLAN : DONE;
  });
  await start(model);
  const alice = await person();
  const sessionId = await planning(alice);
  root.id = sessionId;
  await alice.say(sessionId, "begin");
  // the one that is stopped counts until it rests, so both must have come back before a plan can be submitted
  await expect.poll(() => standings(alice, sessionId)).toEqual(["ended", "ended"]);
  await quiet();
  await alice.say(sessionId, "submit");
  await expect.poll(async () => (await alice.plan(sessionId)).now.phase).toBe("pending");
  const { now } = await alice.plan(sessionId);
  if (now.phase !== "pending") throw new Error("no plan waits");
  const { approvalId } = now.submission;
  await alice.client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
  const finished = alice.seen.filter((event) => event === "turn.finished").length;
  approved.resolve();
  await alice.until("turn.finished", finished + 1);
  await quiet();
  expect(model.requests.filter((request) => told(request).startsWith("later"))).toEqual([]);
  expect(existsSync(join(workspace, "by-lost.txt"))).toBe(false);
});

it.each(["sessions.reset", "sessions.delete"] as const)(
  "[SB-04] a child of a session that ended by %s does not go on with what was queued for it",
  async (method) => {
    const { start, person } = story();
    const begun = Promise.withResolvers<void>();
    const root: { id?: SessionId } = {};
    const model = scriptedModel((request) => {
      if (request.sessionId !== root.id) {
        if (!told(request).startsWith("first")) return DONE;
        begun.resolve();
        return { until: new Promise(() => undefined) };
      }
      const session_id = resultOf(request, "sessions_spawn")?.session_id;
      if (session_id !== undefined)
        return { until: begun.promise, calls: [{ tool: "sessions_send", args: { session_id, text: "later" } }] };
      if (resultOf(request) !== undefined) return DONE;
      return { calls: [{ tool: "sessions_spawn", args: { task: "first" } }] };
    });
    await start(model);
    const alice = await person();
    const sessionId = await planning(alice);
    root.id = sessionId;
    await alice.say(sessionId, "begin");
    await alice.until("turn.finished");
    const { session } = await alice.client.call("sessions.get", { sessionId });
    const [child] = SubAgentsState.parse(session.slices["subagents"]).children;
    if (child === undefined) throw new Error("no child");
    const below = async () => (await alice.client.call("sessions.get", { sessionId: child.id })).session;
    await expect.poll(async () => (await below()).queuedMessages).toBe(1);
    await alice.client.call(method, { sessionId });
    await expect.poll(async () => (await below()).turn.status).toBe("idle");
    await quiet();
    expect(await below()).toMatchObject({ queuedMessages: 0, turn: { status: "idle" }, stopped: true });
    expect(model.requests.filter((request) => told(request).startsWith("later"))).toEqual([]);
  },
);
