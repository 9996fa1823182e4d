/**
 * Marks the claim of a command that a proof of the plan names: it was signed as a look at the work, so it makes what was
 * seen before no older (BY-04). Without the mark every claim counts as a change.
 */
import { z } from "zod";
import { type PolicyVerdict, type TrustedToolPolicy } from "../../plugins/sdk.ts";
import { PROOF_MARK, provingCommand } from "../machine/evidence/capture.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { COMMAND_TOOL } from "./plan-call.ts";
import { stateOf } from "./stored-state.ts";

const Mode = z.object({ now: z.object({ mode: z.string() }) });

const ALLOW: PolicyVerdict = { verdict: "allow" };

export const proofMarkPolicy: TrustedToolPolicy = {
  id: "plan-mode/proof-mark",
  description: "Tells apart the commands that prove a criterion of the plan; it allows and forbids nothing.",
  evaluate({ call, session }): PolicyVerdict {
    const stored = session.slices[PLAN_MODE_SLICE];
    if (stored === undefined || call.effect === "read" || call.tool !== COMMAND_TOOL) return ALLOW;
    if (Mode.parse(stored).now.mode !== "executing") return ALLOW;
    const { now } = stateOf(stored);
    if (now.phase !== "executing") return ALLOW;
    const command = provingCommand(call.args);
    const isProof = now.submission.steps.some(({ proof }) =>
      proof?.some((one) => one.by === "command" && one.command === command),
    );
    return isProof && command !== undefined ? { verdict: "allow", under: { [PROOF_MARK]: command } } : ALLOW;
  },
};
