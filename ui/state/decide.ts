/**
 * Decisions about what waits for a person: one road for cards, inbox and review. The gateway decides whether they hold.
 *
 *   (none) ──decide──▶ deciding ──done, or too late──▶ (none): the session's own state tells how it stands
 *                          └──refused──▶ refused, until the next try
 */
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import type { ApprovalId, SessionId } from "../../src/protocol/ids.ts";
import type { PlanApproval } from "../../src/plan-mode/protocol/command.ts";
import type { Calling } from "./calling.ts";
import { cell, type Readable } from "./cell.ts";

type Acting<Action extends PlanApproval["action"]> = Extract<PlanApproval, { action: Action }>;

/** A decision always names what it answers; one that unlocks also names the bytes that were read. */
export type Decision =
  | (Acting<"approve" | "edit" | "approve_edited"> & { approvalId: ApprovalId; digest: string })
  | (Acting<"reject" | "answer" | "decline" | "defer"> & { approvalId: ApprovalId });

export type Attempt =
  | { status: "deciding" }
  /** It still waits: something else is missing, and `message` says what. */
  | ({ status: "refused"; code: string; message: string } & Pick<HoldpointError, "details" | "said">);

/**
 * `late`: what was decided on is not what lies before people any more.
 * `busy`: one for this id is on its way already, and this one was not sent.
 */
export type Decided = "done" | "late" | "refused" | "busy";

export type Decider = Readable<ReadonlyMap<string, Attempt>> & {
  /** By the id of what waits. */
  of(id: string): Attempt | undefined;
  decide(sessionId: SessionId, decision: Decision): Promise<Decided>;
  /** What was decided from this page, for whoever has to say who did it. */
  doneHere(id: string): Decision["action"] | undefined;
};

const ATTEMPTS_KEPT_MAX = 50;

const LATE: ReadonlySet<string> = new Set([
  "APPROVAL_NOT_PENDING",
  "APPROVAL_STALE",
  "APPROVAL_SUPERSEDED",
  "APPROVAL_UNKNOWN",
  "APPROVAL_ALREADY_DECIDED",
  "APPROVAL_EXPIRED",
  "APPROVAL_DIGEST_MISMATCH",
  "QUESTION_NOT_PENDING",
  "QUESTION_STALE",
  "PLAN_NOT_ACTIVE",
]);

export function createDecider({ call }: Calling): Decider {
  const attempts = cell<ReadonlyMap<string, Attempt>>(new Map());
  const done = new Map<string, Decision["action"]>();

  function remember(id: string, action: Decision["action"]): void {
    done.set(id, action);
    for (const old of [...done.keys()].slice(0, Math.max(0, done.size - ATTEMPTS_KEPT_MAX))) done.delete(old);
  }

  function note(id: string, attempt: Attempt | undefined): void {
    attempts.change((before) => {
      const rest = [...before].filter(([known]) => known !== id);
      return new Map(attempt === undefined ? rest : [...rest, [id, attempt] as const].slice(-ATTEMPTS_KEPT_MAX));
    });
  }

  return {
    get: attempts.get,
    subscribe: attempts.subscribe,
    of: (id) => attempts.get().get(id),
    doneHere: (id) => done.get(id),
    async decide(sessionId, decision) {
      const id = decision.approvalId;
      if (attempts.get().get(id)?.status === "deciding") return "busy"; // a second click, wherever it was
      note(id, { status: "deciding" });
      try {
        await call("sessions.patch", { sessionId, planApproval: decision });
        remember(id, decision.action);
        note(id, undefined);
        return "done";
      } catch (error) {
        if (!(error instanceof HoldpointError)) {
          note(id, undefined);
          throw error;
        }
        const { code, message, details, said } = error;
        note(id, { status: "refused", code, message, details, said });
        return LATE.has(code) ? "late" : "refused";
      }
    },
  };
}
