/** Agents that work past their hooks are noticed by their transcripts. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { createHeartbeat } from "./heartbeat.ts";

const SESSION = "00000000-0000-4000-8000-000000000001";
const HEAD = `${JSON.stringify({ type: "user", cwd: "/w/project", sessionId: SESSION })}\n`;
const USE = `${JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", name: "Bash" }] } })}\n`;

type Settings = { isHooked?: boolean; startedAtMs?: number; env?: Record<string, string> };

function world({ isHooked = true, startedAtMs = 0, env = {} }: Settings = {}) {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-heartbeat-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const changes: string[] = [];
  const heartbeat = createHeartbeat({
    person: { home, env },
    startedAtMs,
    isHooked: async () => isHooked,
    onChange: async ({ agent, session, workspace }, gated) =>
      void changes.push(`${agent} ${session === SESSION} ${workspace} ${gated}`),
  });
  const file = join(home, ".claude/projects/-w-project", `${SESSION}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, HEAD);
  return { home, heartbeat, changes, file, write: (text: string) => appendFileSync(file, text) };
}

it("[IG-03] a run whose hooks tell of each call is gated; one whose calls nobody tells is not, until they tell again", async () => {
  const { heartbeat, changes, write } = world();
  for (let n = 0; n < 5; n++) {
    heartbeat.told("claude-code", SESSION)();
    write(USE);
  }
  await heartbeat.look();
  expect(changes).toEqual([]);
  write(USE + USE);
  await heartbeat.look();
  await heartbeat.look();
  expect([changes, heartbeat.ungated()]).toEqual([
    ["claude-code true /w/project false"],
    [{ agent: "claude-code", session: SESSION, workspace: "/w/project" }],
  ]);
  heartbeat.told("claude-code", SESSION)();
  await heartbeat.look();
  expect([changes.at(-1), heartbeat.ungated()]).toEqual(["claude-code true /w/project true", []]);
});

it("[IG-03] a run of which no hook ever told is noticed too: a repository may switch them off before its first word", async () => {
  const { heartbeat, changes, home, write } = world();
  write(USE + USE);
  const codex = join(home, ".codex/sessions/2026/11/15", `rollout-2026-11-15T17-43-51-${SESSION}.jsonl`);
  mkdirSync(dirname(codex), { recursive: true });
  const call = JSON.stringify({ type: "response_item", payload: { type: "function_call", name: "exec_command" } });
  writeFileSync(codex, `${JSON.stringify({ payload: { cwd: "/w/other" } })}\n${call}\n${call}\n`);
  await heartbeat.look();
  expect(changes).toEqual(["claude-code true /w/project false", "codex true /w/other false"]);
});

it("[IG-03] Qwen Code is noticed by its chats, and not by what lies beside them or tells of a call in words", async () => {
  const { heartbeat, changes, home } = world();
  const project = join(home, ".qwen/projects/-w-third");
  const record = (message: object) =>
    `${JSON.stringify({ sessionId: SESSION, type: "assistant", cwd: "/w/third", message })}\n`;
  const call = record({
    role: "model",
    parts: [{ functionCall: { name: "run_shell_command", args: { command: "ls" } } }],
  });
  const words = record({ role: "model", parts: [{ text: '{"functionCall": {"name": "x"}}' }] });
  for (const folder of ["chats", "checkpoints"]) mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, "checkpoints", `${SESSION}.jsonl`), call + call);
  writeFileSync(join(project, "chats", `${SESSION}.jsonl`), words + words + call);
  await heartbeat.look();
  expect(changes).toEqual([]);
  appendFileSync(join(project, "chats", `${SESSION}.jsonl`), call);
  await heartbeat.look();
  expect(changes).toEqual(["qwen-code true /w/third false"]);
});

it("[IG-03] nobody is accused who waits for an answer, only talks, has no hooks, or wrote before the gateway started", async () => {
  const waiting = world();
  const answered = waiting.heartbeat.told("claude-code", SESSION);
  waiting.write(USE + USE + USE); // several calls in one message: the first one waits for a person
  await waiting.heartbeat.look();
  expect(waiting.changes).toEqual([]);
  answered();

  const talking = world();
  talking.write(`${JSON.stringify({ type: "assistant", message: { content: "a text" } })}\n`.repeat(9));
  talking.write(USE.slice(0, -1)); // a line that is being written
  await talking.heartbeat.look();
  const unhooked = world({ isHooked: false });
  unhooked.write(USE + USE);
  await unhooked.heartbeat.look();
  const earlier = world({ startedAtMs: Date.now() + 3_600_000 });
  earlier.write(USE + USE);
  utimesSync(earlier.file, Date.now() / 1_000 + 7_200, Date.now() / 1_000 + 7_200); // and goes on now
  await earlier.heartbeat.look();
  const resumed = world({ startedAtMs: Date.now() + 3_600_000 });
  resumed.write(USE + USE + USE);
  utimesSync(resumed.file, Date.now() / 1_000 + 7_200, Date.now() / 1_000 + 7_200);
  resumed.heartbeat.told("claude-code", SESSION)(); // its hooks are heard before its transcript is first looked at
  await resumed.heartbeat.look();
  expect([talking.changes, unhooked.changes, earlier.changes, resumed.changes]).toEqual([[], [], [], []]);
});

const geminiCall = (id: string, given: { status?: string; timestamp?: string } = {}) => ({
  id: `run_shell_command__${id}`,
  name: "run_shell_command",
  args: { command: "echo one" },
  status: "success",
  timestamp: "2026-11-16T18:18:09.429Z",
  resultDisplay: "one",
  ...given,
});
const geminiMessage = (id: string, toolCalls?: readonly object[]) =>
  `${JSON.stringify({ id, timestamp: "2026-11-16T18:18:09.392Z", type: "gemini", content: "Next.", model: "gemini-2.5-flash", ...(toolCalls && { toolCalls }) })}\n`;

/** As Gemini CLI 0.61.0 lays it down: the name of the file holds a part of the run's id alone, a file beside it the folder. */
function geminiChat(home: string) {
  const folder = join(home, ".gemini/tmp/project");
  const file = join(folder, "chats/session-2026-11-16T18-18-00000000.jsonl");
  mkdirSync(join(folder, "chats", SESSION), { recursive: true });
  writeFileSync(join(folder, ".project_root"), "/w/gemini");
  writeFileSync(file, `${JSON.stringify({ sessionId: SESSION, projectHash: "886f", kind: "main" })}\n`);
  return { file, below: join(folder, "chats", SESSION, "8adf3f2d-3b5d-444e-9839-a0e202571622.jsonl") };
}

