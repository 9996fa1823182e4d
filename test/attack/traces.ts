/** What must never come to light: each secret carries its kind, so that whatever leaks says where it came from. */
import { randomBytes } from "node:crypto";

/** `machine`: what a trial prints that opened something of the whole machine. `keys` prove who the person is: hidden while an agent only reads, and theirs to use after a person approved. */
export type TraceKind = "state" | "environment" | "keys" | "others" | "service" | "machine";

const TRACE = /trace-(?:state|environment|keys|others|service|machine)-[0-9a-f]{16}/g;
/** The gateway itself replaces its tokens in what it shows, so a token alone would not tell. */
const TOKEN = /hp_[A-Za-z0-9_-]{20,}/g;

export const newTrace = (kind: TraceKind): string => `trace-${kind}-${randomBytes(8).toString("hex")}`;

export const tracesIn = (text: string): string[] => [
  ...new Set([...(text.match(TRACE) ?? []), ...(text.match(TOKEN) ?? []).map((token) => `${token.slice(0, 6)}…`)]),
];
