/**
 * People of the simulation. A request goes to any node, may be lost on the way there or back, sent twice, and is repeated
 * under its key until it is answered. What they decide on may be long gone.
 */
import { isDeepStrictEqual } from "node:util";
import type { Outcome } from "../../src/engine/engine.ts";
import type { Actor } from "../../src/protocol/actor.ts";
import { MessageId, OperatorId, type SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { Session, SessionCommand } from "../../src/protocol/session.ts";
import { alice, create } from "../kit/core.ts";
import type { Random } from "../kit/random.ts";
import type { Agenda } from "./agenda.ts";
import { planOf, type Violated } from "./invariants/seen-commit.ts";
import type { SimulatedNode } from "./simulated-node.ts";

export type PersonRequest = {
  key: string;
  sessionId: SessionId;
  command: SessionCommand;
  actor: Actor;
  /** The digest that the decision names. */
  shownDigest?: string;
  answer?: unknown;
  isDone: boolean;
};

export type People = {
  /** One of them does something, or nothing. */
  act(): void;
  readonly requests: ReadonlyMap<string, PersonRequest>;
  /** Nobody begins anything any more; what was asked is still repeated. */
  rest(): void;
};

type Given = {
  agenda: Agenda;
  random: Random;
  sessionIds: readonly [SessionId, ...SessionId[]];
  nodes(): readonly SimulatedNode[];
  /** As it is stored. */
  session(id: SessionId): Session | undefined;
  isLossy(): boolean;
  violated: Violated;
  report(error: unknown): void;
};

const LATENCY_MS = 40;
const ANSWER_MS_MAX = 4_000;
const LOSS_RATE = 0.08;
const TWICE_RATE = 0.1;

const bob: Actor = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob" };
const reader: Actor = {
  ...alice,
  id: OperatorId.parse("opr_reader"),
  name: "Rea",
  scopes: ["operator.read", "operator.write"],
};

export function createPeople(given: Given): People {
  const { agenda, random, violated } = given;
  const requests = new Map<string, PersonRequest>();
  const shown = new Map<SessionId, { approvalId: string; digest: string }[]>();
  let count = 0;
  let isResting = false;

  function ask(wanted: Omit<PersonRequest, "key" | "isDone">): void {
    const request: PersonRequest = { ...wanted, key: `k${++count}`, isDone: false };
    requests.set(request.key, request);
    send(request);
    if (random.next() < TWICE_RATE) send(request);
  }

  function send(request: PersonRequest, waitMs = ANSWER_MS_MAX): void {
    if (request.isDone) return;
    const nodes = given.nodes().filter(({ process }) => process.isUp());
    const node = nodes[random.below(nodes.length)];
    agenda.after(waitMs, () => send(request, 2 * waitMs)); // whether or not it was answered meanwhile is looked at then
    const isLost = (): boolean => given.isLossy() && random.next() < LOSS_RATE;
    if (node === undefined || isLost()) return;
    const { key, command, actor, sessionId } = request;
    node.process.deliver(random.next() * LATENCY_MS, () => {
      const by = { actor, idempotency: { key, requestDigest: JSON.stringify(command) } };
      node.engine
        .dispatch(sessionId, command, by)
        .then((outcome) => isLost() || agenda.after(random.next() * LATENCY_MS, () => answered(request, outcome)))
        .catch(given.report); // the store did not answer, and so nobody does
    });
  }

  function answered(request: PersonRequest, { session: _session, ...answer }: Outcome): void {
    if (!answer.ok && answer.refusal.retry === true) return;
    if (request.isDone && !isDeepStrictEqual(request.answer, answer))
      violated("I13", `${request.key} was answered ${JSON.stringify(request.answer)}, then ${JSON.stringify(answer)}`);
    request.answer = answer;
    request.isDone = true;
  }

  function look(sessionId: SessionId): { approvalId: string; digest: string }[] {
    const now = planOf(given.session(sessionId))?.now;
    const seen = shown.get(sessionId) ?? [];
    shown.set(sessionId, seen);
    if (now !== undefined && "submission" in now && seen.at(-1)?.approvalId !== now.submission.approvalId)
      seen.push({ approvalId: now.submission.approvalId, digest: now.submission.digest });
    return seen;
  }

  function decide(sessionId: SessionId, actor: Actor): void {
    const seen = look(sessionId);
    const which = random.next() < 0.8 ? seen.at(-1) : seen[random.below(seen.length)];
    if (which === undefined) return;
    const digest = random.next() < 0.9 ? which.digest : (seen[0]?.digest ?? "").replaceAll(/\d/g, "0");
    const { approvalId } = which;
    const isApproval = random.next() < 0.65;
    const approval: JsonObject = isApproval
      ? { action: "approve", approvalId, digest, ...(random.next() < 0.5 ? { overRejection: true } : {}) }
      : { action: "reject", approvalId, feedback: `not like this (${count})` };
    const command = plan({ type: "decide", approval });
    ask({ sessionId, command, actor, ...(isApproval ? { shownDigest: digest } : {}) });
  }

  function say(sessionId: SessionId): void {
    const messageId = MessageId.parse(`msg_${count + 1}`);
    ask({ sessionId, actor: alice, command: { type: "message.send", messageId, text: `message ${count}` } });
  }

  function act(): void {
    if (isResting) return;
    const sessionId = random.pick(given.sessionIds);
    const session = given.session(sessionId);
    if (session === undefined) {
      if (![...requests.values()].some((request) => request.sessionId === sessionId && !request.isDone))
        ask({ sessionId, actor: alice, command: { ...create, sessionId } as SessionCommand });
      return;
    }
    const chance = random.next();
    if (session.entryCount === 0 && chance < 0.7) return say(sessionId);
    if (chance < 0.55) return decide(sessionId, random.next() < 0.5 ? alice : bob);
    if (chance < 0.6) return decide(sessionId, reader);
    if (chance < 0.64) return decide(sessionId, { kind: "agent", sessionId });
    if (chance < 0.85) return say(sessionId);
    if (chance < 0.9) return ask({ sessionId, actor: alice, command: { type: "turn.abort" } });
    if (chance < 0.95) return ask({ sessionId, actor: alice, command: plan({ type: "leave" }) });
    ask({ sessionId, actor: bob, command: plan({ type: "enter", reason: "/plan on" }) });
  }

  return { act, requests, rest: () => void (isResting = true) };
}

const plan = (command: JsonObject): SessionCommand => ({ type: "slice.apply", slice: "planMode", command });
