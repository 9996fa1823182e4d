/**
 * The inbound port: whatever a proven person sends, from whichever surface, comes in here and nowhere else.
 *
 *   credential ─▶ Actor ─┬─ text ──▶ command or message ─┐
 *                        ├─ patch ─▶ decision, title … ──┼─▶ engine: one commit ─▶ the answer, the same one for the same key
 *                        └─ action ▶ a plugin's handler ─┘
 */
import type { Clock } from "../engine/clock.ts";
import type { Store } from "../store/store.ts";
import { createAnswerOnce } from "./answer-once.ts";
import { type CommandParts, type CommandRunning, createCommandRunning } from "./command-text.ts";
import { createSessionOpening, type OpenParts, type SessionOpening } from "./open-session.ts";
import { createSessionPatching, type PatchingParts, type SessionPatching } from "./patch-session.ts";
import { type ActionParts, type ActionPressing, createActionPressing } from "./press-action.ts";
import { createMessageSending, type MessageSending } from "./send-message.ts";

export type InboundParts = Omit<CommandParts & ActionParts, "answerOnce" | "failed"> &
  PatchingParts &
  OpenParts & { store: Store; clock: Clock };

export type Inbound = MessageSending & CommandRunning & SessionPatching & ActionPressing & SessionOpening;

export function createInbound(given: InboundParts): Inbound {
  const failed = (pluginId: string, error: unknown): void => given.host.failed(pluginId, error);
  const parts = { ...given, failed, answerOnce: createAnswerOnce(given) };
  return {
    ...createMessageSending(parts),
    ...createCommandRunning(parts),
    ...createSessionPatching(parts),
    ...createActionPressing(parts),
    ...createSessionOpening(parts),
  };
}
