/**
 * The requests of one cell, answered. Search and description are answered from the catalog; a call goes the one way that
 * every call goes, under the cell's name.
 *
 *   request ──▶ running ──▶ ok · error
 *                  ├─ a person was asked ──▶ awaiting_approval ──decided, at `wait`──▶ made again, or answered
 *                  └─ the turn is ending ──▶ queued ──at `wait`──▶ made
 */
import { type Json, JsonObject } from "../../protocol/json.ts";
import {
  type NamespaceCall,
  type OfferedTool,
  oneLine,
  type PluginApi,
  type RecordedCall,
  z,
} from "../../plugins/sdk.ts";
import { type Bindings, headerOf, type Target } from "../catalog/bindings.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { namespaceInput } from "../catalog/namespaces.ts";
import { type AskedPerson, CodeModeState } from "../protocol/state.ts";
import { CODE_MODE_SLICE, type CodeModeSettings } from "../settings.ts";
import type { CallAnswer, CallRequest } from "../sandbox/sandbox.ts";
import { isObject, readArguments } from "./call-arguments.ts";
import type { CellCaller } from "./cell-caller.ts";
import { type CellCounts, countTool } from "./telemetry.ts";

/** One that the program made and that has no answer yet. */
export const PendingCall = z.strictObject({
  callId: z.string(),
  method: z.enum(["search", "describe", "call", "namespace"]),
  target: z.string(),
  argsJson: z.string(),
  toolId: z.string(),
  state: z.enum(["queued", "running", "awaiting_approval"]),
  /** What the person was asked. */
  askedId: z.string().exactOptional(),
  /** What the call itself answered, where a person's decision is added to it. */
  firstJson: z.string().exactOptional(),
  startedAtMs: z.int(),
});
export type PendingCall = z.infer<typeof PendingCall>;

type Given = {
  api: Pick<PluginApi, "sessions" | "now">;
  sessionId: string;
  caller: CellCaller;
  catalog: Catalog;
  bindings: Bindings;
  settings: CodeModeSettings;
  counts: CellCounts;
  /** By the ids of the program. */
  pending: Map<string, PendingCall>;
  /** Calls that this process has made and that are on their way, also those of a stage before. */
  live: Map<string, Promise<CallAnswer>>;
};
type Parts = Given & {
  /** Large arguments are read one after the other, each in its own round of the gateway's loop. */
  inTurn(): Promise<void>;
};
const LARGE_CHARS = 16_384;

export type CellCalls = {
  call(request: CallRequest): Promise<CallAnswer>;
  /** The answer to a call of an earlier stage. */
  answerOf(callId: string, recorded: readonly RecordedCall[]): Promise<CallAnswer>;
};

