/** What a button carries: 128 random bits and nothing to decode. The store keeps their hashes only. */
import { hash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 16;

export const newToken = (): string => `h1.${randomBytes(TOKEN_BYTES).toString("base64url")}`;
export const tokenHash = (token: string): string => hash("sha256", token);
