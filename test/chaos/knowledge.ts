/** What was acknowledged and must therefore be true for ever; and the check that it is. */
import type { Operation } from "./decision-history.ts";
import { createLedger, type Entry, type Ledger } from "./ledger.ts";

export type Knowledge = {
  ledger: Ledger;
  sessions: ReadonlySet<string>;
  titles: ReadonlyMap<string, string>;
  messages: ReadonlyMap<string, ReadonlySet<string>>;
  /** approvalId → the verdicts that were acknowledged for it. */
  decisions: ReadonlyMap<string, readonly string[]>;
  /** Approvals that were seen pending and that nobody has tried to decide since. */
  pending: ReadonlyMap<string, string>;
  /** Acknowledged decisions, and looks that found an approval pending. */
  history: readonly Operation[];
  sawPending(sessionId: string, approvalId: string, look: { began: number; ended: number }): void;
  deciding(sessionId: string): void;
};

type Patch = {
  sessionId: string;
  title?: string;
  planApproval?: { approvalId: string; action: string };
};

export function createKnowledge(): Knowledge {
  const sessions = new Set<string>();
  const titles = new Map<string, string>();
  const messages = new Map<string, Set<string>>();
  const decisions = new Map<string, string[]>();
  const decidedBy = new Set<string>();
  const pending = new Map<string, string>();
  const history: Operation[] = [];

  function learn(entry: Entry): void {
    const { method, params, answer } = entry;
    if (answer?.ok !== true) return;
    const payload = answer.payload as { session?: { id: string; title: string }; messageId?: string };
    if (method === "sessions.create" && payload.session !== undefined) {
      sessions.add(payload.session.id);
      if (!titles.has(payload.session.id)) titles.set(payload.session.id, payload.session.title);
    } else if (method === "chat.send" && payload.messageId !== undefined) {
      const { sessionId } = params as { sessionId: string };
      messages.set(sessionId, (messages.get(sessionId) ?? new Set()).add(payload.messageId));
    } else if (method === "sessions.patch") learnPatch(params as Patch & { idempotencyKey: string }, entry);
  }

  function learnPatch(patch: Patch & { idempotencyKey: string }, { sentAt, answeredAt }: Entry): void {
    if (patch.title !== undefined) titles.set(patch.sessionId, patch.title);
    if (patch.planApproval !== undefined) {
      const what = { ...patch.planApproval, key: patch.idempotencyKey };
      history.push({ do: "decide", ...what, began: sentAt, ended: answeredAt });
    }
    if (patch.planApproval === undefined || decidedBy.has(patch.idempotencyKey)) return;
    decidedBy.add(patch.idempotencyKey); // a request that was sent twice is one decision
    const { approvalId, action } = patch.planApproval;
    decisions.set(approvalId, [...(decisions.get(approvalId) ?? []), action]);
  }

  return {
    ledger: createLedger(learn),
    sessions,
    titles,
    messages,
    decisions,
    pending,
    history,
    sawPending(sessionId, approvalId, look) {
      pending.set(sessionId, approvalId);
      history.push({ do: "look", approvalId, ...look });
    },
    deciding: (sessionId) => void pending.delete(sessionId),
  };
}
