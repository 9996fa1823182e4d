/**
 * The permission mode beside plan mode: which mutating calls wait for a person's yes. Plan mode comes first, always; what
 * it lets pass by a person's word has had its yes.
 *
 * The detector that `default` relies on reads a call's arguments, which the claim does not carry. So the prompt, which
 * saw them, names what it judged under, and the guard refuses when that is no longer how things stand.
 */
import type { GateRefusal, ToolKind } from "../../../protocol/gate.ts";
import type { PermissionMode } from "../../protocol/settings.ts";
import type { PlanModeState, PlanPhase } from "../../protocol/state.ts";
import { type GatedCall, never } from "../../../plugins/sdk.ts";
import { aboutCall } from "../grant/about-call.ts";

export type Standing = {
  permission?: PermissionMode | undefined;
  now: Pick<PlanPhase, "mode"> & { asks?: "destructive" | undefined };
};

export const permissionOf = ({ permission }: Pick<Standing, "permission">): PermissionMode => permission ?? "default";

/** Each stricter mode asks about whatever a laxer one asks about, and more (ADR 0011). */
export const STRICTNESS: Readonly<Record<PermissionMode, number>> = { bypass: 0, default: 1, accept: 2, ask: 3 };

/** Kept with a claim: the permission mode and the session's mode that the call was judged under. */
export const judgedUnder = (standing: Standing): string =>
  [permissionOf(standing), standing.now.mode, ...(standing.now.asks === undefined ? [] : [standing.now.asks])].join(
    "/",
  );

/** By the mode alone, whatever the arguments say. */
export function asksByMode(mode: PermissionMode, kind: ToolKind): boolean {
  switch (mode) {
    case "ask":
      return true;
    case "accept":
      return kind !== "file_edit";
    case "default":
    case "bypass":
      return false;
    default:
      return never(mode);
  }
}

/** Checked in the claim of a call that has no grant. */
export function permissionGuard(state: PlanModeState, call: GatedCall): GateRefusal | undefined {
  const mode = permissionOf(state);
  const judged = call.under?.["permission"];
  const isAsked = asksByMode(mode, call.kind);
  if (!isAsked && (judged === undefined || judged === judgedUnder(state))) return undefined;
  const hint = "Call it again: it is judged by the mode as it is now.";
  return {
    ...aboutCall(state.now, call),
    hint,
    rule: isAsked ? `permission/${mode}` : "permission/changed",
    matched: judgedUnder(state),
    message: `${call.tool} was not run: ${isAsked ? "it needs a person's yes" : "the mode changed while it was judged"}. ${hint}`,
  };
}
