/** Keys that make a repeated request the same request: it creates nothing a second time. */
import { hash, randomBytes } from "node:crypto";
import type { OperatorActor } from "../plugins/api/controls.ts";
import { actorKey } from "../protocol/actor.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { Sender } from "./sender.ts";
import { canonicalJson } from "../protocol/text/canonical-json.ts";

type Keyed = { idempotencyKey?: string | undefined };

/** The actor and, where there is a key, the request that it belongs to. */
export function dispatchBy(actor: OperatorActor, method: string, params: Keyed): Sender {
  const key = params.idempotencyKey;
  if (key === undefined) return { actor };
  return { actor, idempotency: { key, requestDigest: requestDigest(method, params) } };
}

function requestDigest(method: string, params: object): string {
  return hash("sha256", canonicalJson([method, givenOnly(params)]));
}

/** Parsed parameters hold nothing but JSON, except fields that were left out. */
function givenOnly(params: object): JsonObject {
  const given: [string, Json][] = Object.entries(params).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** The id of what a request creates: with a key always the same, without one impossible to guess. */
export function idFor({ actor, idempotency }: Sender, method: string): string {
  if (idempotency === undefined) return randomBytes(16).toString("base64url");
  return hash("sha256", JSON.stringify([actorKey(actor), method, idempotency.key]), "base64url");
}
