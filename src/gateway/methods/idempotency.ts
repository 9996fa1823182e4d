/** Keys that make a repeated request the same request: what it made the first time is what it makes again. */
import { hash, randomBytes } from "node:crypto";
import type { OperatorActor } from "../../http/method-table.ts";
import { actorKey } from "../../protocol/actor.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { Dispatch } from "../../engine/dispatch.ts";
import { canonicalJson } from "../../protocol/text/canonical-json.ts";

type Keyed = { idempotencyKey?: string | undefined };

/** Who does it and, where there is a key, which request it belongs to. */
export function dispatchBy(actor: OperatorActor, method: string, params: Keyed): Dispatch {
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

/** The id of what a request makes: with a key always the same one, without a key one that nobody can guess. */
export function idFor(actor: OperatorActor, method: string, params: Keyed): string {
  if (params.idempotencyKey === undefined) return randomBytes(16).toString("base64url");
  return hash("sha256", JSON.stringify([actorKey(actor), method, params.idempotencyKey]), "base64url");
}
