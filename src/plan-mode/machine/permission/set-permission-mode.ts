/** How the permission mode is set: by a person, or for a new session by the configuration. Never by an agent. */
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PermissionMode } from "../../protocol/settings.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { By } from "../../../protocol/actor.ts";
import { ENGLISH } from "../../texts/en.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import type { PlanDecision } from "../decision.ts";
import { loosen } from "../signature/loosening.ts";
import { auditEffect, byKey, lineEffect } from "../effect-parts.ts";
import { permissionLine } from "../text/notify-lines.ts";
import { byOf, byPolicy, type PlanContext } from "../actors.ts";
import { permissionOf, STRICTNESS } from "./permission.ts";

type SetPermissionMode = Extract<PlanModeCommand, { type: "set-permission-mode" }>;

export function setPermissionMode(
  state: PlanModeState,
  { mode: asked }: SetPermissionMode,
  context: PlanContext,
): PlanDecision {
  const mode = asked ?? configured(context);
  const reply = { permission_mode: mode };
  const before = permissionOf(state);
  if (before === mode) return { events: [], reply };
  const set = permissionSet(mode, byOf(context.actor), context);
  if (STRICTNESS[mode] > STRICTNESS[before]) return { events: [set], reply };
  const signed = loosen(state, { kind: "permission", mode }, context);
  if ("refused" in signed) return signed;
  const { events, signatures, missing } = signed;
  return missing > 0
    ? { events, reply: { permission_mode: before, signatures, missing } }
    : { events: [...events, set], reply };
}

/** A sub-agent has none of its own: the sessions above it decide, each by its own mode. */
const configured = ({ session, settings }: PlanContext): PermissionMode =>
  session.kind === "subagent" ? "default" : settings.permissionMode;

/** A reset keeps what was set, because resetting needs less than setting does. */
export function openingPermission(context: PlanContext, before?: PlanModeState): PlanModeEvent[] {
  const kept = before === undefined ? undefined : permissionOf(before);
  const mode = kept ?? configured(context);
  if (mode === "default") return [];
  const by =
    kept === undefined ? byPolicy("configuration", ENGLISH.rule_configuration) : byPolicy("reset", ENGLISH.rule_reset);
  return [permissionSet(mode, by, context)];
}

const permissionSet = (mode: PermissionMode, by: By, { nowMs }: PlanContext): PlanModeEvent => ({
  type: "permission.set",
  mode,
  by,
  atMs: nowMs,
});

export const permissionEffects = ({ mode, by }: PlanEventOf<"permission.set">): Effect[] => [
  lineEffect(permissionLine(mode)),
  auditEffect("permission.set", { mode, by: byKey(by) }),
];
