/** One line per submission with what the gate decided and why, refused ones included (SB-05). */
import type { Logger } from "pino";
import { z } from "zod";
import { oneLine } from "../../plugins/sdk.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import type { EntryOf } from "../../protocol/transcript-entry.ts";

const SUBMITTING = "exit_plan_mode";
const SUBSYSTEM = "agents/exit-plan-gate";
const LINE_CHARS_MAX = 1_000;

const Result = z.object({
  plan_id: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  details: z.object({ subagents: z.array(z.string()).optional() }).optional(),
});

export function logSubmissions(engine: Pick<Engine, "onCommitted">, log: Pick<Logger, "info">): () => void {
  return engine.onCommitted(({ sessionId, events }: Committed) => {
    for (const { event } of events) {
      if (event.type !== "entry.appended" || event.entry.kind !== "result") continue;
      if (event.entry.tool === SUBMITTING) log.info(...lineOf(sessionId, event.entry));
    }
  });
}

/** `gate decision: …` can be searched for by one word, and read without the fields beside it. */
function lineOf(sessionId: string, entry: EntryOf<"result">): [fields: object, line: string] {
  const { why, ...decision } = decisionOf(entry);
  const { turnId } = entry;
  const result = decision.decision === "accepted" ? "allowed" : "blocked";
  const line = `gate decision: result=${result} runId=${turnId} sessionKey=${sessionId} openSubagents=${decision.subagents.length} reason=${oneLine(why)}`;
  return [{ subsystem: SUBSYSTEM, sessionId, ...decision, why }, line.slice(0, LINE_CHARS_MAX)];
}

/** Reads the decision from the call's result: accepted with its plan, or refused with a code and a reason. */
function decisionOf({ status, content }: EntryOf<"result">) {
  const { data = {} } = Result.safeParse(content);
  const { plan_id: planId, message, error: code = status, details } = data;
  const subagents = details?.subagents ?? [];
  if (status === "ok") return { decision: "accepted", planId, why: "no sub-agent is open", subagents } as const;
  const why = message ?? (typeof content === "string" ? content : status);
  return { decision: "refused", code, why, subagents } as const;
}
