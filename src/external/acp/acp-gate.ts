/**
 * Stands between an editor and an agent that speaks the Agent Client Protocol (IG-04). What the agent asks permission for is
 * decided by the gate, and people decide on its plans where they always do. It is never given more than this one time: an
 * option that allows always may mean everything. The editor acts outside of what keeps the agent, so it is not offered to it
 * as a pair of hands.
 *
 *   editor ── initialize, without file system and terminals ──▶ agent
 *   agent ── request_permission ──▶ plan: card · call: gate, and where nothing is planned yet a card that says what was tried
 *         ◀── the option of the kind allow_once or reject_once ──      feedback of people: before the editor's next prompt
 */
import { z } from "zod";
import type { ExternalPlace } from "../../protocol/external/decisions.ts";
import { Json, JsonObject } from "../../protocol/json.ts";
import { toolMeaning } from "../hooks/hook-tools.ts";
import { INTERNAL_ERROR, METHOD_NOT_FOUND, rpcFailure, type RpcId, RpcMessage, rpcResult } from "../json-rpc.ts";

const PERSON_MS_MAX = 2 * 60 * 60_000;
const TITLE_CHARS_MAX = 500;
const REQUESTS_MAX = 64;

export type AcpGateParts = {
  place: Omit<ExternalPlace, "title">;
  /** Asks the decision service; the signal withdraws what waits there. */
  ask(line: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Resolves when what keeps the agent has let it go, so that an approved call does not come too early. */
  released(): Promise<unknown>;
  toAgent(message: JsonObject): void;
  toEditor(message: JsonObject): void;
};

export type AcpGate = { fromEditor(message: unknown): void; fromAgent(message: unknown): void; close(): void };

/** `passedOn`: the requests of the agent that the editor has not answered yet. */
type World = AcpGateParts & { feedback: string[]; waiting: Set<AbortController>; passedOn: Set<string> };

export function createAcpGate(parts: AcpGateParts): AcpGate {
  const world: World = { ...parts, feedback: [], waiting: new Set(), passedOn: new Set() };
  const stop = (): void => {
    for (const one of world.waiting) one.abort();
  };
  return {
    close: stop,
    fromEditor(given) {
      const message = JsonObject.safeParse(given).data;
      const { data } = RpcMessage.safeParse(message);
      if (message === undefined || data === undefined) return;
      if (data.method === undefined && !world.passedOn.delete(JSON.stringify(data.id))) return; // nobody asked it that
      if (message["method"] === "session/cancel") stop(); // the editor gives up: what waits for a person is withdrawn
      parts.toAgent(forAgent(message, world));
    },
    fromAgent(given) {
      const message = JsonObject.safeParse(given).data;
      const { data } = RpcMessage.safeParse(message);
      if (message === undefined || data === undefined) return;
      const { id, method = "", params = {} } = data;
      if (id === undefined || data.method === undefined) return parts.toEditor(message);
      if (method === "session/request_permission") return void decide(id, params, world);
      if (HANDS.test(method))
        return parts.toAgent(rpcFailure(id, METHOD_NOT_FOUND, "The editor's hands are not lent out."));
      if (world.passedOn.size >= REQUESTS_MAX)
        return parts.toAgent(rpcFailure(id, INTERNAL_ERROR, "Too much is asked."));
      world.passedOn.add(JSON.stringify(id));
      parts.toEditor(message);
    },
  };
}

/** Requests by which an agent would have the editor act in its place. */
const HANDS = /^(?:fs|terminal)\//;

const Prompt = z.looseObject({ prompt: z.array(Json) });

/** As the editor sent it, without the hands that it offers, and with what people said meanwhile. */
function forAgent(message: JsonObject, world: World): JsonObject {
  const params = JsonObject.safeParse(message["params"]).data ?? {};
  if (message["method"] === "initialize") {
    const { fs: _fs, terminal: _terminal, ...kept } = JsonObject.safeParse(params["clientCapabilities"]).data ?? {};
    const clientCapabilities = { ...kept, fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    return { ...message, params: { ...params, clientCapabilities } };
  }
  if (message["method"] !== "session/prompt" || world.feedback.length === 0) return message;
  const { data } = Prompt.safeParse(params);
  if (data === undefined) return message;
  const said = world.feedback.splice(0).map((text): JsonObject => ({ type: "text", text }));
  return { ...message, params: { ...params, prompt: [...said, ...data.prompt] } };
}

const Asked = z.looseObject({
  sessionId: z.string(),
  toolCall: z.looseObject({
    toolCallId: z.string().optional(),
    title: z.string().nullish(),
    name: z.string().nullish(),
    kind: z.string().nullish(),
    rawInput: z.json().optional(),
    content: z.array(z.json()).nullish(),
    locations: z.array(z.looseObject({ path: z.string() })).nullish(),
  }),
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })),
});
type Asked = z.infer<typeof Asked>;

