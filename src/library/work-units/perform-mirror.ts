/** Performs the order to mirror: reads how the plan of a session stands and writes it beside the work. */
import { PlanRevision } from "../../plan-mode/protocol/plan.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";
import type { OrderOutcome, PluginApi, PluginSession, ReadSession } from "../../plugins/sdk.ts";
import { endUnits, mirrorUnit, type UnitPlace } from "./mirror-unit.ts";
import { lostBecause } from "./unit-folder.ts";

export type MirrorPorts = {
  api: Pick<PluginApi, "documents" | "sessions" | "log" | "now">;
  session: ReadSession;
  isTracked: UnitPlace["isTracked"];
};

const PLAN_MODE = "planMode";

/** `status`: how the plan ended, where it did. */
export async function performMirror(
  { status }: { status?: "completed" | "left" | undefined },
  { sessionId, key }: { sessionId: string; key: string },
  ports: MirrorPorts,
): Promise<OrderOutcome> {
  const session = await ports.session(sessionId);
  const now = PlanModeState.safeParse(session?.slices[PLAN_MODE]).data?.now;
  if (session === undefined || now === undefined) return "done";
  try {
    if (now.phase === "executing") await mirror(session, now, ports);
    else if (status !== undefined) {
      const steps = now.phase === "off" && status === "completed" ? { steps: now.steps } : {};
      await endUnits({ sessionId, status, atMs: ports.api.now(), ...steps }, placeOf(session, ports));
    }
    return "done";
  } catch (error) {
    return lost(error, { sessionId, key }, ports);
  }
}

const placeOf = ({ workspace }: PluginSession, { isTracked }: MirrorPorts): UnitPlace => ({ workspace, isTracked });

type Executing = Extract<PlanModeState["now"], { phase: "executing" }>;

async function mirror(session: PluginSession, now: Executing, ports: MirrorPorts): Promise<void> {
  const { planId, approvalId, revision, digest, title } = now.submission;
  const stored = await ports.api.documents.get("plan", planId);
  if (stored === undefined) return;
  const { planMarkdown } = await import("../../plan-mode/render/export/plan-markdown.ts");
  const { evidence, amendments, steps } = now;
  const seen = { ...(evidence === undefined ? {} : { evidence }), ...(amendments === undefined ? {} : { amendments }) };
  const decided = { type: "decided", decision: now.approval, planId, approvalId, digest, by: now.decidedBy } as const;
  const text = planMarkdown({
    plan: PlanRevision.parse(stored.body),
    notes: [],
    decisions: [{ ...decided, atMs: now.decidedAtMs }],
    progress: steps,
    ...seen,
  });
  const unit = {
    version: 1,
    planId,
    sessionId: session.id,
    cycleId: now.cycle.id,
    revision,
    digest,
    title,
    status: "executing",
    approvedBy: now.decidedBy,
    approvedAtMs: now.decidedAtMs,
    updatedAtMs: ports.api.now(),
    steps,
  } as const;
  await mirrorUnit({ unit: { ...unit, steps: [...steps] }, text }, placeOf(session, ports));
}

/** People are told once per plan; the next change of the plan tries again. */
async function lost(
  error: unknown,
  { sessionId, key }: { sessionId: string; key: string },
  { api }: MirrorPorts,
): Promise<OrderOutcome> {
  const because = lostBecause(error);
  api.log("warn", "[work-units] a plan was not mirrored", { sessionId, because, why: String(error) });
  const told = await api.sessions.dispatch(sessionId, { type: "unit-lost", because }, { idempotencyKey: key });
  return !told.ok && told.refusal.retry === true ? "later" : "done";
}
