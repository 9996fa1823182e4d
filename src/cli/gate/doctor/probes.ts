/** What the doctor tries, by source: each call would change something, or read what only people may read. */
import { join } from "node:path";
import type { ToolSpec } from "../../../agent/model.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { CallStatus } from "../../../protocol/transcript-entry.ts";
import type { ProbeCall } from "./prober-model.ts";
import type { ToolFacts } from "../judge-line.ts";
import { sampleVariants } from "./sample-args.ts";

export const KEPT_FILE = "keep.txt";

export type Probe = {
  source: string;
  /** For a person: what is tried. */
  what: string;
  call: ProbeCall;
  /** What the result of a refused call looks like; anything else is a failure. */
  heldAs: readonly CallStatus[];
  /** The same kind of call on something permitted: unless it succeeds, an error of this one proves nothing. */
  control?: ProbeCall;
  /** The arguments were made from a schema: an error says only that the doctor called it wrongly. */
  isSampled?: boolean;
};

const exec = (command: string): ProbeCall => ({ tool: "exec", args: { command } });
const HELD: readonly CallStatus[] = ["refused"];
/** A tool that is not there, or a path that is not allowed, is answered with an error. */
const ERROR: readonly CallStatus[] = ["refused", "error"];
/** Reading may well succeed, as long as it does not yield the secret. */
const ANY: readonly CallStatus[] = ["refused", "error", "ok"];

const PATCH = `*** Begin Patch\n*** Delete File: ${KEPT_FILE}\n*** End Patch`;

export type Installation = {
  home: string;
  /** Servers of the Model Context Protocol, by the name that their tools carry. */
  servers: readonly Pick<Server, "prefix" | "trusted">[];
  /** How a tool's own declaration classifies a call; undefined where it is not one of the gateway's own. */
  facts(tool: string, args: JsonObject): Promise<ToolFacts | undefined>;
};

/** A server whose tools the agent may be offered. */
export type Server = { name: string; prefix: string; trusted: boolean; startMs: number };

export async function probesFor(offered: readonly ToolSpec[], installation: Installation): Promise<Probe[]> {
  const { home } = installation;
  const token = join(home, "operator.token");
  const fixed: Probe[] = [
    probe("exec", "write a file by redirection", { call: exec("echo x > made-by-exec") }),
    probe("exec", "delete with a quoted option", { call: exec('find . "-delete"') }),
    probe("exec", "delete behind a pipe", { call: exec(`ls | xargs rm -f ${KEPT_FILE}`) }),
    probe("exec", "run a script of the workspace", { call: exec("bash ./keep.txt") }),
    probe("exec", "start in the background", {
      call: { tool: "exec", args: { command: "touch made-in-background", background: true } },
    }),
    probe("write", "make a file", { call: { tool: "write", args: { path: "made-by-write", content: "x" } } }),
    probe("edit", "change a file", {
      call: { tool: "edit", args: { path: KEPT_FILE, oldText: "keep", newText: "changed" } },
    }),
    probe("apply_patch", "delete a file", { call: { tool: "apply_patch", args: { patch: PATCH } } }),
    probe("cron", "schedule a turn", {
      call: { tool: "cron", args: { action: "add", message: "x", delay_ms: 3_600_000 } },
    }),
    probe("unknown tool", "call a tool that nobody knows", { call: { tool: "format_disk", args: {} }, heldAs: ERROR }),
    probe("state folder", "read the operator's token", {
      call: { tool: "read", args: { path: token } },
      heldAs: ERROR,
      control: { tool: "read", args: { path: KEPT_FILE } },
    }),
    probe("state folder", "read it by a command", {
      call: exec(`cat ${token}`),
      heldAs: ANY,
      control: exec(`cat ${KEPT_FILE}`),
    }),
    probe("state folder", "read it by a pattern", {
      call: exec(`cat ${home}/oper*`),
      heldAs: ANY,
      control: exec("cat kee*"),
    }),
    probe("decision", "call the resolver", {
      call: { tool: "plan_mode_resolve", args: { plan_id: "pln_x", decision: "approve" } },
      heldAs: ERROR,
    }),
  ];
  const names = new Set(offered.map(({ name }) => name));
  const present = fixed.filter(
    ({ source, call }) => names.has(call.tool) || source === "unknown tool" || source === "decision",
  );
  return [...present, ...(await otherSources(offered, new Set(fixed.map(({ call }) => call.tool)), installation))];
}

/** They change nothing but the plan itself, and some of them end the turn; sub-agents are tried by a probe of their own. */
const LEFT_OUT = new Set([
  "enter_plan_mode",
  "exit_plan_mode",
  "update_plan",
  "ask_user_question",
  "plan_mode_status",
  "sessions_spawn",
  "sessions_send",
]);

/** Every other tool that this installation offers, each way that it can be called, with arguments made from its schema. */
async function otherSources(
  offered: readonly ToolSpec[],
  tried: ReadonlySet<string>,
  installation: Installation,
): Promise<Probe[]> {
  const others = offered.filter(({ name }) => !tried.has(name) && !LEFT_OUT.has(name));
  const calls = others.flatMap(({ name, inputSchema }) =>
    sampleVariants(inputSchema).map((args) => ({ tool: name, args })),
  );
  return Promise.all(
    calls.map(async (call) => ({
      ...probe(sourceOf(call.tool, installation), whatOf(call), { call, heldAs: await mustEnd(call, installation) }),
      ...controlOf(call.tool),
      isSampled: true,
    })),
  );
}

/** Calls of reading tools that must succeed in the doctor's workspace. */
const CONTROLS: Readonly<Record<string, JsonObject>> = {
  grep: { pattern: "keep" },
  glob: { pattern: "*.txt" },
};

function controlOf(tool: string): Pick<Probe, "control"> {
  const args = CONTROLS[tool];
  return args === undefined ? {} : { control: { tool, args } };
}

const whatOf = ({ tool, args }: ProbeCall): string =>
  typeof args["action"] === "string" ? `call ${tool} to ${args["action"]}` : `call ${tool}`;

const sourceOf = (name: string, { servers }: Installation): string =>
  servers.find(({ prefix }) => name.startsWith(prefix))?.prefix.replace(/^mcp__(.+)__$/, "mcp $1") ?? name;

/** What is known to write must be refused; an error would only say that the doctor called it wrongly. */
async function mustEnd({ tool, args }: ProbeCall, { servers, facts }: Installation): Promise<readonly CallStatus[]> {
  const server = servers.find(({ prefix }) => tool.startsWith(prefix));
  if (server !== undefined) return server.trusted ? ANY : HELD;
  return (await facts(tool, args))?.effect === "write" ? HELD : ANY;
}

const probe = (
  source: string,
  what: string,
  { call, heldAs = HELD, control }: { call: ProbeCall; heldAs?: readonly CallStatus[]; control?: ProbeCall },
): Probe => ({ source, what, call, heldAs, ...(control === undefined ? {} : { control }) });
