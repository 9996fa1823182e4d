/** With `autoEnterOnDestructive`, a destructive call in normal mode is refused and the session plans first (PL-15). */
import { z } from "zod";
import type { GateRefusal } from "../../protocol/gate.ts";
import { hasPerson } from "../../protocol/session.ts";
import type { PolicyQuestion, PolicyVerdict, TrustedToolPolicy } from "../../plugins/sdk.ts";
import { DESTRUCTIVE_POLICY, PLAN_MODE_SLICE } from "../machine/gate.ts";
import { settingsOf } from "./asking.ts";
import { judgeInEdits } from "./edit-call.ts";
import type { HeldInEdits } from "./edit-verdict.ts";
import { editPlaceOf, folderOf, placeOf } from "./real-place.ts";

const Mode = z.object({ now: z.object({ mode: z.string() }) });

const ALLOW: PolicyVerdict = { verdict: "allow" };

export const destructivePolicy: TrustedToolPolicy = {
  id: DESTRUCTIVE_POLICY,
  description: "Where it is switched on: a destructive call outside a plan puts the session into plan mode.",
  evaluate(question): PolicyVerdict {
    const { call, session } = question;
    const stored = session.slices[PLAN_MODE_SLICE];
    if (stored === undefined || call.effect === "read") return ALLOW;
    const { enabled, autoEnterOnDestructive } = settingsOf(question);
    if (!enabled || !autoEnterOnDestructive || Mode.parse(stored).now.mode !== "normal") return ALLOW;
    const held = judgeInEdits(call, editPlaceOf(placeOf(folderOf(session.workspace, call.args))));
    if (held.allowed || held.class !== "destructive") return ALLOW;
    const command = { type: "destructive", check: held.code };
    return { verdict: "block", refusal: refusal(question, held), also: { slice: PLAN_MODE_SLICE, command } };
  },
};

function refusal({ call, session }: PolicyQuestion, { code, matched }: HeldInEdits): GateRefusal {
  const hint = hasPerson(session.kind)
    ? "The session is now in plan mode: explore, then submit a plan with exit_plan_mode."
    : "Nobody could approve it here: leave it, and say so in your answer.";
  return {
    tool_name: call.tool,
    tool_kind: call.kind,
    hint,
    entered_at: null,
    entered_reason: `auto-destructive: ${code}`,
    rule: code,
    matched,
    message: `${call.tool} was not run: it is destructive (${code}: ${matched}), and such calls need an approved plan. ${hint}`,
  };
}
