/**
 * The program that agents start for each event: plain JavaScript of one file, so that it starts as fast as Node does. It
 * asks the gateway over the socket beside it and prints one answer at its very end. Without an answer it says no, except
 * to tools that only read.
 */

/** Shorter than the limit that the agents are configured with, after which all of them would let the call pass. */
const DEADLINE_SECONDS = 7_080;
/** What is written into the settings of the agents. */
export const AGENT_LIMIT_SECONDS = 7_200;

export const HOOK_PROGRAM = String.raw`"use strict";
// Installed by Holdpoint: asks the gateway about one event of an agent. Do not edit: run "holdpoint hooks status".
const fs = require("node:fs");
const { connect } = require("node:net");
const { basename, dirname, join } = require("node:path");

const [agent = "", event = ""] = process.argv.slice(2);
const READS = new Set("Read Grep Glob LS NotebookRead TodoWrite TaskList TaskGet read_file list_directory glob grep_search search_file_content read grep list view".split(" "));
const TOOL_EVENTS = new Set(["PreToolUse", "BeforeTool", "preToolUse", "tool.execute.before"]);
let isOver = false;
let payload;
let planFile;

function print(descriptor, text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(descriptor, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function end({ stdout, stderr, exit, plan }) {
  if (isOver) return;
  isOver = true;
  if (plan !== undefined && planFile !== undefined) fs.writeFileSync(planFile, plan);
  if (stderr !== "") print(2, stderr);
  if (stdout !== "") print(1, stdout);
  process.exit(exit);
}

function deny(reason) {
  if (agent === "gemini-cli") return { decision: "deny", reason };
  const decision = { permissionDecision: "deny", permissionDecisionReason: reason };
  if (agent === "copilot-cli") return decision;
  if (agent === "opencode") return { deny: reason };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } };
}

function refuse(why) {
  const name = payload && (payload.tool_name || payload.toolName);
  const isTool = TOOL_EVENTS.has((payload && payload.hook_event_name) || event) || name !== undefined;
  if (!isTool || READS.has(name)) return end({ stdout: "", stderr: "", exit: 0 });
  end({ stdout: JSON.stringify(deny("holdpoint: " + why)), stderr: "", exit: 0 });
}

const DOWN = "the gateway does not answer, so nothing may be changed. Start it with: holdpoint start";

function read() {
  payload = JSON.parse(fs.readFileSync(0, "utf8"));
  const named = payload.tool_input && payload.tool_input.plan_filename;
  const folder = process.env.GEMINI_PLANS_DIR;
  if (typeof named !== "string" || !folder) return undefined;
  planFile = join(folder, basename(named));
  try {
    return fs.readFileSync(planFile, "utf8").slice(0, 262144);
  } catch {
    planFile = undefined;
    return undefined;
  }
}

function ask(plan) {
  const socket = connect(process.env.HOLDPOINT_SOCKET || join(dirname(__dirname), "agents.sock"));
  let text = "";
  socket.setEncoding("utf8");
  socket.on("connect", () => socket.write(JSON.stringify({ do: "hook", agent, event, payload, plan }) + "\n"));
  socket.on("data", (piece) => (text += piece));
  socket.on("error", () => refuse(DOWN));
  socket.on("close", () => {
    let answer;
    try {
      answer = JSON.parse(text);
    } catch {}
    if (answer === undefined || typeof answer.exit !== "number" || typeof answer.stdout !== "string") return refuse(DOWN);
    end(answer);
  });
  setTimeout(() => refuse("nobody decided in time. The card still waits: try again to go on waiting."), ${DEADLINE_SECONDS}000);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => (socket.destroy(), refuse("it was stopped.")));
}

try {
  ask(read());
} catch {
  refuse("what the agent sent could not be read.");
}
`;

/**
 * What stands in the settings names this file and never changes; what it starts may. Variables by which whoever starts
 * an agent could make Node load code of theirs are dropped.
 */
export const hookLauncher = ({ node, program }: { node: string; program: string }): string => `#!/bin/sh
unset NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_COMPILE_CACHE
exec ${quoted(node)} ${quoted(program)} "$@"
`;

/** A word for the shell, whatever it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The whole line: a hook that is missing, crashes or is killed ends with another code than 0, and becomes the one code that
 * every agent takes for a no.
 */
export const guardLine = (launcher: string, agent: string, event: string): string =>
  `${quoted(launcher)} ${agent} ${event} || { echo 'holdpoint: the hook failed, so this was refused' >&2; exit 2; }`;

/** The plugin of opencode: it loads nothing and does all work inside the hook, because one that fails to load is skipped. */
export const opencodePlugin = (
  launcher: string,
): string => `// Installed by Holdpoint. Do not edit: run "holdpoint hooks status".
export const Holdpoint = async ({ directory, worktree, client }) => ({
  "tool.execute.before": async (input, output) => {
    const { spawn } = await import("node:child_process");
    const cwd = directory || worktree || process.cwd();
    let sessionId = input.sessionID;
    try {
      // a sub-agent has a session of its own; its calls belong to the one that it was started from
      for (let level = 0; level < 16; level++) {
        const { data } = await client.session.get({ path: { id: sessionId } });
        if (!data || typeof data.parentID !== "string" || data.parentID === "") break;
        sessionId = data.parentID;
      }
    } catch {
      sessionId = input.sessionID;
    }
    const payload = { sessionId, ownSessionId: input.sessionID, cwd, toolName: input.tool, toolArgs: output.args || {} };
    const text = await new Promise((resolve) => {
      const child = spawn(${JSON.stringify(launcher)}, ["opencode", "tool.execute.before"], { stdio: ["pipe", "pipe", "ignore"] });
      let out = "";
      child.stdout.on("data", (piece) => (out += piece));
      child.on("error", () => resolve(undefined));
      child.on("close", (code) => resolve(code === 0 ? out : undefined));
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(payload));
    });
    if (text === undefined) throw new Error("holdpoint: the hook failed, so this was refused");
    if (text === "") return;
    throw new Error(String(JSON.parse(text).deny || "holdpoint: refused"));
  },
});
`;
