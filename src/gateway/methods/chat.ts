import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import { MessageId } from "../../protocol/ids.ts";
import type { HistoryItem } from "../../protocol/methods.ts";
import type { Store, StoredEvent } from "../../store/store.ts";
import { type CommandParts, commandIn, runCommand } from "./command-text.ts";
import { dispatchBy, idFor } from "./idempotency.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import { NO_SESSION } from "./sessions.ts";

/** A page of long entries is cut here: an answer should not fill a slow connection for minutes. */
const PAGE_CHARS_MAX = 4 * 1_048_576;

export type ChatParts = CommandParts & { engine: Engine; store: Store };

type ChatMethods = Pick<MethodTable, Extract<keyof MethodTable, `chat.${string}` | `commands.${string}`>>;

export function chatMethods(parts: ChatParts): ChatMethods {
  const { engine, store, host } = parts;
  return {
    async "chat.send"(params, { actor }) {
      const { sessionId, text } = params;
      const typed = commandIn(text);
      if (typed !== undefined) return runCommand(typed, { params, actor }, parts);
      const lacking = lackingScopes("chat.send", ["operator.write"], actor.scopes);
      if (lacking !== undefined) return lacking;
      const messageId = MessageId.parse(`msg_${idFor(actor, "chat.send", params)}`);
      const command = { type: "message.send" as const, messageId, text };
      const outcome = await engine.dispatch(sessionId, command, dispatchBy(actor, "chat.send", params));
      if (!outcome.ok) return { refused: outcome.refusal };
      return { kind: "message", messageId, queued: isQueued(outcome.reply) };
    },
    async "chat.history"({ sessionId, before, limit }) {
      const session = await engine.session(sessionId);
      if (session === undefined) return NO_SESSION;
      const from = session.historyFrom;
      const stored = await store.entries({ sessionId, from, before, limit });
      const items = newestWithin(stored.flatMap(toItem), PAGE_CHARS_MAX);
      return { items, more: (items[0]?.n ?? 0) > from + 1 };
    },
    async "chat.abort"(params, { actor }) {
      const by = dispatchBy(actor, "chat.abort", params);
      const outcome = await engine.dispatch(params.sessionId, { type: "turn.abort" }, by);
      return outcome.ok ? {} : { refused: outcome.refusal };
    },
    async "commands.list"() {
      const commands = [...host.commands.values()].map(({ name, description, usage }) => ({
        name,
        description,
        usage,
      }));
      return { commands };
    },
  };
}

const isQueued = (reply: unknown): boolean =>
  typeof reply === "object" && reply !== null && "queued" in reply && reply.queued === true;

/** The newest that fit into one answer, at least one; the next page goes on before them. */
function newestWithin(items: HistoryItem[], charsMax: number): HistoryItem[] {
  let chars = 0;
  const tooMany = items.findLastIndex((item) => (chars += JSON.stringify(item).length) > charsMax);
  return items.slice(Math.min(tooMany + 1, items.length - 1));
}

const toItem = ({ atMs, event }: StoredEvent): HistoryItem[] =>
  event.type === "entry.appended" ? [{ n: event.n, atMs, entry: event.entry }] : [];
