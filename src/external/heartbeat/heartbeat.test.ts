/** Agents that work past their hooks are noticed by their transcripts. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createHeartbeat } from "./heartbeat.ts";

const SESSION = "00000000-0000-4000-8000-000000000001";
const HEAD = `${JSON.stringify({ type: "user", cwd: "/w/project", sessionId: SESSION })}\n`;
const USE = `${JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", name: "Bash" }] } })}\n`;

function world({ isHooked = true, startedAtMs = 0 } = {}) {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-heartbeat-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const changes: string[] = [];
  const heartbeat = createHeartbeat({
    person: { home, env: {} },
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
  expect([talking.changes, unhooked.changes, earlier.changes]).toEqual([[], [], []]);
});
