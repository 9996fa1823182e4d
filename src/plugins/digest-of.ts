/** The digest of a value: SHA-256 of its canonical JSON, in hex. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../protocol/text/canonical-json.ts";
import type { Json } from "../protocol/json.ts";

export const digestOf = (value: Json): string => createHash("sha256").update(canonicalJson(value)).digest("hex");
