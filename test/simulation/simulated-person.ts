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
import type { Cast } from "./cast.ts";
import { castDeed, withdrawAll } from "./cast-deeds.ts";
import { bob, carol, plan, type Place, type Post, type Shown } from "./deed.ts";
import { planOf, type Violated } from "./invariants/seen-commit.ts";
import type { PersonRequest } from "./person-request.ts";
import type { SimulatedNode } from "./simulated-node.ts";

export type People = {
  /** One of them does something, or nothing. */
  act(): void;
  readonly requests: ReadonlyMap<string, PersonRequest>;
  /** Somebody withdraws every plan that stands for a job, now. */
  withdraw(): void;
  /** Nobody begins anything any more; what was asked is still repeated. */
  rest(): void;
  /** How often something was asked of a node that is up and has not come to its turn there. */
  waiting(): number;
};

type Given = {
  agenda: Agenda;
  random: Random;
  cast: Cast;
  sessionIds: readonly [SessionId, ...SessionId[]];
  /** Those, and the ones below them in which something waits for a person. */
  places(): readonly SessionId[];
  nodes(): readonly SimulatedNode[];
  /** As it is stored. */
  session(id: SessionId): Session | undefined;
  isLossy(): boolean;
  /** What they asked before may be answered once more, and then with a no. */
  isRevoked(actor: Actor): boolean;
  violated: Violated;
  report(error: unknown): void;
};

const LATENCY_MS = 40;
const ANSWER_MS_MAX = 4_000;
const LOSS_RATE = 0.08;
const TWICE_RATE = 0.1;

const reader: Actor = {
  ...alice,
  id: OperatorId.parse("opr_reader"),
  name: "Rea",
  scopes: ["operator.read", "operator.write"],
};

export function createPeople(given: Given): People {
  const post = createPost(given);
  const shown = new Map<SessionId, Shown[]>();
  let isResting = false;

  /** The plans that were shown in this session so far. */
  function look(sessionId: SessionId): Shown[] {
    const now = planOf(given.session(sessionId))?.now;
    const seen = shown.get(sessionId) ?? [];
    shown.set(sessionId, seen);
    if (now !== undefined && "submission" in now && seen.at(-1)?.approvalId !== now.submission.approvalId)
      seen.push({ approvalId: now.submission.approvalId, digest: now.submission.digest });
    return seen;
  }

  function act(): void {
    if (isResting) return;
    const places = given.places();
    const sessionId = places[given.random.below(places.length)] ?? given.sessionIds[0];
    const session = given.session(sessionId);
    if (session !== undefined) return deed({ session, sessionId, seen: () => look(sessionId) }, given, post);
    const isAsked = [...post.requests.values()].some((one) => one.sessionId === sessionId && !one.isDone);
    if (!isAsked) post.ask({ sessionId, actor: alice, command: { ...create, sessionId } as SessionCommand });
  }

  function withdraw(): void {
    for (const sessionId of given.sessionIds) {
      const session = given.session(sessionId);
      if (session !== undefined && !isResting) withdrawAll({ session, sessionId }, post);
    }
  }

  const { requests, waiting } = post;
  return { act, withdraw, requests, waiting, rest: () => void (isResting = true) };
}

/** What people do, with how often in a hundred. */
const DEEDS: readonly [number, (place: Place, given: Given, post: Post) => void][] = [
  [28, (place, given, post) => decide(place, { actor: alice, given }, post)],
  [27, (place, given, post) => decide(place, { actor: second(given), given }, post)],
  [5, (place, given, post) => decide(place, { actor: reader, given }, post)],
  [4, (place, given, post) => decide(place, { actor: { kind: "agent", sessionId: place.sessionId }, given }, post)],
  [21, ({ sessionId }, _given, post) => say(sessionId, post)],
  [5, ({ sessionId }, _given, post) => post.ask({ sessionId, actor: alice, command: { type: "turn.abort" } })],
  [5, ({ sessionId }, _given, post) => post.ask({ sessionId, actor: alice, command: plan({ type: "leave" }) })],
  [5, ({ sessionId }, _given, post) => post.ask({ sessionId, actor: bob, command: plan(ENTER) })],
];
/** Where there are jobs, a plan for one may be signed by somebody who is revoked later. */
const second = ({ cast, random }: Given): Actor => (cast === "jobs" ? random.pick([bob, carol]) : bob);
const ENTER = { type: "enter", reason: "/plan on" };

