import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GateRefusal } from "../../src/protocol/gate.ts";
import type { HistoryItem } from "../../src/protocol/methods.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { gatedGateway } from "../kit/gated-gateway.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const STEP = "Write greeting.txt";
const submit = (title: string): ScriptStep => ({
  calls: [{ tool: "exit_plan_mode", args: { title, plan: [{ step: STEP, status: "pending" }] } }],
});
const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "hello\n" } }] };
const complete: ScriptStep = {
  calls: [{ tool: "update_plan", args: { merge: true, plan: [{ step: STEP, status: "completed" }] } }],
};
const again: ScriptStep = { calls: [{ tool: "read", args: { path: "greeting.txt" } }] };

type Logged = { level: number; msg: string; sessionId?: string };
const INFO = 30;

/** The log as it stands on disk, once the gateway has written its last line. */
async function logOf(home: string): Promise<Logged[]> {
  const read = (): Logged[] =>
    readFileSync(join(home, "gateway.log"), "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Logged]));
  await expect.poll(() => read().at(-1)?.msg).toBe("stopped");
  return read();
}

const planLines = (log: readonly Logged[]): Logged[] => log.filter(({ msg }) => msg.startsWith("[plan-mode] "));

/** Of the plans that were submitted in these entries. */
const titlesIn = (items: readonly HistoryItem[]): unknown[] =>
  items.flatMap(({ entry }) => (entry.kind === "assistant" ? entry.calls.map(({ args }) => args["title"]) : []));

async function planIds(person: Person, sessionId: SessionId): Promise<string[]> {
  const { plans } = await person.client.call("plans.list", { sessionId });
  return plans.map(({ planId }) => planId).toReversed();
}

it("[CH-10, GA-07] a whole cycle leaves its lines in the log and in the session, each at its moment and nothing else", async () => {
  const { clock, home, start, stop, person } = story();
  const script = [write, submit("Greet"), submit("Greet politely"), write, again, again, again, again, again, complete];
  await start(scriptedModel([...script, { say: "Done." }, submit("Once more")]), { log: "file" });
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "Please greet the world");
  await alice.until("plan.submitted");
  await alice.say(sessionId, "/plan revise be\npolite");
  await alice.until("plan.submitted", 2);
  await alice.accept(sessionId);
  await alice.until("turn.finished", 3);
  expect(alice.seen.filter((event) => event === "call.refused")).toHaveLength(2); // one by plan mode, one by the loop check
  await alice.say(sessionId, "/plan off");
  await alice.say(sessionId, "/plan on");
  await alice.say(sessionId, "Greet once more");
  await alice.until("plan.submitted", 3);
  clock.advance(86_400_000);
  await alice.until("plan.timed_out");
  await alice.say(sessionId, "/plan off");
  const [first, second, third] = await planIds(alice, sessionId);
  const { items } = await alice.client.call("chat.history", { sessionId, limit: 200 });
  const turns = await Promise.all([2, 4].map((turn) => alice.client.call("sessions.turn", { sessionId, turn })));
  expect(turns.map((turn) => titlesIn(turn.items))).toEqual([["Greet politely"], ["Once more"]]);
  await expect(alice.client.call("sessions.turn", { sessionId, turn: 9 })).rejects.toMatchObject({
    code: "INVALID_REQUEST",
  });
  await stop();

  const lines = planLines(await logOf(home));
  const day = "2026-01-05T09:00:00Z";
  const resolve = "(resolve via plan_mode_resolve { plan_id, decision: approve|reject })";
  expect(lines.map(({ msg }) => msg)).toEqual([
    `[plan-mode] entered at ${day} — reason: default-active`,
    "[plan-mode] refused tool=write kind=file_edit",
    `[plan-mode] awaiting approval plan_id=${first} ${resolve}`,
    `[plan-mode] rejected plan_id=${first} reason=be polite`,
    `[plan-mode] awaiting approval plan_id=${second} ${resolve}`,
    `[plan-mode] approved plan_id=${second}`,
    `[plan-mode] exited — plan: Greet politely; ${STEP}… (full plan in turn log #2)`,
    `[plan-mode] entered at ${day} — reason: operator`,
    `[plan-mode] awaiting approval plan_id=${third} ${resolve}`,
    `[plan-mode] approval timed out plan_id=${third}`,
    `[plan-mode] exited — plan: Once more; ${STEP}… (full plan in turn log #4)`,
  ]);
  expect(new Set(lines.map(({ level, sessionId: of }) => [level, of].join()))).toEqual(
    new Set([[INFO, sessionId].join()]),
  );
  const shown = items.flatMap(({ entry }) =>
    entry.kind === "notice" && entry.text.startsWith("[plan-mode] ") ? [entry.text] : [],
  );
  expect(shown).toEqual(lines.map(({ msg }) => msg));
  const kinds = items.flatMap(({ entry }) =>
    entry.kind === "result" && entry.status === "refused" ? [GateRefusal.parse(entry.content).tool_kind] : [],
  );
  expect(kinds).toEqual(["file_edit", "read_only"]); // the loop check names the tool's own kind too
});

