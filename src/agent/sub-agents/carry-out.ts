/**
 * Carries out what a session ordered of the ones below it, and brings back how those came to rest. Everything here may
 * happen twice, on another node, or after a crash in between: creating finds the child there, a message carries a key,
 * and old news of a child is recognised by its stamp.
 */
import type { ChildOrder, ChildReport } from "../../plugins/sdk.ts";
import type { History, Sessions, SessionOutcome } from "../../plugins/sessions.ts";
import type { Actor } from "../../protocol/actor.ts";
import type { MessageId, SessionId } from "../../protocol/ids.ts";
import type { Session } from "../../protocol/session.ts";
import {
  RETURN_CHARS_MAX,
  SUB_AGENTS_SLICE,
  type SubAgentsCommand,
  SubAgentsState,
} from "../../protocol/sub-agents.ts";
import { ancestorsOf } from "./ancestors.ts";

/** A child of a child of a child; below that nobody keeps track of what was wanted. */
export const DEPTH_MAX = 3;
/** Newer than whatever a living session can be stamped with. */
const GONE_STAMP = Number.MAX_SAFE_INTEGER;

type ChildWork = { sessionId: SessionId; effect: ChildOrder | ChildReport };
export type SubAgents = { carryOut(work: ChildWork): Promise<"done" | "later"> };

export type SubAgentParts = { sessions: Sessions; history: History };

const SYSTEM: Actor = { kind: "system", reason: "sub-agents" };

export function createSubAgents(parts: SubAgentParts): SubAgents {
  return {
    async carryOut({ sessionId, effect }) {
      switch (effect.kind) {
        case "start-child":
          return start({ parentId: sessionId, order: effect }, parts);
        case "tell-child":
          return tell({ parentId: sessionId, ...effect }, parts);
        case "stop-child":
          return stop(effect.childId, DEPTH_MAX, parts);
        case "drop-child":
          return settled(await parts.sessions.dispatch(effect.childId, { type: "session.delete" }, { actor: SYSTEM }));
        case "report-to-parent":
          return report(sessionId, effect, parts);
      }
    },
  };
}

/** From the top down, so that nobody who is stopped already hands on more work. */
async function stop(childId: SessionId, depth: number, parts: SubAgentParts): Promise<"done" | "later"> {
  const stopped = settled(await parts.sessions.dispatch(childId, { type: "turn.abort" }, { actor: SYSTEM }));
  const child = await parts.sessions.session(childId);
  const below = SubAgentsState.safeParse(child?.slices[SUB_AGENTS_SLICE]);
  if (stopped === "later" || depth === 0 || !below.success) return stopped;
  for (const { id, status } of below.data.children) {
    if (status === "running" && (await stop(id, depth - 1, parts)) === "later") return "later";
  }
  return "done";
}

type Start = { parentId: SessionId; order: Extract<ChildOrder, { kind: "start-child" }> };

async function start({ parentId, order }: Start, parts: SubAgentParts): Promise<"done" | "later"> {
  const { childId, title, messageId, text, attended } = order;
  const parent = await parts.sessions.session(parentId);
  if (parent === undefined) return "done";
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
  return tell({ parentId, childId, messageId, text, attended }, parts);
}

const agentOf = (sessionId: SessionId): Actor => ({ kind: "agent", sessionId });

function creation(
  { id, agentId, surface, workspace, role }: Session,
  { childId, title }: { childId: SessionId; title: string },
) {
  return {
    type: "session.create" as const,
    sessionId: childId,
    agentId,
    kind: "subagent" as const,
    parentId: id,
    surface,
    workspace,
    title,
    ...(role === undefined ? {} : { role }),
  };
}

type Tell = {
  parentId: SessionId;
  childId: SessionId;
  messageId: MessageId;
  text: string;
  attended?: boolean | undefined;
};

async function tell(order: Tell, parts: SubAgentParts): Promise<"done" | "later"> {
  const { parentId, childId, messageId, text, attended = false } = order;
  const idempotency = { key: messageId, requestDigest: messageId };
  const by = { actor: agentOf(parentId), idempotency };
  const sent = await parts.sessions.dispatch(childId, { type: "message.send", messageId, text, attended }, by);
  if (sent.ok) return "done";
  return retryOr(sent, () => gone({ parentId, childId, text: sent.refusal.message }, parts));
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
  const { parentId, stamp, outcome } = told;
  const seen =
    outcome === "running"
      ? ({ status: "running" } as const)
      : ({ status: "ended", outcome, text: await lastWords(childId, told, parts.history) } as const);
  return observe(parentId, { type: "observe", childId, stamp, seen }, parts);
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
