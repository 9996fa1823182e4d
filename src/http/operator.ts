/** The operator that a valid credential belongs to. */
import type { Scope } from "../protocol/actor.ts";
import type { OperatorId } from "../protocol/ids.ts";

export type Operator = {
  id: OperatorId;
  name: string;
  scopes: Scope[];
  /** The browser's log-in that acts for the operator. */
  device?: OperatorId;
};
