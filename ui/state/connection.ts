/**
 * Whether the gateway can be reached, and as whom.
 *
 *   connecting ──welcome──▶ online ──lost──▶ reconnecting ──welcome──▶ online
 *       │                                        └──signed out elsewhere──▶ signed-out
 *       └──nobody there──▶ offline ──welcome──▶ online
 */
import type { ClientStatus } from "../../src/client/client.ts";
import { hasScope } from "../../src/protocol/card/person.ts";
import type { ResultOf } from "../../src/all-methods.ts";

export type Operator = ResultOf<"connect">["operator"];

export type Connection =
  | { status: "connecting" }
  | { status: "online"; operator: Operator }
  /** It was there; it is tried again by itself. */
  | { status: "reconnecting"; operator: Operator }
  /** It was not there when the page opened; it is tried again by itself. */
  | { status: "offline" }
  /** For good: this tab has to be signed in again. */
  | { status: "signed-out"; reason: string };

export function connectionAfter(before: Connection, status: ClientStatus, operator: Operator | undefined): Connection {
  const known = operator ?? ("operator" in before ? before.operator : undefined);
  switch (status) {
    case "open":
      return known === undefined ? before : { status: "online", operator: known };
    case "connecting":
    case "waiting":
      if (before.status === "reconnecting") return before;
      if (known !== undefined) return { status: "reconnecting", operator: known };
      return status === "waiting" ? { status: "offline" } : before;
    case "closed":
      return before.status === "signed-out" ? before : { status: "signed-out", reason: "" };
  }
}

export const isOnline = (connection: Connection): boolean => connection.status === "online";

export const operatorOf = (connection: Connection): Operator | undefined =>
  "operator" in connection ? connection.operator : undefined;

export const mayDecide = (operator: Operator | undefined): boolean =>
  operator !== undefined && hasScope(operator.scopes, "operator.approvals");
