/**
 * The gateway as an agent for editors that speak the Agent Client Protocol (IG-04). A prompt is a message; what the agent says and
 * does is streamed; a plan or a question is a permission request that carries its text. A no takes no words there, so the next
 * prompt is the feedback. The person at the editor is the operator whose token this process holds: they decide here as in
 * the terminal, and what is decided elsewhere counts as well.
 *
 *   prompt ──▶ turn ──▶ at rest ─┬─ no card waits ──▶ end_turn
 *                ▲               └─ card ──▶ request_permission ─┬─ yes · an answer ──┐
 *                └───────────────────────────────────────────────┼───────────────────┘
 *                                                                 └─ no ──▶ end_turn, the next prompt says why
 */
import { z } from "zod";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  rpcFailure,
  type RpcId,
  RpcMessage,
  rpcResult,
} from "../../external/json-rpc.ts";
import { findAction, patchOf } from "../../protocol/card/availability.ts";
import { approvalIn, askingIn, type Card } from "../../protocol/card/card.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { JsonObject } from "../../protocol/json.ts";
import { cardsOf } from "../cards/session-cards.ts";
import { patchSession } from "../cards/patch-session.ts";
import { readEvent } from "../chat/chat-event.ts";
import type { Link, LinkEvent } from "../chat/link.ts";
import { permissionFor } from "./card-permission.ts";
import { updateFor } from "./session-update.ts";

const PROTOCOL = 1;
const SESSIONS_MAX = 64;

export type AcpAgentParts = { link: Link; version: string; send(message: JsonObject): void };
export type AcpAgent = { handle(message: unknown): Promise<JsonObject | undefined> };

type Open = {
  sessionId: SessionId;
  /** Resolved, and made anew, each time that a turn begins or ends. */
  moved: PromiseWithResolvers<void>;
  /** The plan to which the person at the editor said no; their next prompt says why. */
  refused?: string;
  isCancelled: boolean;
};

type World = AcpAgentParts & {
  open: Map<string, Open>;
  answers: Map<string, (result: JsonObject) => void>;
  asked: number;
};

