/** A plugin's part of the system prompt. */
import type { Session } from "../protocol/session.ts";

/** A session as it is stored now, with the settings of every slice resolved for it. */
export type PromptPlace = { session: Session; settings: Readonly<Record<string, unknown>> };

/**
 * A part of the system prompt. The same state must give the same bytes, turn after turn: what changes from turn to turn
 * belongs into a slice's `turnText`, after the part that a provider can cache.
 */
export type PromptPart = { id: string; text(place: PromptPlace): string | undefined };