it("[IG-03] Gemini CLI is noticed by calls that ran, each counted once however often its message is written anew", async () => {
  const { heartbeat, changes, home } = world({ startedAtMs: Date.parse("2026-11-16T18:00:00Z") });
  const { file, below } = geminiChat(home);
  writeFileSync(below, geminiMessage("m0", [geminiCall("s1"), geminiCall("s2")])); // a sub-agent, told under the run's name
  appendFileSync(file, geminiMessage("m1") + geminiMessage("m1", [geminiCall("1")]).repeat(3));
  const unknown = geminiCall("2", { status: "error" }); // a tool that is not there runs no hook
  const earlier = [1, 2].map((n) => geminiCall(`0${n}`, { timestamp: "2026-11-16T17:00:00.000Z" })); // of a resumed run
  appendFileSync(file, geminiMessage("m2", [unknown, unknown]) + geminiMessage("m0", earlier));
  await heartbeat.look();
  appendFileSync(file, geminiMessage("m1", [geminiCall("1")]));
  await heartbeat.look();
  expect(changes).toEqual([]);
  appendFileSync(file, geminiMessage("m3", [geminiCall("3")]));
  await heartbeat.look();
  expect(changes).toEqual(["gemini-cli true /w/gemini false"]);
});

it("[IG-03] Copilot CLI is noticed by its events; those of its sub-agents are told under names of their own", async () => {
  const { heartbeat, changes, home } = world({ env: {} });
  const folder = join(home, ".copilot/session-state", SESSION);
  mkdirSync(folder, { recursive: true });
  const start = { sessionId: SESSION, copilotVersion: "1.0.102", context: { cwd: "/w/copilot" } };
  const called = (agentId?: string) =>
    `${JSON.stringify({ type: "tool.execution_start", data: { toolCallId: "t", toolName: "bash", arguments: { command: "echo" } }, ...(agentId && { agentId }), id: "i" })}\n`;
  const asked = `${JSON.stringify({ type: "tool.user_requested", data: { toolName: "bash" } })}\n`;
  const file = join(folder, "events.jsonl");
  writeFileSync(file, `${JSON.stringify({ type: "session.start", data: start, id: "a" })}\n`);
  appendFileSync(file, called("cb200740-174d-441e-a66c-30135abc682d").repeat(3) + asked.repeat(3) + called());
  await heartbeat.look();
  expect(changes).toEqual([]);
  appendFileSync(file, called());
  await heartbeat.look();
  expect(changes).toEqual(["copilot-cli true /w/copilot false"]);
});