export function createAcpAgent(parts: AcpAgentParts): AcpAgent {
  const world: World = { ...parts, open: new Map(), answers: new Map(), asked: 0 };
  parts.link.onEvent((event) => stream(event, world));
  return {
    async handle(given) {
      const { data } = RpcMessage.safeParse(given);
      if (data === undefined) return rpcFailure(null, INVALID_REQUEST, "This is no JSON-RPC message.");
      const { id, method, params = {} } = data;
      if (method === undefined || id === undefined) {
        if (method === "session/cancel") await cancel(params, world);
        else if (method === undefined) world.answers.get(String(id))?.(JsonObject.safeParse(data["result"]).data ?? {});
        return undefined;
      }
      try {
        return await answer({ id, method, params }, world);
      } catch (error) {
        return rpcFailure(id, INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
      }
    },
  };
}

type Request = { id: RpcId; method: string; params: JsonObject };

async function answer({ id, method, params }: Request, world: World): Promise<JsonObject> {
  switch (method) {
    case "initialize":
      return rpcResult(id, {
        protocolVersion: PROTOCOL,
        agentCapabilities: { loadSession: false, promptCapabilities: { embeddedContext: true } },
        agentInfo: { name: "holdpoint", title: "Holdpoint", version: world.version },
        authMethods: [],
      });
    case "session/new":
      return create(id, params, world);
    case "session/prompt":
      return prompt(id, params, world);
    default:
      return rpcFailure(id, METHOD_NOT_FOUND, `There is no method ${method}.`);
  }
}

const New = z.looseObject({ cwd: z.string().min(1) });

async function create(id: RpcId, params: JsonObject, world: World): Promise<JsonObject> {
  const { data } = New.safeParse(params);
  if (data === undefined) return rpcFailure(id, INVALID_PARAMS, "session/new needs a cwd.");
  if (world.open.size >= SESSIONS_MAX) return rpcFailure(id, INTERNAL_ERROR, "Too many sessions are open here.");
  const { session } = await world.link.call("sessions.create", { workspace: data.cwd });
  const sessionId = session.id;
  world.open.set(sessionId, { sessionId, moved: Promise.withResolvers(), isCancelled: false });
  await world.link.follow(sessionId, () => move(world.open.get(sessionId)));
  return rpcResult(id, { sessionId });
}

const openOf = ({ sessionId }: JsonObject, { open }: World): Open | undefined =>
  typeof sessionId === "string" ? open.get(sessionId) : undefined;

function move(open: Open | undefined): void {
  if (open === undefined) return;
  const { resolve } = open.moved;
  open.moved = Promise.withResolvers();
  resolve();
}

function stream(event: LinkEvent, world: World): void {
  const open = openOf(event.payload, world);
  const happened = open === undefined ? undefined : readEvent(event, open.sessionId);
  if (open === undefined || happened === undefined) return;
  const { sessionId } = open;
  for (const update of updateFor(happened)) {
    world.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
  }
  if (happened.kind === "session" && /^turn\.(?:requested|finished)$/.test(happened.event.type)) move(open);
}

const Prompt = z.looseObject({
  sessionId: z.string(),
  prompt: z.array(
    z.looseObject({
      text: z.string().optional(),
      uri: z.string().optional(),
      resource: z.looseObject({ uri: z.string().optional(), text: z.string().optional() }).optional(),
    }),
  ),
});

async function prompt(id: RpcId, params: JsonObject, world: World): Promise<JsonObject> {
  const { data } = Prompt.safeParse(params);
  const open = world.open.get(data?.sessionId ?? "");
  if (data === undefined || open === undefined) return rpcFailure(id, INVALID_PARAMS, "There is no such session here.");
  const parts = data.prompt.map(({ text, uri, resource }) => text ?? resource?.text ?? uri ?? resource?.uri ?? "");
  const text = parts.join("\n").trim();
  if (text === "") return rpcFailure(id, INVALID_PARAMS, "The prompt is empty.");
  open.isCancelled = false;
  await say(text, open, world);
  await carryOut(open, world);
  return rpcResult(id, { stopReason: open.isCancelled ? "cancelled" : "end_turn" });
}

/** After a no to a plan that still waits, what is said next is why. */
async function say(text: string, open: Open, { link }: World): Promise<void> {
  const { sessionId, refused } = open;
  delete open.refused;
  const cards = refused === undefined ? [] : cardsOf((await link.call("sessions.get", { sessionId })).session);
  const action = findAction(
    cards.find((card) => card.id === refused && card.state === "pending"),
    "reject",
  );
  if (action === undefined) await link.call("chat.send", { sessionId, text });
  else await patchSession(link, sessionId, patchOf(action, text));
}

async function carryOut(open: Open, world: World): Promise<void> {
  const { sessionId } = open;
  while (!open.isCancelled) {
    const { promise: moved } = open.moved;
    const { session } = await world.link.call("sessions.get", { sessionId });
    if (session.turn.status !== "idle") {
      await moved;
      continue;
    }
    const cards = cardsOf(session);
    const card = waiting(cards);
    if (card === undefined || (await decided(card, { open, moved }, world)) === "later") return;
  }
}

const waiting = (cards: readonly Card[]): Card | undefined =>
  cards.find((card) => card === approvalIn(cards) && card.state === "pending") ?? askingIn(cards);

/** `later`: the person goes on in their own time. */
async function decided(
  card: Card,
  { open, moved }: { open: Open; moved: Promise<void> },
  world: World,
): Promise<"now" | "later"> {
  const { sessionId } = open;
  const permission = permissionFor(card);
  if (permission === undefined) return "later";
  const id = `holdpoint-${++world.asked}`;
  const given = Promise.withResolvers<JsonObject>();
  world.answers.set(id, given.resolve);
  const { toolCall, options } = permission;
  world.send({ jsonrpc: "2.0", id, method: "session/request_permission", params: { sessionId, toolCall, options } });
  const chosen = await chosenFor(card, { open, moved, given: given.promise }, world);
  world.answers.delete(id);
  if (chosen === undefined) return "now";
  const patch = permission.patch(optionIn(chosen));
  if (patch === undefined) {
    if (card.kind === "approval") open.refused = card.id;
    tell(sessionId, card.kind === "approval" ? SAY_WHY : LATER, world);
    return "later";
  }
  try {
    await patchSession(world.link, sessionId, patch);
    return "now";
  } catch (error) {
    tell(sessionId, error instanceof Error ? error.message : String(error), world);
    return "later";
  }
}

type Awaiting = { open: Open; moved: Promise<void>; given: Promise<JsonObject> };

/**
 * Undefined once the card waits no more: decided elsewhere, a turn begins, and the answer of the editor comes too late. That
 * something has moved is not enough: the end of the turn that asked is told after its card, and nobody is asked twice for that.
 */
async function chosenFor(
  { id }: Card,
  { open, given, ...first }: Awaiting,
  { link }: World,
): Promise<JsonObject | undefined> {
  for (let { moved } = first; ;) {
    const chosen = await Promise.race([given, moved.then(() => undefined)]);
    if (chosen !== undefined || open.isCancelled) return chosen;
    moved = open.moved.promise;
    const { session } = await link.call("sessions.get", { sessionId: open.sessionId });
    if (session.turn.status !== "idle" || waiting(cardsOf(session))?.id !== id) return undefined;
  }
}

const SAY_WHY = "The plan still waits. Say what should be different, and the agent plans anew.";
const LATER = "The question still waits; it can be answered on the page and in every channel, too.";

const Chosen = z.looseObject({ outcome: z.looseObject({ optionId: z.string().optional() }) });
const optionIn = (answered: JsonObject): string => Chosen.safeParse(answered).data?.outcome.optionId ?? "";

function tell(sessionId: SessionId, text: string, { send }: World): void {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `\n\n${text}\n` } };
  send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
}

async function cancel(params: JsonObject, world: World): Promise<void> {
  const open = openOf(params, world);
  if (open === undefined) return;
  open.isCancelled = true;
  await world.link.call("chat.abort", { sessionId: open.sessionId }).catch(() => undefined); // nothing ran
  move(open);
}
