/** I10–I12: what is decided reaches the agent once, in order, and not after another plan took its place. */
import type { EventOf, SessionEvent } from "../../../src/protocol/session.ts";
import { planEventIn, type SeenCommit, type Violated, type Watch } from "./seen-commit.ts";

type Envelope = {
  n: number;
  approvalId: string | undefined;
  status: "queued" | "applied" | "cancelled";
  /** A decision wakes the agent; an expiry waits for its next turn, and so does all when a person stops this one. */
  wakes: boolean;
};
type Envelopes = { all: Map<string, Envelope>; superseded: Set<string>; count: number; lastApplied: number };

export type EnvelopeWatch = Watch & { /** Decisions that have not reached the agent. */ queued(): string[] };

export function watchEnvelopes(violated: Violated): EnvelopeWatch {
  const sessions = new Map<string, Envelopes>();

  function apply(id: string, envelopes: Envelopes): void {
    const envelope = envelopes.all.get(id);
    if (envelope === undefined) return;
    const { n, approvalId, status } = envelope;
    if (status !== "queued") violated("I11", `${id} is applied although it is ${status}`);
    if (approvalId !== undefined && envelopes.superseded.has(approvalId))
      violated("I12", `${id} is applied after a newer plan was submitted`);
    if (n < envelopes.lastApplied) violated("I12", `${id} is applied after a later decision`);
    envelopes.lastApplied = n;
    envelope.status = "applied";
  }

  function follow(event: SessionEvent, seen: SeenCommit, envelopes: Envelopes): void {
    const plan = planEventIn(event);
    if (plan?.type === "plan.submitted" && plan.supersedes !== undefined) envelopes.superseded.add(plan.supersedes);
    switch (event.type) {
      case "injection.queued":
        return queue(event, seen, envelopes);
      case "injection.dropped":
        return cancel(envelopes.all.get(event.id));
      case "session.stopped":
        for (const envelope of envelopes.all.values()) envelope.wakes = false;
        return;
      case "turn.finished":
        if (event.outcome === "aborted") for (const envelope of envelopes.all.values()) envelope.wakes = false;
        return;
      case "entry.appended":
        if (event.entry.kind === "input") for (const id of event.entry.injectionIds) apply(id, envelopes);
        return;
      default:
    }
  }

  return {
    committed(seen) {
      const { sessionId } = seen.commit;
      const envelopes = sessions.get(sessionId) ?? { all: new Map(), superseded: new Set(), count: 0, lastApplied: 0 };
      sessions.set(sessionId, envelopes);
      for (const event of seen.commit.events) follow(event, seen, envelopes);
    },
    queued: () =>
      [...sessions.values()].flatMap(({ all }) =>
        [...all].flatMap(([id, { status, wakes }]) => (status === "queued" && wakes ? [id] : [])),
      ),
  };
}

function queue({ injection }: EventOf<"injection.queued">, { commit, after }: SeenCommit, envelopes: Envelopes): void {
  if (injection.kind !== "plan_decision") return;
  const { id, approvalId } = injection;
  const isExpiry = commit.events.some((other) => planEventIn(other)?.type === "plan.timed_out");
  const wakes = !isExpiry && after?.stopped !== true; // one that was stopped from above waits for a person
  envelopes.all.set(id, { n: ++envelopes.count, approvalId, status: "queued", wakes });
}

function cancel(envelope: Envelope | undefined): void {
  if (envelope?.status === "queued") envelope.status = "cancelled";
}
