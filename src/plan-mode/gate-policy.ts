/** The gate as a trusted policy: asked for each call, with the session as it is stored at that moment. */
import { z } from "zod";
import { PlanModeState, SessionMode } from "../protocol/plan-mode.ts";
import type { PolicyVerdict, TrustedToolPolicy } from "../plugins/sdk.ts";
import { planGate } from "./machine/gate.ts";
import { PLAN_MODE_SLICE } from "./machine/slice.ts";

/** All that an open gate needs to know; the whole state is read only to explain a refusal. */
const Mode = z.object({ now: z.object({ mode: SessionMode }) });

export const planGatePolicy: TrustedToolPolicy = {
  id: "plan-mode/gate",
  description: "In plan mode only reading tools run, until a person approves the plan.",
  evaluate({ call, session }): PolicyVerdict {
    const stored = session.slices[PLAN_MODE_SLICE];
    if (stored === undefined || call.effect === "read") return { verdict: "allow" };
    if (Mode.parse(stored).now.mode !== "plan") return { verdict: "allow" }; // unreadable state throws, and that blocks
    const verdict = planGate(PlanModeState.parse(stored), call);
    return verdict.allowed ? { verdict: "allow" } : { verdict: "block", refusal: verdict.refusal };
  },
};
