/**
 * A plan is not put before a person, and none is approved, while sub-agents still work for this session: what they are
 * about to bring back belongs into the plan, and an approval would unlock them too. The list of children stands in the
 * same session and was written before each child began, so this transaction sees every one; a list that cannot be read
 * proves nothing, and then the answer is no.
 */
import type { JsonObject } from "../../../protocol/json.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { type Child, SUB_AGENTS_SLICE, SubAgentsState } from "../../../agent/sub-agents/protocol/sub-agents.ts";
import { defuseLine } from "../../../plugins/sdk.ts";
import type { PlanContext } from "../actors.ts";

/** After the last child has ended: its result is on its way into the next turn. */
export const SETTLE_MS = 1_500;
const NAMED_MAX = 5;
const NAME_CHARS_MAX = 80;

type Children = { running: Child[]; settling: Child[] } | "unreadable";

type Place = Pick<PlanContext, "session">;

function childrenOf({ session }: Place, nowMs: number): Children {
  const stored = session.slices[SUB_AGENTS_SLICE];
  if (stored === undefined) return { running: [], settling: [] }; // nothing here can spawn any
  const parsed = SubAgentsState.safeParse(stored);
  if (!parsed.success) return "unreadable";
  const { children } = parsed.data;
  return {
    running: children.filter((child) => child.status === "running"),
    settling: children.filter((child) => child.status === "ended" && nowMs - child.endedAtMs < SETTLE_MS),
  };
}

/** SB-02: for the agent that wants to submit. */
export function refuseSubmission(context: PlanContext): Refused | undefined {
  const children = childrenOf(context, context.nowMs);
  if (children === "unreadable") return UNAVAILABLE;
  if (children.running.length > 0) {
    return blockedBy(
      children.running,
      `The plan was not submitted: sub-agents still work on it (${named(children.running)}). End your turn; you are resumed when they return, and can submit then.`,
    );
  }
  if (children.settling.length > 0) {
    return blockedBy(
      children.settling,
      `The plan was not submitted: a sub-agent has just returned (${named(children.settling)}). End your turn, read what it says, then submit.`,
    );
  }
  return undefined;
}

/** SB-03: for the person who wants to approve. A rejection never needs this check. */
export function refuseUnlock(place: Place): Refused | undefined {
  const running = openChildren(place);
  if (running === "unreadable") return UNAVAILABLE;
  if (running.length === 0) return undefined;
  return blockedBy(
    running,
    `Nothing was approved: sub-agents of this session still work (${named(running)}). Approve when they have returned, or stop them.`,
  );
}

function openChildren(place: Place): Child[] | "unreadable" {
  const children = childrenOf(place, Number.MAX_SAFE_INTEGER);
  return children === "unreadable" ? children : children.running;
}

/** Sub-agents that still work, for people; `unknown` where the list cannot be read, which counts as blocked. */
export function runningChildren(place: Place): { id: string; title: string }[] | "unknown" {
  const running = openChildren(place);
  return running === "unreadable" ? "unknown" : running.map(({ id, title }) => ({ id, title }));
}

/** SB-05: what the gate saw when a submission passed it, for the log. */
export function gateSeen(place: Place): JsonObject {
  const running = openChildren(place);
  if (running === "unreadable") return { gate: "closed", why: "the list of sub-agents cannot be read" };
  const { length } = running;
  return length === 0
    ? { gate: "open", why: "no sub-agent is open" }
    : { gate: "closed", why: `${length} sub-agents run` };
}

const blockedBy = (children: readonly Child[], message: string): Refused =>
  refuse("PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS", message, { subagents: children.map((child) => child.id) });

const UNAVAILABLE = refuse(
  "PLAN_APPROVAL_GATE_STATE_UNAVAILABLE",
  "Whether sub-agents of this session still work cannot be told, so nothing was approved. Reject is possible; a reset of the session clears the list.",
);

const stateOf = (child: Child): string =>
  child.status === "running" && child.stopping === true ? ", being stopped" : "";

function named(children: readonly Child[]): string {
  const shown = children
    .slice(0, NAMED_MAX)
    .map((child) => `${defuseLine(child.title, NAME_CHARS_MAX) || "untitled"} ${child.id}${stateOf(child)}`);
  const more = children.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