it("[PL-15, GA-07, CH-10] a refusal that begins plan mode says when it began, as the line does", async () => {
  const { exec, entries } = await gatedGateway({ autoEnterOnDestructive: true });
  const { content } = await exec("rm keep.txt");
  const { entered_at, entered_reason } = GateRefusal.parse(content);
  const lines = (await entries()).flatMap((entry) => (entry.kind === "notice" ? [entry.text] : []));
  expect(entered_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(lines).toEqual([
    "[plan-mode] refused tool=exec kind=bash",
    `[plan-mode] entered at ${entered_at} — reason: ${entered_reason}`,
  ]);
});

it("[CH-10, PL-16] an approval by rule keeps the frozen line, and names its rule in a line of its own", async () => {
  const { call, plan, entries } = await gatedGateway({ requireApproval: false });
  await plan("plan");
  const { content } = await call("exit_plan_mode", { title: "Greet", plan: [{ step: STEP }] });
  const planId = String(Object(content).plan_id);
  const lines = (await entries()).flatMap((entry) => (entry.kind === "notice" ? [entry.text] : []));
  expect(lines.slice(1)).toEqual([
    `[plan-mode] approved plan_id=${planId}`,
    `[plan-mode] policy plan_id=${planId} name=no approval required here`,
    `[plan-mode] exited — plan: Greet; ${STEP}… (full plan in turn log #1)`,
  ]);
});

it("[TO-09, GA-03] the agent reads the logs and the status of its session in every mode", async () => {
  const { call, plan, decide } = await gatedGateway();
  const both = async () => [
    (await call("session_status", {})).content,
    (await call("session_logs", { turn: 1 })).content,
    (await call("plan_mode_status", {})).content,
  ];
  const seen = async (mode: string) =>
    expect(await both()).toMatchObject([
      { session: expect.any(String) },
      { turn: 1, entries: [{ kind: "input" }, { kind: "assistant", calls: [{ tool: "session_status" }] }, {}, {}] },
      { mode },
    ]);
  await seen("normal");
  await plan("plan");
  await seen("plan");
  await decide("approve");
  await seen("executing");
  expect((await call("session_logs", { turn: 99 })).status).toBe("error");
});

it("[GW-07] the debug trail follows each decision, without secrets, when the variable or the setting asks for it", async () => {
  const { home, start, stop, person } = story();
  const trail = async (env: Record<string, string>, debug: boolean) => {
    await start(scriptedModel([write, submit("Greet with password=hunter22")]), { log: "file", env });
    const alice = await person();
    await alice.client.call("config.set", { path: "agents.defaults.planMode.debug", value: debug });
    const sessionId = await alice.open();
    await alice.say(sessionId, "Please greet the world");
    await alice.until("plan.submitted");
    await alice.say(sessionId, "/plan revise not yet");
    await alice.until("turn.finished", 2);
    await stop();
    const log = (await logOf(home)).filter((line) => line.sessionId === sessionId);
    expect(JSON.stringify(log.filter(({ msg }) => msg.startsWith("[plan-mode/")))).not.toContain("hunter22");
    return log.flatMap(({ msg }) => (msg.startsWith("[plan-mode/") ? [msg] : []));
  };
  expect(await trail({}, false)).toEqual([]);
  const whole = await trail({}, true);
  expect(whole).toEqual(
    expect.arrayContaining([
      "[plan-mode/state] plan.entered",
      "[plan-mode/gate] refused write",
      "[plan-mode/state] plan.submitted",
      "[plan-mode/tool] exit_plan_mode",
      "[plan-mode/timer] set planMode/approval",
      "[plan-mode/state] plan.rejected",
      "[plan-mode/injection] queued plan_decision",
      "[plan-mode/turn] requested by plan.rejected",
    ]),
  );
  expect(await trail({ HOLDPOINT_DEBUG_PLAN_MODE: "1" }, false)).toEqual(whole);
  expect(await trail({ HOLDPOINT_DEBUG_PLAN_MODE: "0" }, true)).toEqual([]);
});
