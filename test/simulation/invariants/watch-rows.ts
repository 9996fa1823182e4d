/** I08, I13, I20 and what I21 rests on: every commit is in the store whole, with the rows that carry its work on. */
import { AUDIT_GENESIS } from "../../../src/protocol/audit-genesis.ts";
import type { SessionEvent } from "../../../src/protocol/session.ts";
import { planEventIn, planOf, type SeenCommit, type Violated, type Watch } from "./seen-commit.ts";

export function watchRows(violated: Violated): Watch {
  const keys = new Set<string>();
  let events = 0;
  let audit = 0;

  function checkKey({ commit }: SeenCommit): void {
    if (commit.idempotency === undefined) return;
    const { principal, key } = commit.idempotency;
    const place = JSON.stringify([principal, key]);
    if (keys.has(place)) violated("I13", `${place} took effect twice`);
    keys.add(place);
  }

  function checkCounts({ commit, memory }: SeenCommit): void {
    events += commit.events.length;
    if (memory.events.length !== events) violated("I08", `${memory.events.length} events of ${events} are stored`);
    events = memory.events.length;
    if (commit.audit.length > 0) audit += 1;
    if (memory.audit.length !== audit) violated("I20", `${memory.audit.length} audit rows of ${audit} are stored`);
    audit = memory.audit.length;
  }

  return {
    committed(seen) {
      checkKey(seen);
      checkCounts(seen);
      checkChain(seen, violated);
      checkFacts(seen, violated);
      checkWork(seen, violated);
    },
  };
}

function checkChain({ memory }: SeenCommit, violated: Violated): void {
  const [last, previous] = [memory.audit.at(-1), memory.audit.at(-2)];
  if (last === undefined) return;
  if (last.prevHash !== (previous?.hash ?? AUDIT_GENESIS) || last.seq !== (previous?.seq ?? 0) + 1)
    violated("I20", `audit row ${last.seq} does not follow the one before it`);
}

const AUDITED: Readonly<Record<string, string>> = {
  "call.claimed": "call.claimed",
  "call.refused": "call.refused",
  "turn.taken-over": "turn.taken-over",
  "plan.submitted": "plan.submitted",
};

const typeOf = (event: SessionEvent): string => planEventIn(event)?.type ?? event.type;

function checkFacts({ commit }: SeenCommit, violated: Violated): void {
  const facts = commit.audit.map(({ type }) => type);
  for (const event of commit.events) {
    const wanted = AUDITED[typeOf(event)];
    if (wanted !== undefined && !facts.includes(wanted)) violated("I20", `${wanted} has no audit fact`);
    const isResult = event.type === "call.closed" && event.status !== "refused";
    if (isResult && !facts.includes("call.closed")) violated("I20", `the result of ${event.callId} has no audit fact`);
  }
}

/** Work that a crash must not lose is a row: the turn in the outbox, the deadline among the timers. */
function checkWork({ commit: { sessionId }, memory }: SeenCommit, violated: Violated): void {
  const session = memory.sessions.get(sessionId)?.session;
  if (session === undefined) return;
  const { turn, timers } = session;
  if (turn.status !== "idle") {
    const isThere = memory.outbox.some(
      ({ effect, ...row }) =>
        row.sessionId === sessionId && effect.kind === "run-turn" && effect.turnId === turn.turnId,
    );
    if (!isThere) violated("I21", `${turn.turnId} is ${turn.status} and nobody will run it`);
  }
  const due = memory.timers.filter((row) => row.sessionId === sessionId).map(({ timer }) => timer.key);
  for (const { key } of timers) if (!due.includes(key)) violated("I21", `nobody will ring ${key}`);
  const now = planOf(session)?.now;
  if (now?.phase === "pending" && !timers.some(({ atMs }) => atMs === now.submission.deadlineAtMs))
    violated("I21", `${now.submission.approvalId} waits without a deadline`);
}
