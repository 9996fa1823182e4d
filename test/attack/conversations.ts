/** The conversations of an attack: what the person sends and approves, and how each of them comes to its end. */
import { SUB_AGENTS_SLICE, SubAgentsState } from "../../src/agent/sub-agents/protocol/sub-agents.ts";
import { ApprovalId, type SessionId } from "../../src/protocol/ids.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import { pendingApproval } from "../chaos/people.ts";
import type { GatewayChild } from "../kit/gateway-child.ts";
import { PATIENT_MS } from "../kit/patience.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";

type Besieger = { gateway: GatewayChild; isOver(): boolean };
type Conversed = { approved: number; broke: string[] };
type Conversation = { agentId: string; order?: "submit" | "submit scoped" | "nothing" };

/** How often a plan is submitted until the folder that it declares is no link at that moment. */
const SUBMISSIONS_MAX = 200;

/** One conversation after the other: attacks, submits, is approved, attacks again. */
export const attackUntil = (by: Besieger, { agentId, order = "submit" }: Conversation): Promise<Conversed> =>
  again(by, {
    agentId,
    name: "a conversation",
    async once(talk) {
      await turn(talk, say(talk, "attack"));
      if (order === "nothing") return 0;
      await submitted(talk, order);
      await turn(talk, () => approve(talk));
      return 1;
    },
  });

/** Sub-agents of sub-agents attack for a session that plans and is deleted under them. */
export const attackByOrphans = (by: Besieger): Promise<Conversed> =>
  again(by, {
    agentId: "main",
    name: "a family that loses its head",
    async once(talk) {
      await turn(talk, say(talk, "delegate twice"));
      await remove(talk);
      return 0;
    },
  });

/**
 * Sub-agents of sub-agents that are waited for: they return, are told to attack once more, and return again; then the plan
 * of the session above is submitted and approved, and they attack under it.
 */
export const attackByFamily = (by: Besieger, agentId: string): Promise<Conversed> =>
  again(by, {
    agentId,
    name: "a family",
    async once(talk) {
      for (const text of ["delegate twice", "tell them again"]) await settled(talk, say(talk, text));
      await submitted(talk, "submit");
      await settled(talk, () => approve(talk));
      await turn(talk, say(talk, "finish"));
      await remove(talk);
      return 1;
    },
  });

type Talk = { client: WireClient; sessionId: SessionId };
/** `once`: how many plans were approved in it. */
type Course = { agentId: string; name: string; once(talk: Talk): Promise<number> };

async function again({ gateway, isOver }: Besieger, { agentId, name, once }: Course): Promise<Conversed> {
  let approved = 0;
  const client = await wireClient(gateway);
  try {
    do {
      const { id: sessionId } = (await client.must("sessions.create", { agentId })).session;
      await client.must("sessions.patch", { sessionId, planMode: "plan" });
      await client.must("sessions.subscribe", { sessionId });
      approved += await once({ client, sessionId });
    } while (!isOver());
  } catch (error) {
    return { approved, broke: [`${name} of ${agentId} could not go on: ${String(error)}`] };
  } finally {
    client.close();
  }
  return { approved, broke: [] };
}

type Start = () => Promise<unknown>;

const say =
  ({ client, sessionId }: Talk, text: string): Start =>
  () =>
    client.must("chat.send", { sessionId, text });

const remove = ({ client, sessionId }: Talk) => client.must("sessions.delete", { sessionId });

const look = async ({ client, sessionId }: Talk): Promise<SessionView> =>
  (await client.must("sessions.get", { sessionId })).session;

async function submitted(talk: Talk, order: string): Promise<void> {
  for (let tries = 0; tries < SUBMISSIONS_MAX; tries++) {
    await turn(talk, say(talk, order));
    if (pendingApproval(await look(talk)) !== undefined) return;
  }
  throw new Error("its plan does not wait for anybody");
}

async function approve(talk: Talk): Promise<void> {
  const { client, sessionId } = talk;
  const approvalId = ApprovalId.parse(pendingApproval(await look(talk)));
  await client.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
}

/** Starts a turn and waits for its end. */
const turn = (talk: Talk, start: Start): Promise<void> => turns(talk, { start, isLast: async () => true });

/** Starts a turn and waits until nobody below the session works any more, and it has taken up what they brought back. */
const settled = (talk: Talk, start: Start): Promise<void> =>
  turns(talk, { start, isLast: async () => isAtRest(await look(talk)) });

const childrenIn = ({ slices }: Pick<SessionView, "slices">) => SubAgentsState.parse(slices[SUB_AGENTS_SLICE]).children;

const isAtRest = (session: SessionView): boolean =>
  session.turn.status === "idle" &&
  session.queuedMessages === 0 &&
  childrenIn(session).every((child) => child.status === "ended");

type Turns = { start: Start; isLast(): Promise<boolean> };

/** Waits for ends of turns until one of them is the last. What does not come to its end is reported with where it stands. */
async function turns(talk: Talk, { start, isLast }: Turns): Promise<void> {
  const { client, sessionId } = talk;
  const over = Promise.withResolvers<void>();
  const forget = client.onEvent(({ event, payload }) => {
    if (event !== "turn.finished" || !JSON.stringify(payload).includes(sessionId)) return;
    isLast().then((last) => last && over.resolve(), over.reject);
  });
  void client.closed.then(() => over.reject(new Error("the connection ended")));
  const hangs = async (): Promise<void> => over.reject(new Error(`it hangs:${await whereItStands(talk, "  ")}`));
  const late = setTimeout(() => void hangs().catch(over.reject), PATIENT_MS);
  try {
    await start();
    await over.promise;
  } finally {
    clearTimeout(late);
    forget();
  }
}

/** Of the session and of all that are below it: what they do, and for whom they wait. */
async function whereItStands({ client, sessionId }: Talk, indent: string): Promise<string> {
  const answer = await client.request("sessions.get", { sessionId });
  if (answer?.ok !== true) return `\n${indent}${sessionId}: ${answer === undefined ? "no answer" : answer.error.code}`;
  const { session } = answer.payload;
  const children = childrenIn(session);
  const below = children.flatMap((child) => (child.status === "running" ? [child.id] : []));
  const lines = await Promise.all(below.map((id) => whereItStands({ client, sessionId: id }, `${indent}  `)));
  const here = JSON.stringify({ turn: session.turn, queued: session.queuedMessages, children });
  return `\n${indent}${sessionId}: ${here}${lines.join("")}`;
}
