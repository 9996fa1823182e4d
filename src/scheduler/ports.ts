/** What the scheduler needs of the gateway, by shape. */
import type { Actor, By } from "../protocol/actor.ts";
import type { CardText } from "../protocol/card/card.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { ApprovalRules } from "../plan-mode/protocol/approvals.ts";
import type { PlanBody } from "../plan-mode/protocol/plan.ts";
import type { JobOwner } from "./protocol/schedule.ts";
import type { Session, SessionCommand } from "../protocol/session.ts";
import type { Entry } from "../protocol/transcript-entry.ts";

export type Outcome = { ok: true; reply: Json; session: Session | undefined } | { ok: false; refusal: Refusal };
export type OnBehalfOf = { actor: Actor; idempotency?: { key: string; requestDigest: string } };

export type SchedulerPorts = {
  sessions: {
    session(id: SessionId): Promise<Session | undefined>;
    dispatch(id: SessionId, command: SessionCommand, by: OnBehalfOf): Promise<Outcome>;
  };
  clock: { now(): number };
  /** Transcript entries after a number, oldest first. */
  history(sessionId: SessionId, from: number): Promise<{ entry: Entry }[]>;
  /** The folder that an agent works in. */
  workspaceFor(agentId: string): string;
  /** The agent's conversations that were used last, for a heartbeat. */
  recentChats(agentId: string, limit: number): Promise<SessionId[]>;
  /** Whether the owner of a job still exists: the jobs of a plugin end with it. */
  isActive(owner: JobOwner): boolean;
  /** Who must sign plans in a session; undefined where that cannot be read. */
  approvalsFor(session: Session): ApprovalRules | undefined;
  /**
   * Whether all of these are operators, and neither they nor the log-ins and passkeys that they used were revoked;
   * and whether the store is still the one in which they signed.
   */
  vouches(who: { by: readonly By[]; passkeys?: readonly string[] | undefined; signedAtMs?: number }): Promise<boolean>;
  /** The text of a plan revision, as it was stored when it was submitted. */
  planBody(planId: string): Promise<PlanBody | undefined>;
  /** What slices and plugins report about a conversation at a heartbeat. */
  contributions(session: Session): string[];
  /** What a setting that opens the gate means for every job. Absent: nothing. */
  warnings?(): readonly CardText[];
  report(error: unknown): void;
};
