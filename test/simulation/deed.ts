/** What every deed of a person needs: who does it, where, and the way to ask for it. */
import type { Actor } from "../../src/protocol/actor.ts";
import { OperatorId, type SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { Session, SessionCommand } from "../../src/protocol/session.ts";
import { alice } from "../kit/core.ts";
import type { PersonRequest } from "./person-request.ts";

export const bob: Actor = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob" };

/** The one who may be revoked, with the jobs that are hers and the plans that she signed. */
export const carol: Actor = { ...alice, id: OperatorId.parse("opr_carol"), name: "Carol" };

export type Shown = { approvalId: string; digest: string };
export type Place = { session: Session; sessionId: SessionId; seen(): readonly Shown[] };
export type Post = { ask(wanted: Omit<PersonRequest, "key" | "isDone">): void; requests: Map<string, PersonRequest> };

export const plan = (command: JsonObject): SessionCommand => ({ type: "slice.apply", slice: "planMode", command });
