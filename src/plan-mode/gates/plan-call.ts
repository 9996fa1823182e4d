/** One call against plan mode's rule, by its arguments alone. The gateway and `holdpoint gate check` both ask here. */
import type { JsonObject } from "../../protocol/json.ts";
import type { Place } from "../shell/shell-gate.ts";
import { shellGate } from "./loaded-shell-gate.ts";

export const COMMAND_TOOL = "exec";

export type CallAtGate = { tool: string; effect: "read" | "write"; args: JsonObject };

export type HeldInPlan = {
  allowed: false;
  /** Stable: logs, tests and people's notes refer to it. */
  code: string;
  /** Only what is proven neither way may be put before a person (GA-10). */
  verdict: "writes" | "unknown";
  matched: string;
  hint: string;
  canonical: string | undefined;
};
export type PlanCallVerdict = { allowed: true; code: string; canonical?: string } | HeldInPlan;

/** `place` is where the call would run. */
export function judgeInPlan({ tool, effect, args }: CallAtGate, place: Place): PlanCallVerdict {
  if (tool === COMMAND_TOOL) return judgeCommand(args, place);
  if (effect === "read") return { allowed: true, code: "read-only" };
  return held("plan-mode/read-only", `effect=${effect}`, "This tool changes something; put it into the plan.");
}

function judgeCommand({ command, background }: JsonObject, place: Place): PlanCallVerdict {
  if (typeof command !== "string") return held("invalid-arguments", "command", "Give the command as a text.");
  const verdict = shellGate().judgeShell(command, place);
  if (!verdict.allowed) return verdict;
  const { code, canonical } = verdict;
  if (background === undefined || background === false) return { allowed: true, code, canonical };
  return held("background", "background", "In plan mode commands run in the foreground.");
}

const held = (code: string, matched: string, hint: string): HeldInPlan => ({
  allowed: false,
  code,
  verdict: "writes",
  matched,
  hint,
  canonical: undefined,
});
