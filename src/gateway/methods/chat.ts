/** RPC methods of a conversation: `chat.*` and `commands.*`. */
import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import { attachmentOf } from "../../inbound/attachments.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import { NO_SESSION } from "../../inbound/no-session.ts";
import type { HistoryItem } from "../../protocol/methods.ts";
import { refuse } from "../../protocol/refusal.ts";
import type { Store, StoredEvent } from "../../store/store.ts";
import { type CommandMethodParts, commandMethods } from "./commands.ts";

const NO_ATTACHMENT = refuse("INVALID_REQUEST", "chat.attachment: there is no such attachment in this session.");

/** A page of long entries is cut here: an answer should not fill a slow connection for minutes. */
const PAGE_CHARS_MAX = 4 * 1_048_576;

export type ChatParts = CommandMethodParts & { engine: Engine; store: Store };

type ChatMethods = Pick<MethodTable, Extract<keyof MethodTable, `chat.${string}` | `commands.${string}`>>;

export function chatMethods(parts: ChatParts): ChatMethods {
  const { engine, store, inbound } = parts;
  return {
    "chat.send": (params, { actor }) => inbound.send(params, dispatchBy(actor, "chat.send", params)),
    async "chat.history"({ sessionId, before, limit }) {
      const session = await engine.session(sessionId);
      if (session === undefined) return NO_SESSION;
      const from = session.historyFrom;
      const stored = await store.entries({ sessionId, from, before, limit });
      const items = newestWithin(stored.flatMap(toItem), PAGE_CHARS_MAX);
      return { items, more: (items[0]?.n ?? 0) > from + 1 };
    },
    async "chat.attachment"({ sessionId, id }) {
      const attachment = await attachmentOf(store, sessionId, id);
      return attachment === undefined ? NO_ATTACHMENT : { attachment };
    },
    async "chat.abort"(params, { actor }) {
      const by = dispatchBy(actor, "chat.abort", params);
      const outcome = await engine.dispatch(params.sessionId, { type: "turn.abort" }, by);
      return outcome.ok ? {} : { refused: outcome.refusal };
    },
    ...commandMethods(parts),
  };
}

/** The newest that fit into one answer, at least one; the next page goes on before them. */
function newestWithin(items: HistoryItem[], charsMax: number): HistoryItem[] {
  let chars = 0;
  const tooMany = items.findLastIndex((item) => (chars += JSON.stringify(item).length) > charsMax);
  return items.slice(Math.min(tooMany + 1, items.length - 1));
}

const toItem = ({ atMs, event }: StoredEvent): HistoryItem[] =>
  event.type === "entry.appended" ? [{ n: event.n, atMs, entry: event.entry }] : [];