export function createCellCalls(given: Given): CellCalls {
  let line = Promise.resolve();
  const parts: Parts = { ...given, inTurn: () => (line = line.then(nextRound)) };
  return {
    async call(request) {
      switch (request.method) {
        case "search":
          return ok(searched(request, parts));
        case "describe":
          return described(request, parts);
        default:
          return made(request, parts);
      }
    },
    answerOf: (callId, recorded) => settled(callId, recorded, parts),
  };
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const ok = (value: Json): CallAnswer => ({ ok: true, json: JSON.stringify(value) });
const failed = (text: string): CallAnswer => ({ ok: false, json: JSON.stringify(text) });
const PARKED: CallAnswer = { parked: true };

function searched(request: CallRequest, { catalog, settings, counts }: Parts): Json {
  counts.search += 1;
  const given = limitIn(request);
  const { searchDefaultLimit, maxSearchLimit } = settings;
  const limit =
    typeof given === "number" && given >= 1 ? Math.min(Math.floor(given), maxSearchLimit) : searchDefaultLimit;
  return [...catalog.search(request.target, limit)];
}

function limitIn({ argsJson }: CallRequest): Json | undefined {
  const read = readArguments(argsJson);
  const options = "args" in read ? read.args[0] : undefined;
  return options !== undefined && isObject(options) ? options["limit"] : undefined;
}

/** What is unknown, denied or a server's looks the same. */
const noTool = (id: string): CallAnswer =>
  failed(`There is no tool "${oneLine(id).slice(0, 200)}" here. tools.search(query) finds those that there are.`);

function described({ target }: CallRequest, { catalog, counts }: Parts): CallAnswer {
  counts.describe += 1;
  const found = catalog.describe(target);
  return found === undefined ? noTool(target) : ok({ ...found });
}

type Input = { input: JsonObject } | { problem: string };
type Located = { tool: OfferedTool; id: string; input(args: readonly Json[]): Input };

async function made(request: CallRequest, parts: Parts): Promise<CallAnswer> {
  const located = locate(request, parts);
  if ("ok" in located || "parked" in located) return located;
  const { callId, method, target, argsJson } = request;
  const startedAtMs = parts.api.now();
  parts.pending.set(callId, { callId, method, target, argsJson, toolId: located.id, state: "running", startedAtMs });
  const work = dispatched(request, located, parts);
  parts.live.set(callId, work);
  const answer = await work;
  if (!("parked" in answer)) parts.pending.delete(callId);
  parts.live.delete(callId);
  return answer;
}

function locate(request: CallRequest, { catalog, bindings }: Parts): Located | CallAnswer {
  if (request.method === "call") {
    const { target: id } = request;
    const tool = catalog.tool(id);
    return tool === undefined ? noTool(id) : { tool, id, input: ([given]) => oneObject(id, given ?? {}) };
  }
  const target = bindings.target(request.target);
  return target === undefined ? failed("There is nothing of this name here any more.") : targeted(target, request);
}

function targeted(target: Target, { argsJson }: CallRequest): Located | CallAnswer {
  switch (target.kind) {
    case "header": {
      const read = readArguments(argsJson);
      const header = "problem" in read ? undefined : headerOf(target.server, read.args);
      return header === undefined ? failed(`The server "${target.server.name}" has no such tool.`) : ok(header);
    }
    case "tool":
      return { tool: target.tool, id: target.id, input: (args) => oneObject(target.id, target.input(args)) };
    case "marked":
      return { tool: target.tool, id: target.id, input: (args) => mapped(target.marker, args) };
  }
}

const oneObject = (id: string, given: Json): Input =>
  isObject(given) ? { input: given } : { problem: `${id} is called with one object.` };

function mapped(marker: NamespaceCall, args: readonly Json[]): Input {
  try {
    return { input: namespaceInput(marker, args) };
  } catch {
    return { problem: "The arguments do not fit this function." };
  }
}

async function dispatched(request: CallRequest, located: Located, parts: Parts): Promise<CallAnswer> {
  const { tool, id } = located;
  const { callId, argsJson } = request;
  if (argsJson.length > LARGE_CHARS) await parts.inTurn();
  const read = readArguments(argsJson);
  const given = "problem" in read ? read : located.input(read.args);
  if ("problem" in given) return failed(given.problem);
  const { input } = given;
  countTool(parts.counts, id);
  const caller = await parts.caller.get();
  if ("refused" in caller) return held(callId, caller.refused.message, parts);
  const answer = await caller.call(tool.name, input, { ref: callId });
  if ("refused" in answer) {
    const isEnding = answer.refused.code === "TURN_NOT_RUNNING";
    return isEnding ? park(callId, { state: "queued" }, parts) : failed(`${id}: ${answer.refused.message}`);
  }
  const asked = await whatWasAsked({ ...answer, tool: tool.name }, parts);
  if (asked === undefined) return answered(id, answer);
  const first = answer.status === "ok" ? { firstJson: JSON.stringify(answer.content) } : {};
  return park(callId, { state: "awaiting_approval", askedId: asked.id, ...first }, parts);
}

function held(callId: string, message: string, parts: Parts): CallAnswer {
  return parts.caller.opened() === undefined ? failed(message) : park(callId, { state: "queued" }, parts);
}

function park(callId: string, change: Partial<PendingCall>, { pending }: Parts): CallAnswer {
  const call = pending.get(callId);
  if (call !== undefined) pending.set(callId, { ...call, ...change });
  return PARKED;
}

type Ended = Pick<RecordedCall, "status" | "content"> & { followed?: true };

/** A call that was put before a person, or whose result is that a person was asked; undefined of every other. */
async function whatWasAsked(ended: Ended & { tool: string }, parts: Parts): Promise<AskedPerson | undefined> {
  const { status, content, followed, tool } = ended;
  if (status === "refused") {
    const used = new Set([...parts.pending.values()].map(({ askedId }) => askedId));
    const isOwn = (one: AskedPerson): boolean => one.about === "call" && one.tool === tool && !used.has(one.id);
    return followed === true ? (await askedIn(parts)).findLast(isOwn) : undefined;
  }
  const fields = status === "ok" ? JsonObject.safeParse(content).data : undefined;
  const id = fields?.["question_id"] ?? fields?.["plan_id"];
  return typeof id === "string" ? (await askedIn(parts)).find((one) => one.id === id) : undefined;
}

async function askedIn({ api, sessionId }: Parts): Promise<readonly AskedPerson[]> {
  const session = await api.sessions.read(sessionId);
  const state = CodeModeState.safeParse(session?.slices[CODE_MODE_SLICE]);
  return state.data?.asked ?? [];
}

/** A server's tool that reports an error has answered; everything else that is no result is thrown in the program. */
function answered(id: string, { status, content }: Ended): CallAnswer {
  if (status === "ok") return ok(content);
  const fields = JsonObject.safeParse(content).data;
  if (status === "error" && fields?.["isError"] === true) return ok(content);
  const message = fields?.["message"] ?? fields?.["error"];
  const text = typeof content === "string" ? content : typeof message === "string" ? message : JSON.stringify(content);
  return failed(`${id}: ${text}`);
}

async function settled(callId: string, recorded: readonly RecordedCall[], parts: Parts): Promise<CallAnswer> {
  const { pending, live } = parts;
  const call = pending.get(callId);
  if (call === undefined) return failed("This call is not known any more.");
  const running = live.get(callId);
  if (running !== undefined) return finished(callId, await running, parts);
  if (call.state === "queued") return made(call, parts);
  if (call.state === "awaiting_approval") return decided(call, parts);
  const end = recorded.find(({ ref }) => ref === callId);
  // what only reads and was cut off is made again; what may have changed something never is
  if (end?.status === "skipped") return made(call, parts);
  const lost = `${call.toolId}: Whether it took effect is unknown and it was not run again: look before you repeat it.`;
  return finished(callId, end === undefined ? failed(lost) : answered(call.toolId, end), parts);
}

function finished(callId: string, answer: CallAnswer, { pending, live }: Parts): CallAnswer {
  if (!("parked" in answer)) pending.delete(callId);
  live.delete(callId);
  return answer;
}

async function decided(call: PendingCall, parts: Parts): Promise<CallAnswer> {
  const asked = (await askedIn(parts)).find(({ id }) => id === call.askedId);
  if (asked === undefined)
    return finished(call.callId, failed(`${call.toolId}: the question is not open any more.`), parts);
  const how = asked.decided;
  if (how === undefined) return PARKED;
  if (call.firstJson !== undefined) {
    const first = JsonObject.safeParse(JSON.parse(call.firstJson)).data ?? {};
    return finished(call.callId, ok({ ...first, ...decisionFields(asked) }), parts);
  }
  if (how.allowed === true) return made(call, parts);
  const why = how.answer ?? how.closed ?? "";
  return finished(
    call.callId,
    failed(`${call.toolId}: a person did not allow it${why === "" ? "" : ` (${why})`}.`),
    parts,
  );
}

/** Of a question its answer, of a plan its decision. */
function decisionFields({ about, decided: how = {} }: AskedPerson): JsonObject {
  const { allowed = false, answer, optionId, closed } = how;
  if (about === "plan")
    return {
      decision: allowed ? "approved" : (closed ?? "rejected"),
      ...(answer === undefined ? {} : { feedback: answer }),
    };
  if (closed !== undefined) return { answer: null, result: closed };
  return { answer: answer ?? null, option_id: optionId ?? null };
}
