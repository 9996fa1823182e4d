/** What is recorded of an agent outside: that it works past its hooks, and what the kernel refused it. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import { auditEffect } from "../effect-parts.ts";

export function outsideEffects(event: PlanEventOf<"run.gated" | "run.tried">): Effect[] {
  if (event.type === "run.gated") return [auditEffect(event.type, { gated: event.gated })];
  const { path, program, others } = event;
  return [auditEffect(event.type, { path, program, others })];
}
