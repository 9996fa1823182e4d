/** The mode of a session in one word, and what has to be changed to get from one to another. */
import type { SessionView } from "../../src/protocol/methods.ts";
import type { PermissionMode } from "../../src/plan-mode/protocol/settings.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";

/** In the order of their keys, 1 to 6. */
export const MODES = ["default", "ask", "accept", "plan", "auto", "bypass"] as const;
export type Mode = (typeof MODES)[number];

const PERMISSIONS: Readonly<Record<PermissionMode, Mode>> = {
  default: "default",
  ask: "ask",
  accept: "accept",
  bypass: "bypass",
};

/** What the gateway offers under its present settings; gateways before it offered everything. */
export type ModeControls = { enabled: boolean; nextRequestPlans: boolean };

export function modeControlsOf({ controls }: Pick<SessionView, "controls">): ModeControls {
  const { enabled = true, nextRequestPlans = false } = controls?.["planMode"] ?? {};
  return { enabled: enabled !== false, nextRequestPlans: nextRequestPlans === true };
}

type Standing = Pick<PlanModeState, "auto" | "permission" | "held"> & {
  now: Pick<PlanModeState["now"], "mode">;
} & Partial<Pick<ModeControls, "nextRequestPlans">>;

/** Those that can be chosen here. Where plan mode is off, only a cycle that is still open has its modes. */
export const offeredModes = (
  { enabled }: Pick<ModeControls, "enabled">,
  now: Mode | "custom" | "held",
): readonly Mode[] => MODES.filter((mode) => enabled || mode === now || (mode !== "plan" && mode !== "auto"));

/**
 * Plan mode wins over the permission mode, because it does so at the gate; also where the next request starts it. Auto
 * alone changes nothing that can happen now, so it does not change the mode that is shown.
 */
export function modeOf({
  now,
  auto,
  held,
  permission = "default",
  nextRequestPlans = false,
}: Standing): Mode | "custom" | "held" {
  if (held !== undefined) return "held"; // whatever else is set, only reading passes
  if (now.mode === "plan" || (now.mode === "normal" && nextRequestPlans)) return auto ? "auto" : "plan";
  if (auto && now.mode === "executing") return "auto"; // a plan that a rule accepted is part of that mode
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
export function changesTo(
  mode: Mode,
  { now, auto, permission = "default", nextRequestPlans = false }: Standing,
): ModeChange[] {
  if (mode === "plan" || mode === "auto") return changesToPlanning(mode, { now, auto });
  const isPlanning = now.mode === "plan" || nextRequestPlans;
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

function changesToPlanning(mode: "plan" | "auto", { now, auto }: Pick<Standing, "now" | "auto">): ModeChange[] {
  const enter: ModeChange[] = now.mode === "plan" ? [] : [{ planMode: "plan" }];
  if (mode === "plan") return [...(auto ? [AUTO_OFF] : []), ...enter];
  const begin = now.mode === "normal" ? enter : []; // a plan being carried out goes on
  return auto ? begin : [...begin, { planApproval: { action: "auto", enabled: true } }];
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
