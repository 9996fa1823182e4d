/** One request of a person, from the first time it is sent until it is answered. */
import type { Actor } from "../../src/protocol/actor.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { SessionCommand } from "../../src/protocol/session.ts";

export type PersonRequest = {
  key: string;
  sessionId: SessionId;
  command: SessionCommand;
  actor: Actor;
  /** The plan that it decides on. */
  decidesOn?: string;
  /** The digest that the decision names. */
  shownDigest?: string;
  /** What its surface says to have offered of the text; older ones say nothing. */
  offered?: "whole" | "part";
  answer?: unknown;
  isRefused?: boolean;
  isDone: boolean;
};
