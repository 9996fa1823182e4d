/** The operator that a valid credential belongs to. */
import type { Scope } from "../protocol/actor.ts";
import type { OperatorId } from "../protocol/ids.ts";

/** A program that shows a token; the gateway's own machine has a token, and so a surface, of its own. */
export const SURFACES = { login: "web", machine: "cli", token: "api" } as const;

export type Operator = {
  id: OperatorId;
  name: string;
  scopes: Scope[];
  /** The browser's log-in that acts for the operator. */
  device?: OperatorId;
  /** Settled by the credential, never by what a client says of itself. */
  surface?: (typeof SURFACES)[keyof typeof SURFACES];
};