/** The tables of opencode 1.18.33, as far as they are read. */
function opencodeStore(data: string) {
  mkdirSync(join(data, "opencode"), { recursive: true });
  const db = new DatabaseSync(join(data, "opencode", "opencode.db"));
  onTestFinished(() => db.close());
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text PRIMARY KEY, directory text NOT NULL, time_created integer, time_updated integer);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);`);
  let at = 1_000;
  const session = db.prepare("INSERT INTO session VALUES (?, '/w/opencode', ?, ?)");
  const part = db.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)");
  const touch = db.prepare("UPDATE session SET time_updated = ? WHERE id = ?");
  return {
    open: (id: string) => void session.run(id, at, at),
    write(id: string, message: string, value: object) {
      at += 1;
      part.run(`prt_${at}`, message, id, at, at, JSON.stringify(value));
      touch.run(at, id);
    },
  };
}
const OPENCODE_CALL = { type: "tool", tool: "bash", callID: "c", state: { status: "completed" } };

it("[IG-03] opencode is noticed by its store, and nobody is by what a person ran with ! in it", async () => {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-opencode-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const { heartbeat, changes } = world({ env: { XDG_DATA_HOME: home } });
  const store = opencodeStore(home);
  store.open("ses_other");
  store.open(SESSION);
  for (const n of [1, 2, 3]) store.write(SESSION, `by-person-${n}`, OPENCODE_CALL);
  store.write(SESSION, "msg_1", { type: "step-start" });
  store.write(SESSION, "msg_1", { type: "text", text: '{"type":"tool"}' });
  store.write(SESSION, "msg_1", OPENCODE_CALL);
  heartbeat.told("opencode", SESSION)();
  await heartbeat.look();
  store.write(SESSION, "msg_1", OPENCODE_CALL);
  await heartbeat.look();
  expect(changes).toEqual([]);
  store.write(SESSION, "msg_2", { type: "step-start" });
  store.write(SESSION, "msg_2", OPENCODE_CALL);
  await heartbeat.look();
  expect(changes).toEqual(["opencode true /w/opencode false"]);
  heartbeat.told("opencode", SESSION)();
  await heartbeat.look();
  expect(changes.at(-1)).toBe("opencode true /w/opencode true");
});

it("[IG-03] a store that cannot be read, or of another version, hides no other agent", async () => {
  const { heartbeat, changes, home, write } = world();
  mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
  writeFileSync(join(home, ".local/share/opencode/opencode.db"), "no database");
  write(USE + USE);
  await heartbeat.look();
  expect(changes).toEqual(["claude-code true /w/project false"]);
});