async function decide(id: RpcId, params: JsonObject, world: World): Promise<void> {
  const { data } = Asked.safeParse(params);
  const leave = new AbortController();
  const isFull = world.waiting.size >= REQUESTS_MAX;
  world.waiting.add(leave);
  try {
    const isAllowed = data !== undefined && !isFull && (await allowed(data, leave.signal, world));
    if (isAllowed) await world.released();
    world.toAgent(rpcResult(id, { outcome: outcomeOf(data, leave.signal.aborted ? undefined : isAllowed) }));
  } catch {
    world.toAgent(rpcResult(id, { outcome: outcomeOf(data, false) }));
  } finally {
    world.waiting.delete(leave);
  }
}

/** By its kind, never by its place or its name. Undefined: the editor has called it off. */
function outcomeOf(asked: Asked | undefined, isAllowed: boolean | undefined): JsonObject {
  const wanted = isAllowed === true ? "allow_once" : "reject_once";
  const option = isAllowed === undefined ? undefined : asked?.options.find(({ kind }) => kind === wanted);
  return option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId };
}

const Told = z.looseObject({
  decision: z.string().optional(),
  outcome: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
  edited: z.string().optional(),
});

async function allowed(asked: Asked, signal: AbortSignal, world: World): Promise<boolean> {
  const plan = planIn(asked);
  if (plan !== undefined) return approved({ text: plan }, { asked, signal }, world);
  const call = callIn(asked, world.place);
  const told = Told.parse(await world.ask({ do: "call", ...world.place, ...call }, signal));
  if (told.decision === "allow") return true;
  if (signal.aborted) return false;
  if (told.status === "pending") return isApprovedLater(signal, world);
  if (told.status !== "held") return false;
  const tried = asked.toolCall.title || call.tool;
  const plain = {
    title: `Let ${world.place.agent} work`,
    steps: [{ step: tried.slice(0, TITLE_CHARS_MAX) }],
    summary: TRIED,
  };
  return approved(plain, { asked, signal }, world);
}

/** Another call of the same run is before people already. */
async function isApprovedLater(signal: AbortSignal, { ask, place }: World): Promise<boolean> {
  const { outcome, edited } = Told.parse(await ask({ do: "wait", ...place, waitMs: PERSON_MS_MAX }, signal));
  return outcome === "approved" && edited === undefined;
}

const TRIED =
  "The agent has handed over no plan. This is what it tried first, and it waits for you. Approve it to let this run change files, or write down what it should do instead.";

type Around = { asked: Asked; signal: AbortSignal };

/** Puts it before people and waits; what they say goes to the agent with the next prompt, and to the editor at once. */
async function approved(plan: JsonObject, { asked, signal }: Around, world: World): Promise<boolean> {
  const line = { do: "plan", ...world.place, plan, waitMs: PERSON_MS_MAX, withdraw: true };
  const { outcome, message = "", edited } = Told.parse(await world.ask(JsonObject.parse(line), signal));
  const isApproved = outcome === "approved";
  if (!isApproved || edited !== undefined) {
    const text = [message, edited ?? ""].join("\n\n").trim();
    if (text !== "") world.feedback.push(text);
    world.toEditor(said(asked.sessionId, text));
  }
  return isApproved && edited === undefined; // of an edited plan the agent must first read what it says now
}

const said = (sessionId: string, text: string): JsonObject => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `\n\nHoldpoint: ${text}\n\n` } },
  },
});

const Texts = z.looseObject({ content: z.looseObject({ text: z.string() }) });

/** A plan is what switches modes, or what a tool of that name holds. */
function planIn({ toolCall }: Asked): string | undefined {
  const { kind, name, rawInput, content } = toolCall;
  const isPlan = kind === "switch_mode" || /^exit_?plan_?mode$/i.test(name ?? "");
  if (!isPlan) return undefined;
  const given = JsonObject.safeParse(rawInput).data?.["plan"];
  if (typeof given === "string" && given.trim() !== "") return given;
  const texts = (content ?? []).flatMap((one) => Texts.safeParse(one).data?.content.text ?? []);
  return texts.join("\n") || toolCall.title || undefined;
}

/** In the words of our own gate; what says nothing of itself counts as changing something. */
function callIn({ toolCall }: Asked, { workspace }: AcpGateParts["place"]): { tool: string; args: JsonObject } {
  const { name, kind, rawInput, locations, title } = toolCall;
  const input = JsonObject.safeParse(rawInput).data ?? {};
  const path = locations?.[0]?.path;
  const known = name ?? KINDS[kind ?? ""] ?? kind ?? "act";
  const meaning = toolMeaning({
    name: known,
    input: path === undefined ? input : { file_path: path, ...input },
    cwd: workspace,
  });
  if (meaning.kind === "call") return { tool: meaning.tool, args: meaning.args };
  return { tool: kind ?? "act", args: { title: title ?? "" } };
}

/** Kinds of the protocol, as the tools that they stand for. */
const KINDS: Readonly<Record<string, string>> = {
  read: "read",
  search: "grep",
  think: "todoread",
  fetch: "webfetch",
  execute: "bash",
  edit: "edit",
  delete: "delete",
  move: "move",
};
