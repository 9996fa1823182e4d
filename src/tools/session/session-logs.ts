/** The tool session_logs: what happened in one turn of this conversation, as it was recorded. */
import { z } from "zod";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { Json } from "../../protocol/json.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";
import { defineTool } from "../define-tool.ts";

const CHARS_MAX = 30_000;
const ENTRY_CHARS_MAX = 4_000;

const Args = z.strictObject({
  turn: z.int().positive().optional().describe("The number of the turn; absent: the one before this."),
});

/** One turn of a session; undefined when it cannot be found. `turn` absent: the last but one. */
export type ReadTurn = (
  sessionId: SessionId,
  turn: number | undefined,
) => Promise<{ turn: number; items: readonly { n: number; entry: Entry }[]; more: boolean } | undefined>;

export const createSessionLogsTool = (parts: { readTurn: ReadTurn }): Tool =>
  defineTool<z.infer<typeof Args>>({
    name: "session_logs",
    effect: "read",
    kind: "read_only",
    description:
      "The log of an earlier turn of this conversation: what was asked, said, called and answered, also where the conversation has been summarised since.",
    input: Args,
    async run({ turn }, { sessionId }): Promise<ToolOutput> {
      const log = await parts.readTurn(sessionId, turn);
      if (log === undefined) return { status: "error", content: "There is no such turn in this conversation." };
      const { entries, cut } = fitting(log.items);
      return { status: "ok", content: { turn: log.turn, entries, more: log.more || cut } };
    },
  });

/** The first that fit. */
function fitting(items: readonly { n: number; entry: Entry }[]): { entries: Json[]; cut: boolean } {
  const entries: Json[] = [];
  let chars = 0;
  for (const item of items) {
    const line = lineOf(item);
    chars += JSON.stringify(line).length;
    if (chars > CHARS_MAX) return { entries, cut: true };
    entries.push(line);
  }
  return { entries, cut: false };
}

/** Long results are cut; what a model kept for itself is sealed, and left out. */
function lineOf({ n, entry }: { n: number; entry: Entry }): Json {
  const { kept: _sealed, ...shown } = { kept: undefined, ...entry };
  const text = JSON.stringify(shown);
  if (text.length <= ENTRY_CHARS_MAX) return Json.parse({ n, ...shown });
  return { n, kind: entry.kind, cut: text.slice(0, ENTRY_CHARS_MAX).toWellFormed() };
}
