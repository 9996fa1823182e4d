/** The mode of a session in one word, and what has to be changed to get from one to another. */
import type { PermissionMode } from "../../src/plan-mode/protocol/settings.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";

/** In the order of their keys, Ctrl+1 to Ctrl+6. */
export const MODES = ["default", "ask", "accept", "plan", "auto", "bypass"] as const;
export type Mode = (typeof MODES)[number];

const PERMISSIONS: Readonly<Record<PermissionMode, Mode>> = {
  default: "default",
  ask: "ask",
  accept: "accept",
  bypass: "bypass",
};

type Standing = Pick<PlanModeState, "auto" | "permission"> & { now: Pick<PlanModeState["now"], "mode"> };

/** Plan mode wins over the permission mode, because it does so at the gate. */
export function modeOf({ now, auto, permission = "default" }: Standing): Mode | "custom" {
  if (now.mode === "plan") return auto ? "auto" : "plan";
  if (auto && now.mode === "executing") return "auto"; // a plan that a rule accepted is part of that mode
  if (auto) return "custom"; // the next plan would be accepted by rule, though none is being made
  return Object.hasOwn(PERMISSIONS, permission) ? PERMISSIONS[permission] : "custom";
}

/** One change of a session; each is a patch of its own. */
export type ModeChange =
  | { planMode: "plan" | "normal" }
  /** Null: what is configured for the session. */
  | { permissionMode: PermissionMode | null }
  | { planApproval: { action: "auto"; enabled: boolean } };

const AUTO_OFF: ModeChange = { planApproval: { action: "auto", enabled: false } };

/** In an order that never passes through a state that allows more than both ends. */
export function changesTo(mode: Mode, { now, auto, permission = "default" }: Standing): ModeChange[] {
  const isPlanning = now.mode === "plan";
  if (mode === "plan" || mode === "auto") {
    const enter: ModeChange[] = isPlanning ? [] : [{ planMode: "plan" }];
    if (mode === "plan") return [...(auto ? [AUTO_OFF] : []), ...enter];
    const begin = now.mode === "normal" ? enter : []; // a plan being carried out goes on
    return auto ? begin : [...begin, { planApproval: { action: "auto", enabled: true } }];
  }
  return [
    ...(auto ? [AUTO_OFF] : []),
    ...permissionChange(mode, permission),
    ...(isPlanning ? [{ planMode: "normal" } as const] : []), // a plan being carried out goes on
  ];
}

/** Default clears what was chosen; what that leads to is configured, and the gateway knows it. */
function permissionChange(mode: PermissionMode, permission: PermissionMode): ModeChange[] {
  if (mode === "default") return [{ permissionMode: null }];
  return permission === mode ? [] : [{ permissionMode: mode }];
}

export type ModeWarning = "auto" | "bypass" | "leave" | "replan";

/** The question that a person must confirm first; undefined: none. */
export function warningFor(
  mode: Mode,
  plan: Standing & { now: Pick<PlanModeState["now"], "phase"> },
): ModeWarning | undefined {
  if (modeOf(plan) === mode) return undefined;
  if (mode === "auto" || mode === "bypass") return mode;
  if (mode === "plan") return plan.now.phase === "executing" ? "replan" : undefined; // what is approved would end
  return plan.now.phase === "pending" ? "leave" : undefined;
}
