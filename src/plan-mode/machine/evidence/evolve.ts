/** How what was seen, and what was changed since, is kept. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanPhase } from "../../protocol/state.ts";
import { EVIDENCE_MAX } from "../../protocol/step/evidence.ts";

type EvidenceEvent = PlanEventOf<"plan.changed" | "evidence.captured" | "evidence.given">;

/** Of each criterion the newest; a waiver stays until something is seen. */
export function evolveEvidence(now: PlanPhase, event: EvidenceEvent): PlanPhase {
  if (now.phase !== "executing") throw new Error(`${event.type} in ${now.phase}`);
  if (event.type === "plan.changed") return { ...now, changes: { count: event.count, atMs: event.atMs } };
  const { evidence } = event;
  const others = (now.evidence ?? []).filter(
    ({ step, criterion }) => step !== evidence.step || criterion !== evidence.criterion,
  );
  return { ...now, evidence: [...others, evidence].slice(-EVIDENCE_MAX) };
}
