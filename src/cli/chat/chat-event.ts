/** Frames of the wire → what happened in this session, checked against the protocol's own schemas. */
import { z } from "zod";
import type { Card } from "../../protocol/card/card.ts";
import { CardSchema } from "../../protocol/card/card-schema.ts";
import { PlanModeEvent } from "../../plan-mode/protocol/event.ts";
import { SessionEvent } from "../../protocol/session.ts";
import type { LinkEvent } from "./link.ts";

export type ChatEvent =
  | { kind: "delta"; text: string }
  /** What the gateway itself says while it waits for a model. */
  | { kind: "waiting"; text: string }
  /** The cards as they are now, and those that are gone, in their last state. */
  | { kind: "cards"; cards: Card[]; closed: Card[] }
  | { kind: "plan"; event: PlanModeEvent }
  | { kind: "session"; event: SessionEvent };

/** With a call's id it is what a tool prints while it runs; that is not speech. */
const Delta = z.object({ text: z.string(), callId: z.undefined().optional(), said: z.array(z.unknown()).optional() });

const Cards = z.object({ cards: z.array(z.unknown()), closed: z.array(z.unknown()).default([]) });

/** Those that this version knows: a newer gateway may have others, which the page shows. */
const readable = (cards: readonly unknown[]): Card[] => cards.flatMap((card) => CardSchema.safeParse(card).data ?? []);

/** Undefined for another session, and for kinds of events that this version does not know. */
export function readEvent({ event: type, payload }: LinkEvent, sessionId: string): ChatEvent | undefined {
  if (payload["sessionId"] !== sessionId) return undefined;
  if (type === "turn.delta") {
    const delta = Delta.safeParse(payload);
    if (!delta.success) return undefined;
    const { text, said } = delta.data; // the words of a model have no translation
    return said === undefined ? { kind: "delta", text } : { kind: "waiting", text: text.trim() };
  }
  if (type === "session.cards") {
    const { cards, closed } = Cards.parse(payload);
    return { kind: "cards", cards: readable(cards), closed: readable(closed) };
  }
  const { sessionId: _session, atMs, ...fact } = payload;
  const plan = PlanModeEvent.safeParse({ type, atMs, ...fact });
  if (plan.success) return { kind: "plan", event: plan.data };
  const session = SessionEvent.safeParse({ type, ...fact });
  return session.success ? { kind: "session", event: session.data } : undefined;
}
