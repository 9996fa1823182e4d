/** What one plan of the library changed, and the command that takes it back, or why nothing does. */
import type { PlanChanges } from "../../changes/protocol/changes.ts";
import type { LibraryEntry, PlanOutcome } from "../../library/protocol/library-entry.ts";
import type { Link } from "../chat/link.ts";
import { CliError } from "../cli-error.ts";
import { undoCommand, whyNotUndone } from "./rolled-plan.ts";

/** `why`: it cannot be taken back, and this is the reason. */
export type ChangedByPlan = { changes: PlanChanges | null; undo: { command: string } | { why: string } };

type Asked = Pick<LibraryEntry, "planId" | "sessionId" | "cycleId" | "outcome" | "sessionDeleted">;

/** Undefined: it was never carried out. */
export async function changedByPlan(link: Pick<Link, "call">, plan: Asked): Promise<ChangedByPlan | undefined> {
  const { planId, sessionId, cycleId, sessionDeleted, outcome } = plan;
  const changes = sessionDeleted === true ? "gone" : await changesOf(link, { sessionId, cycleId });
  if (changes === "gone") return CARRIED_OUT.has(outcome) ? { changes: null, undo: SESSION_GONE } : undefined;
  if (changes === null) return CARRIED_OUT.has(outcome) ? { changes, undo: NOTHING_RECORDED } : undefined;
  const why = await whyNotUndone(link, { sessionId, cycleId });
  return { changes, undo: why === undefined ? { command: undoCommand(planId) } : { why } };
}

/** `gone`: the session was deleted since the library was asked. */
async function changesOf(
  link: Pick<Link, "call">,
  of: Pick<Asked, "sessionId" | "cycleId">,
): Promise<PlanChanges | null | "gone"> {
  try {
    return (await link.call("changes.get", of)).changes;
  } catch (error) {
    if (error instanceof CliError && error.code === "SESSION_NOT_FOUND") return "gone";
    throw error;
  }
}

const CARRIED_OUT: ReadonlySet<string> = new Set<PlanOutcome>(["approved", "standing", "completed", "left"]);
const SESSION_GONE = { why: "Its session was deleted, and the record of what it changed with it." };
const NOTHING_RECORDED = { why: "It changed nothing here, or the record of its changes is gone." };
