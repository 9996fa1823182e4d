/** What a conversation outside of the gateway is told as text: what the agent says, and lines for people. */
import type { Json } from "../../protocol/json.ts";
import type { StoredEvent } from "../../store/store.ts";

export function textOf({ event }: StoredEvent): Json | undefined {
  if (event.type !== "entry.appended") return undefined;
  const { entry } = event;
  if (entry.kind !== "assistant" && entry.kind !== "notice") return undefined;
  return entry.text.trim() === "" ? undefined : { kind: entry.kind, text: entry.text };
}
