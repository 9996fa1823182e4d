/**
 * The permission prompt, after the trusted policies and the hooks (GA-02): which mutating calls wait for a person's yes
 * outside plan mode. Each stricter mode asks about whatever a looser one asks about, and more:
 * `ask` ⊃ `accept` ⊃ `default` ⊃ `bypass` (docs/adr/0011).
 */
import { z } from "zod";
import type { GateRefusal } from "../../protocol/gate.ts";
import { PermissionMode } from "../protocol/settings.ts";
import { type HeldCall, PlanModeState, SessionMode } from "../protocol/state.ts";
import {
  never,
  type PermissionPrompt,
  type PermissionQuestion,
  type PolicyQuestion,
  type PolicyVerdict,
} from "../../plugins/sdk.ts";
import { aboutCall } from "../machine/grant/about-call.ts";
import { INITIAL } from "../machine/evolve.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { asksByMode, judgedUnder, permissionOf, type Standing } from "../machine/permission/permission.ts";
import { ASKED, askOrder, grantFor, shownCall } from "./asking.ts";
import { judgeInEdits } from "./edit-call.ts";
import { editPlaceOf, folderOf, isFolder, placeOf } from "./real-place.ts";

/** All that a call which need not ask is judged by; unreadable state throws, and that blocks. */
const Stands = z.object({
  permission: PermissionMode.optional(),
  now: z.object({ mode: SessionMode, asks: z.literal("destructive").optional() }),
});

/** `advice`: no person can help; the arguments must be corrected. */
type Held = { rule: string; matched: string; why: string; advice?: string };

export const permissionPrompt: PermissionPrompt = {
  id: "plan-mode/permission",
  description: "By the session's permission mode, a mutating call waits for a person's yes to exactly this call.",
  evaluate(question): PolicyVerdict {
    const { call, session, allowed, hook } = question;
    if (call.effect === "read") return { verdict: "allow" };
    const stored = session.slices[PLAN_MODE_SLICE] ?? INITIAL;
    const standing = Stands.parse(stored);
    const under = { permission: judgedUnder(standing) };
    const held = hook === undefined ? heldBy(question, standing) : { ...HOOK, matched: hook.reason };
    // a gate before this one let the call pass by a person's yes to exactly this call: one yes is enough
    if (held === undefined || allowed.grant?.slice === PLAN_MODE_SLICE) return { verdict: "allow", under };
    const state = PlanModeState.parse(stored);
    const grant = grantFor(question, state, "permission");
    if (grant !== undefined) return { verdict: "allow", under, grant: { slice: PLAN_MODE_SLICE, id: grant.id } };
    return block(question, state, held);
  },
};

const HOOK = { rule: "hook/ask", why: "a plugin wants a person to look at it first" };

function heldBy(question: PermissionQuestion, standing: Standing): Held | undefined {
  const { call, session } = question;
  const mode = permissionOf(standing);
  if (asksByMode(mode, call.kind)) return byMode(mode);
  switch (mode) {
    case "default": {
      const isApproved = standing.now.mode === "executing" && standing.now.asks === undefined;
      // the sessions above a sub-agent are asked the same question, each with its own mode
      return isApproved || session.parentId !== undefined ? undefined : found(question, standing);
    }
    case "accept":
      return found(question, standing);
    case "bypass":
      return standing.now.asks === undefined ? undefined : found(question, standing);
    case "ask":
      return undefined;
    default:
      return never(mode);
  }
}

const byMode = (mode: PermissionMode): Held => ({
  rule: `permission/${mode}`,
  matched: mode === "ask" ? "every change" : "no file edit",
  why: `this session asks a person before ${mode === "ask" ? "every change" : "every change that is no file edit"}`,
});

function found({ call, session }: PolicyQuestion, { now }: Standing): Held | undefined {
  const { workspace } = session;
  const place = editPlaceOf(placeOf(folderOf(workspace, call.args)));
  const strict = now.asks === undefined ? {} : { strict: { workspace, isFolder } };
  const held = judgeInEdits(call, { ...place, ...strict });
  if (held.allowed) return undefined;
  const { code, matched, reason } = held;
  return { rule: code, matched, why: WHY[held.class], ...(held.class === "unreadable" ? { advice: reason } : {}) };
}

const WHY = {
  destructive: "it removes or erases something, or hides what it runs",
  "gateway-control": "it stops or restarts the gateway",
  "config-change": "it changes the configuration of the gateway or of an agent",
  unreadable: "it cannot be seen what it would touch",
} as const;

function block(question: PolicyQuestion, state: PlanModeState, { rule, matched, why, advice }: Held): PolicyVerdict {
  const { call, session } = question;
  const { tool, kind, argsDigest } = call;
  const folder = folderOf(session.workspace, call.args);
  const held: HeldCall = { gate: "permission", tool, kind, argsDigest, folder, rule, matched: matched.slice(0, 1_000) };
  const asked = { shown: shownCall(call), call: held };
  const asking = advice === undefined ? askOrder(question, state, asked) : { unasked: advice };
  const hint = "unasked" in asking ? asking.unasked : `${ASKED} ${tool} again with exactly the same arguments.`;
  const refusal: GateRefusal = {
    ...aboutCall(state.now, call),
    hint,
    rule,
    matched,
    message: `${tool} was not run: ${why} (${rule}: ${matched}). ${hint}`,
  };
  return { verdict: "block", refusal, ...("also" in asking ? { also: asking.also } : {}) };
}
