/** One line per submission with what the gate decided and why, refused ones included (SB-05). */
import type { Logger } from "pino";
import type { Engine } from "../../engine/engine.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import type { EntryOf } from "../../protocol/transcript-entry.ts";

const SUBMITTING = "exit_plan_mode";

export function logSubmissions(engine: Pick<Engine, "onCommitted">, log: Pick<Logger, "info">): () => void {
  return engine.onCommitted(({ sessionId, events }: Committed) => {
    for (const { event } of events) {
      if (event.type !== "entry.appended" || event.entry.kind !== "result") continue;
      if (event.entry.tool === SUBMITTING) log.info({ sessionId, ...decisionOf(event.entry) }, "plan submission");
    }
  });
}

/** Reads the decision from the call's result: accepted with its plan, or refused with a code and a reason. */
function decisionOf({ status, content }: EntryOf<"result">) {
  const detail = typeof content === "object" && content !== null && !Array.isArray(content) ? content : {};
  if (status === "ok") return { decision: "accepted", planId: detail["plan_id"], why: "no sub-agent is open" };
  const why = detail["message"] ?? (typeof content === "string" ? content : status);
  return { decision: "refused", code: detail["error"] ?? status, why, subagents: detail["details"] };
}
