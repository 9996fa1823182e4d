/** I01, I14 and I15: turns, their leases, and the calls that are claimed and started in them. */
import { JsonObject } from "../../../src/protocol/json.ts";
import type { EventOf, Session, SessionEvent } from "../../../src/protocol/session.ts";
import type { ToolContext } from "../../../src/plugins/tool.ts";
import { planOf, type SeenCommit, type Violated, type Watch } from "./seen-commit.ts";

export type TurnWatch = Watch & {
  /** A change begins outside, where it cannot be taken back. */
  starts(context: ToolContext, now: { session: Session | undefined; node: string }): void;
  readonly started: number;
};

/** `toleranceMs`: how far nodes may be off the store's time. */
export function watchTurns(violated: Violated, toleranceMs: number): TurnWatch {
  const holders = new Map<string, string>();
  const calls = new Map<string, "claimed" | "started" | "closed">();
  let started = 0;

  function taken(event: EventOf<"turn.started" | "turn.taken-over">, seen: SeenCommit): void {
    const { epoch, node } = event;
    const { before, commit, origin, atMs } = seen;
    if (before === undefined || epoch !== before.epoch + 1) violated("I14", `epoch ${epoch} follows ${before?.epoch}`);
    const place = `${commit.sessionId} ${epoch}`;
    if (holders.has(place)) violated("I14", `${place} is held by ${holders.get(place)} and ${node}`);
    holders.set(place, node);
    if (node !== origin) violated("I14", `${origin} took a lease for ${node}`);
    if (event.type !== "turn.taken-over" || before?.turn.status !== "running") return;
    const { turn } = before;
    const leftMs = Math.round(turn.leaseUntilMs - atMs);
    if (turn.node !== node && leftMs > toleranceMs && node.split("-")[0] !== turn.node.split("-")[0])
      violated("I14", `${node} took over from ${turn.node}, whose lease has ${leftMs} ms left`);
  }

  function claimed({ callId, epoch, under }: EventOf<"call.claimed">, { before }: SeenCommit): void {
    if (calls.has(callId)) violated("I15", `${callId} is claimed and was ${calls.get(callId)}`);
    calls.set(callId, "claimed");
    const plan = planOf(before);
    if (plan === undefined || before === undefined) return violated("I01", `${callId} is claimed in no session`);
    if (plan.now.mode === "plan" || plan.held !== undefined) violated("I01", `${callId} is claimed in plan mode`);
    if (epoch !== before.epoch) violated("I01", `${callId} is claimed under epoch ${epoch} of ${before.epoch}`);
    if (plan.now.phase !== "executing") return;
    const { approvalId, digest } = plan.now.submission;
    const signed = JsonObject.parse(under["planMode"] ?? {});
    if (signed["approvalId"] !== approvalId || signed["planDigest"] !== digest)
      violated("I01", `${callId} is claimed under another plan than ${approvalId}`);
  }

  function follow(event: SessionEvent, seen: SeenCommit): void {
    switch (event.type) {
      case "turn.started":
      case "turn.taken-over":
        return taken(event, seen);
      case "call.claimed":
        return claimed(event, seen);
      case "call.closed":
        if (calls.get(event.callId) === "closed") violated("I15", `${event.callId} is closed twice`);
        if (calls.has(event.callId)) calls.set(event.callId, "closed");
        return;
      default:
    }
  }

  return {
    get started() {
      return started;
    },
    committed(seen) {
      checkHolder(seen, violated);
      for (const event of seen.commit.events) follow(event, seen);
      const { before, after } = seen;
      if (before !== undefined && after !== undefined && after.epoch < before.epoch)
        violated("I14", `epoch ${before.epoch} went back to ${after.epoch}`);
    },
    starts({ callId, epoch }, { session, node }) {
      started += 1;
      const status = calls.get(callId);
      if (status === undefined) violated("I18", `${callId} starts without a claim`);
      if (status === "started") violated("I15", `${callId} starts twice`);
      if (status === "closed") violated("I15", `${callId} starts on ${node} after it was closed`);
      if (session?.epoch !== epoch) violated("I14", `${callId} starts under epoch ${epoch} of ${session?.epoch}`);
      if (status === "claimed") calls.set(callId, "started");
    },
  };
}

/** What the agent's side writes comes from the node that holds the turn. */
function checkHolder({ before, commit, origin }: SeenCommit, violated: Violated): void {
  if (commit.actor !== `agent:${commit.sessionId}` || commit.recordOnly) return; // an agent above gives orders from its own turn
  if (commit.events.some(({ type }) => type === "turn.started" || type === "turn.taken-over")) return;
  const holder = before?.turn.status === "running" ? before.turn.node : "nobody";
  if (holder !== origin) violated("I14", `${origin} wrote ${typesOf(commit.events)} in a turn of ${holder}`);
}

const typesOf = (events: readonly SessionEvent[]): string => events.map(({ type }) => type).join();
