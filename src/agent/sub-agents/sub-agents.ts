/**
 * Carries out what a session ordered of the ones below it, and brings back how those came to rest. Everything here may
 * happen twice, in another order, on another node, or after a crash in between: creating finds the child there, orders are
 * numbered, and old news of a child is recognised by its stamp.
 */
import type { ChildOrder, ChildReport } from "../../plugins/sdk.ts";
import type { History, Sessions, SessionOutcome } from "../../plugins/sessions.ts";
import type { Actor } from "../../protocol/actor.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { INBOX_MAX, type Session } from "../../protocol/session.ts";
import {
  type Child,
  RETURN_CHARS_MAX,
  SUB_AGENTS_SLICE,
  type SubAgentsCommand,
  SubAgentsState,
} from "./protocol/sub-agents.ts";
import { ancestorsOf } from "./ancestors.ts";

/** A child of a child of a child; below that nobody keeps track of what was wanted. */
export const DEPTH_MAX = 3;
/** Newer than whatever a living session can be stamped with. */
const GONE_STAMP = Number.MAX_SAFE_INTEGER;

type ChildWork = { sessionId: SessionId; effect: ChildOrder | ChildReport };
export type SubAgents = { perform(work: ChildWork): Promise<"done" | "later"> };

export type SubAgentParts = { sessions: Sessions; history: History };

const SYSTEM: Actor = { kind: "system", reason: "sub-agents" };

export function createSubAgents(parts: SubAgentParts): SubAgents {
  return {
    async perform({ sessionId, effect }) {
      switch (effect.kind) {
        case "start-child":
          return start({ parentId: sessionId, order: effect }, parts);
        case "tell-child":
          return tell({ parentId: sessionId, ...effect }, parts);
        case "stop-child":
          return stop({ parentId: sessionId, ...effect }, parts);
        case "drop-child":
          return settled(await parts.sessions.dispatch(effect.childId, { type: "session.delete" }, { actor: SYSTEM }));
        case "report-to-parent":
          return report(sessionId, effect, parts);
      }
    },
  };
}

type Stop = { parentId: SessionId; childId: SessionId; order?: number };

/** What the child had ordered in turn is stopped by its own commit. One that was never made has nothing to stop. */
async function stop({ parentId, childId, order }: Stop, parts: SubAgentParts): Promise<"done" | "later"> {
  const command = { type: "session.stop" as const, ...(order === undefined ? {} : { order }) };
  const stopped = await parts.sessions.dispatch(childId, command, { actor: SYSTEM });
  if (stopped.ok || stopped.refusal.code !== "SESSION_NOT_FOUND") return settled(stopped);
  return gone({ parentId, childId, text: "Stopped before it began." }, parts);
}

type Start = { parentId: SessionId; order: Extract<ChildOrder, { kind: "start-child" }> };

async function start({ parentId, order }: Start, parts: SubAgentParts): Promise<"done" | "later"> {
  const { childId, title } = order;
  const parent = await parts.sessions.session(parentId);
  if (parent === undefined || !isWanted(parent, childId)) return "done";
  const above = await ancestorsOf(parent, parts.sessions);
  if (above === "broken" || above.length >= DEPTH_MAX) {
    return gone(
      { parentId, childId, text: `Not started: sub-agents may stand ${DEPTH_MAX} deep. Do this task yourself.` },
      parts,
    );
  }
  const created = await parts.sessions.dispatch(childId, creation(parent, { childId, title }), {
    actor: agentOf(parentId),
  });
  if (!created.ok && created.refusal.code !== "SESSION_EXISTS")
    return retryOr(created, () => gone({ parentId, childId, text: created.refusal.message }, parts));
  // a stop that found no child was committed before this; one that comes later finds it
  const now = await parts.sessions.session(parentId);
  if (now === undefined || !isWanted(now, childId)) return "done";
  return tell({ parentId, ...order }, parts);
}

/** Its parent still waits for it: the order was not called off by a stop, a reset, or the child's end. */
const isWanted = (parent: Session, childId: SessionId): boolean =>
  childrenIn(parent).some((child) => child.id === childId && child.status === "running" && child.stopping !== true);

const agentOf = (sessionId: SessionId): Actor => ({ kind: "agent", sessionId });

function creation(
  { id, agentId, surface, instance, workspace, rooted, role }: Session,
  { childId, title }: { childId: SessionId; title: string },
) {
  return {
    type: "session.create" as const,
    sessionId: childId,
    agentId,
    kind: "subagent" as const,
    parentId: id,
    surface,
    ...(instance === undefined ? {} : { instance }),
    workspace,
    ...(rooted === undefined ? {} : { rooted }),
    title,
    ...(role === undefined ? {} : { role }),
  };
}

