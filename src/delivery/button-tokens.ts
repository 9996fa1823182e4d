/** What a button carries: 128 random bits and nothing to decode. The store keeps their hashes only. */
import { randomBytes } from "node:crypto";

const TOKEN_BYTES = 16;

export const newToken = (): string => `h1.${randomBytes(TOKEN_BYTES).toString("base64url")}`;
