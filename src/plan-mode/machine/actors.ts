/** Who may give which command. The agent proposes, people decide, the system only lets time pass. */
import { type Actor, type By, byOperator, hasScope } from "../../protocol/actor.ts";
import type { PlanModeCommand } from "../protocol/command.ts";
import type { PlanModeSettings } from "../protocol/settings.ts";
import type { Refused } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import type { SliceContext } from "../../plugins/sdk.ts";

export type PlanContext = SliceContext<PlanModeSettings>;

type Right = "agent" | "decider" | "system";

const RIGHTS: Readonly<Record<PlanModeCommand["type"], readonly Right[] | "anyone">> = {
  enter: ["agent", "decider", "system"],
  seed: ["decider", "system"],
  "set-archetype": ["agent", "decider"],
  destructive: ["agent", "system"],
  gated: ["system"],
  tried: ["system"],
  "ask-call": ["agent", "system"],
  submit: ["agent"],
  write: ["decider"],
  update: ["agent"],
  ask: ["agent"],
  decide: ["decider"],
  resolve: ["decider"],
  "approve-edition": ["decider"],
  note: ["decider"],
  reading: ["decider"],
  share: ["decider"],
  unshare: ["decider"],
  leave: ["decider"],
  "set-permission-mode": ["decider"],
  expire: ["system"],
  nudge: ["system"],
  remind: ["system"],
  undelivered: ["system"],
  critique: ["system"],
  status: "anyone",
};

const WHO_MAY: Readonly<Record<Right, string>> = {
  agent: "the agent of this session",
  decider: "an operator with operator.approvals",
  system: "the gateway itself",
};

export function refuseActor(type: PlanModeCommand["type"], context: PlanContext): Refused | undefined {
  const rights = RIGHTS[type];
  if (rights === "anyone" || rights.some((right) => holds(right, context))) return undefined;
  const allowed = rights.map((right) => WHO_MAY[right]).join(" or ");
  return refuse("PERMISSION_DENIED", `Only ${allowed} may do this (${type}).`, {
    command: type,
    actor: context.actor.kind,
  });
}

function holds(right: Right, { actor, session }: PlanContext): boolean {
  switch (right) {
    case "agent":
      return actor.kind === "agent" && actor.sessionId === session.id; // not the agent of another session
    case "decider":
      return actor.kind === "operator" && hasScope(actor.scopes, "operator.approvals");
    case "system":
      return actor.kind === "system";
  }
}

export function byOf(actor: Actor): By {
  switch (actor.kind) {
    case "operator":
      return byOperator(actor);
    case "agent":
      return { kind: "agent", id: actor.sessionId, name: "the agent" };
    case "system":
      return { kind: "system", id: actor.reason, name: actor.reason };
  }
}

/** The person who acts with the agent's tools, by a program of their own; undefined of an agent's own act. */
export const lentTo = (actor: Actor): By | undefined => (actor.kind === "agent" ? actor.lentTo : undefined);

/** A rule that acts without a person, and is labelled as a rule wherever it is shown. */
export const byPolicy = (id: string, name: string): By => ({ kind: "policy", id, name });