type Tell = Omit<Extract<ChildOrder, { kind: "tell-child" }>, "kind"> & { parentId: SessionId };

async function tell(order: Tell, parts: SubAgentParts): Promise<"done" | "later"> {
  const { parentId, childId, messageId } = order;
  if (order.order !== undefined && (await isCalledOff(order, parts))) return "done";
  if (await isDeaf(order, parts)) return "later"; // asked first: a refusal is kept under the key, and would be the answer for ever
  const idempotency = { key: messageId, requestDigest: messageId };
  const by = { actor: agentOf(parentId), idempotency };
  const sent = await parts.sessions.dispatch(childId, messageOf(order), by);
  if (sent.ok) return "done";
  if (await isAtWork(childId, parts)) return "later";
  return retryOr(sent, () => gone({ parentId, childId, text: sent.refusal.message }, parts));
}

const messageOf = ({ messageId, text, attended = false, lent, order }: Tell) => ({
  type: "message.send" as const,
  messageId,
  text,
  attended,
  ...(lent === true ? { lent } : {}),
  ...(order === undefined ? {} : { order }),
});

async function isCalledOff({ parentId, childId }: Tell, { sessions }: SubAgentParts): Promise<boolean> {
  const parent = await sessions.session(parentId);
  return parent === undefined || !isWanted(parent, childId);
}

/** It takes no message now and will later: it is being made, or its inbox is full. */
async function isDeaf({ parentId, childId }: Tell, { sessions }: SubAgentParts): Promise<boolean> {
  const child = await sessions.session(childId);
  if (child !== undefined) return child.inbox.length >= INBOX_MAX;
  const parent = await sessions.session(parentId);
  return parent !== undefined && runningBelow(parent).includes(childId);
}

/** Then it is not gone, whatever became of the message. */
async function isAtWork(childId: SessionId, { sessions }: SubAgentParts): Promise<boolean> {
  const child = await sessions.session(childId);
  return child !== undefined && (child.turn.status !== "idle" || runningBelow(child).length > 0);
}

const runningBelow = (session: Session): SessionId[] =>
  childrenIn(session).flatMap(({ id, status }) => (status === "running" ? [id] : []));

function childrenIn(session: Session): Child[] {
  const below = SubAgentsState.safeParse(session.slices[SUB_AGENTS_SLICE]);
  return below.success ? below.data.children : [];
}

/** A child that cannot be reached must not block its parent for ever. */
function gone(
  { parentId, childId, text }: { parentId: SessionId; childId: SessionId; text: string },
  parts: SubAgentParts,
): Promise<"done" | "later"> {
  return observe(
    parentId,
    { type: "observe", childId, stamp: GONE_STAMP, seen: { status: "ended", outcome: "gone", text } },
    parts,
  );
}

async function report(childId: SessionId, told: ChildReport, parts: SubAgentParts): Promise<"done" | "later"> {
  const { parentId, stamp, outcome, order } = told;
  const seen =
    outcome === "running"
      ? ({ status: "running" } as const)
      : ({ status: "ended", outcome, text: await lastWords(childId, told, parts.history) } as const);
  const settledOrder = order === undefined ? {} : { order };
  return observe(parentId, { type: "observe", childId, stamp, ...settledOrder, seen }, parts);
}

/** What the child said in the turn that ended; else why it ended. */
async function lastWords(childId: SessionId, { turnId, message }: ChildReport, history: History): Promise<string> {
  const items = turnId === null ? [] : await history(childId, 0);
  const said = items.flatMap(({ entry }) =>
    entry.kind === "assistant" && entry.turnId === turnId && entry.text.trim() !== "" ? [entry.text] : [],
  );
  return (said.at(-1) ?? message).slice(0, RETURN_CHARS_MAX).toWellFormed();
}

async function observe(
  parentId: SessionId,
  command: Extract<SubAgentsCommand, { type: "observe" }>,
  { sessions }: SubAgentParts,
) {
  return settled(
    await sessions.dispatch(parentId, { type: "slice.apply", slice: SUB_AGENTS_SLICE, command }, { actor: SYSTEM }),
  );
}

/** A no is an answer too, unless the store was away. */
const settled = (outcome: SessionOutcome): "done" | "later" =>
  !outcome.ok && outcome.refusal.retry === true ? "later" : "done";

const retryOr = (
  outcome: Extract<SessionOutcome, { ok: false }>,
  otherwise: () => Promise<"done" | "later">,
): Promise<"done" | "later"> => (outcome.refusal.retry === true ? Promise.resolve("later") : otherwise());
