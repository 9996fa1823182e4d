/**
 * A plan is not put before a person, and none is approved, while sub-agents still work for this session: what they are
 * about to bring back belongs into the plan, and an approval would unlock them too. The list of children stands in the
 * same session and was written before each child began, so this transaction sees every one; a list that cannot be read
 * proves nothing, and then the answer is no.
 */
import type { JsonObject } from "../../../protocol/json.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import {
  type Child,
  RETURN_KIND,
  returnId,
  SUB_AGENTS_SLICE,
  SubAgentsState,
} from "../../../agent/sub-agents/protocol/sub-agents.ts";
import { defuseLine } from "../../../plugins/sdk.ts";
import type { PlanContext } from "../actors.ts";

const NAMED_MAX = 5;
const NAME_CHARS_MAX = 80;

type Children = { running: Child[]; returned: Child[]; isReturnQueued: boolean } | "unreadable";

type Place = Pick<PlanContext, "session">;

function childrenOf({ session }: Place): Children {
  const stored = session.slices[SUB_AGENTS_SLICE];
  if (stored === undefined) return { running: [], returned: [], isReturnQueued: false }; // nothing here can spawn any
  const parsed = SubAgentsState.safeParse(stored);
  if (!parsed.success) return "unreadable";
  const { children } = parsed.data;
  const queued = queuedReturns(session);
  return {
    running: children.filter((child) => child.status === "running"),
    returned: children.filter(({ id }) => queued.some((text) => text.id.startsWith(returnId(id, "")))),
    isReturnQueued: queued.length > 0,
  };
}

/** What came while this turn runs: the turn after it, which each return has requested, receives them. No other is waited for. */
const queuedReturns = ({ turn, injections }: Place["session"]) =>
  turn.status === "running" ? injections.filter(({ kind }) => kind === RETURN_KIND) : [];

/** SB-02: for the agent that wants to submit. */
export function refuseSubmission(context: PlanContext): Refused | undefined {
  const children = childrenOf(context);
  if (children === "unreadable") return UNAVAILABLE;
  if (children.running.length > 0) {
    return blockedBy(
      children.running,
      `The plan was not submitted: sub-agents still work on it (${named(children.running)}). End your turn; you are resumed when they return, and can submit then.`,
    );
  }
  if (children.isReturnQueued) {
    return blockedBy(
      children.returned,
      `The plan was not submitted: a sub-agent has returned meanwhile (${named(children.returned)}). End your turn; you are resumed at once with what it says, and can submit then.`,
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
  const children = childrenOf(place);
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
