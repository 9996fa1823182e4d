/** How much room a conversation has, and when it is time to make some. */
import type { NumberedEntry } from "../../plugins/sessions.ts";
import { turnSettings } from "../../protocol/settings/turn-settings.ts";
import type { Model, ModelRequest } from "../model.ts";
import { HISTORY_CHARS_MAX, HISTORY_ENTRIES_MAX } from "../transcript.ts";
import { charsFor, CONTEXT_TOKENS_DEFAULT, requestTokens } from "./token-estimate.ts";

/** Share of the window at which older parts are summarised; the rest is for the answer and estimation errors. */
const FULL_SHARE = 0.8;
/** Share of the window that stays word for word; halved after each time that did not suffice. */
const KEPT_SHARE = 0.3;
const KEPT_ENTRIES_SHARE = 0.3;

export type Room = { contextTokens: number; charsMax: number };

/** The setting, or else the smallest window of the models that may be asked. */
export function roomFor(models: readonly Model[], settings: Readonly<Record<string, unknown>>): Room {
  const known = models.flatMap(({ contextTokens }) => contextTokens ?? []);
  const contextTokens =
    turnSettings(settings).contextTokens ?? (known.length === 0 ? CONTEXT_TOKENS_DEFAULT : Math.min(...known));
  return { contextTokens, charsMax: Math.min(HISTORY_CHARS_MAX, charsFor(contextTokens)) };
}

export function isFull(
  request: Pick<ModelRequest, "system" | "tools" | "entries">,
  items: readonly NumberedEntry[],
  { charsMax }: Room,
): boolean {
  if (items.length > HISTORY_ENTRIES_MAX * FULL_SHARE) return true;
  return charsFor(requestTokens({ ...request, entries: items.map(({ entry }) => entry) })) > charsMax * FULL_SHARE;
}

export const keepFor = ({ contextTokens }: Room, compactions: number) => ({
  keepTokens: Math.floor((contextTokens * KEPT_SHARE) / 2 ** compactions),
  keepEntries: Math.floor((HISTORY_ENTRIES_MAX * KEPT_ENTRIES_SHARE) / 2 ** compactions),
});
