/** The challenge that a passkey signs: the digest of the statement, so that it can be made again from what was kept. */
import { hash } from "node:crypto";
import { Json } from "../../protocol/json.ts";
import type { PresenceStatement } from "../../protocol/presence.ts";
import { canonicalJson } from "../../protocol/text/canonical-json.ts";

/** Keeps this digest apart from every other that is made of JSON here. */
const PURPOSE = "holdpoint presence 1";

export const statementChallenge = (statement: PresenceStatement): string =>
  hash("sha256", `${PURPOSE}\n${canonicalJson(Json.parse(statement))}`, "base64url");