/** How often people do what belongs to who plays, where there is something of it to do. */
const MORE_OF_CAST: Readonly<Record<Cast, number>> = {
  plain: 0,
  family: 0,
  quorum: 0,
  jobs: 0.35,
  asking: 0.6,
  scoped: 0.6,
};

function deed(place: Place, given: Given, post: Post): void {
  const more = MORE_OF_CAST[given.cast];
  if (more > 0 && given.random.next() < more && castDeed(place, given, post)) return;
  let chance = given.random.next() * 100;
  if (place.session.entryCount === 0 && chance < 70) return say(place.sessionId, post);
  for (const [share, act] of DEEDS) {
    chance -= share;
    if (chance < 0) return act(place, given, post);
  }
}

function say(sessionId: SessionId, post: Post): void {
  const n = post.requests.size + 1;
  const command = { type: "message.send", messageId: MessageId.parse(`msg_${n}`), text: `message ${n}` } as const;
  post.ask({ sessionId, actor: alice, command });
}

function decide({ sessionId, ...place }: Place, by: { actor: Actor; given: Given }, post: Post): void {
  const { random } = by.given;
  const seen = place.seen();
  const which = random.next() < 0.8 ? seen.at(-1) : seen[random.below(seen.length)];
  if (which === undefined) return;
  const { approvalId } = which;
  const digest = random.next() < 0.9 ? which.digest : which.digest.replaceAll(/\d/g, "0");
  const isApproval = random.next() < (by.given.cast === "plain" ? 0.65 : 0.85);
  const offered = random.pick([undefined, "whole", "whole", "whole", "whole", "part"] as const);
  const stated = offered === undefined ? {} : { offered };
  const approval: JsonObject = isApproval
    ? { action: "approve", approvalId, digest, ...stated, ...(random.next() < 0.5 ? { overRejection: true } : {}) }
    : { action: "reject", approvalId, feedback: `not like this (${post.requests.size})` };
  if (isApproval && place.session.kind === "cron" && random.next() < 0.8) approval["standing"] = { runs: 5, days: 1 };
  const command = plan({ type: "decide", approval });
  post.ask({
    sessionId,
    command,
    actor: by.actor,
    decidesOn: approvalId,
    ...(isApproval ? { shownDigest: digest, ...stated } : {}),
  });
}

/** Sends requests until they are answered. */
function createPost({ agenda, random, violated, ...given }: Given): Post & Pick<People, "waiting"> {
  const requests = new Map<string, PersonRequest>();
  const sent = new Set<{ node: SimulatedNode }>();

  function send(request: PersonRequest, waitMs = ANSWER_MS_MAX): void {
    if (request.isDone) return;
    const nodes = given.nodes().filter(({ process }) => process.isUp());
    const node = nodes[random.below(nodes.length)];
    agenda.after(waitMs, () => send(request, 2 * waitMs)); // whether or not it was answered meanwhile is looked at then
    const isLost = (): boolean => given.isLossy() && random.next() < LOSS_RATE;
    if (node === undefined || isLost()) return;
    const { key, command, actor, sessionId } = request;
    const by = { actor, idempotency: { key, requestDigest: JSON.stringify(command) } };
    const reply = (outcome: Outcome): void => {
      if (!isLost()) agenda.after(random.next() * LATENCY_MS, () => answered(request, outcome));
    };
    // where the store did not answer, nobody does
    const one = { node };
    sent.add(one);
    const receive = (): void => {
      const done = node.engine.dispatch(sessionId, command, by).then(reply);
      void done.catch(given.report).finally(() => sent.delete(one));
    };
    node.process.deliver(random.next() * LATENCY_MS, receive);
  }

  function answered(request: PersonRequest, { session: _session, ...answer }: Outcome): void {
    if (!answer.ok && answer.refusal.retry === true) return;
    if (request.isDone && given.isRevoked(request.actor)) return;
    if (request.isDone && !isDeepStrictEqual(request.answer, answer))
      violated("I13", `${request.key} was answered ${JSON.stringify(request.answer)}, then ${JSON.stringify(answer)}`);
    request.answer = answer;
    request.isRefused = !answer.ok;
    request.isDone = true;
  }

  return {
    requests,
    waiting: () => [...sent].filter(({ node }) => node.process.isUp()).length,
    ask(wanted) {
      const request: PersonRequest = { ...wanted, key: `k${requests.size + 1}`, isDone: false };
      requests.set(request.key, request);
      send(request);
      if (random.next() < TWICE_RATE) send(request);
    },
  };
}
