/**
 * What a tool's name says about it, for a tool that nobody classified while strict mode is off (GA-04): `notes.list` and
 * `notesList` read, `notes_delete` writes. The last word decides, unless another one writes: `drafts.delete.list` is no
 * reading. A word alone is no convention, and what says nothing is unknown.
 */
import type { ToolKind } from "../protocol/gate.ts";

export type NamedEffect = "read" | "write" | "unknown";

const READS: ReadonlySet<string> = new Set(["read", "search", "list", "get", "view"]);
const WRITES: ReadonlySet<string> = new Set(["write", "edit", "delete"]);

const PLAIN = /^[A-Za-z0-9._-]{1,128}$/;
/** Between two words: a separator, or a change from small to capital letters, or the last capital before small ones. */
const BOUNDARY = /[._-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

export function effectByName(name: string): NamedEffect {
  if (!PLAIN.test(name)) return "unknown"; // what only looks like a word is none
  const words = name.split(BOUNDARY).filter((word) => word !== "");
  const [last = "", ...before] = words.map((word) => word.toLowerCase()).toReversed();
  if (before.length === 0) return "unknown";
  if (WRITES.has(last) || before.some((word) => WRITES.has(word))) return "write";
  return READS.has(last) ? "read" : "unknown";
}

/** `telegram.send`, `browser.click`: a channel, or another thing outside, and what is done there. */
const CHANNEL_VERB = /^[a-z0-9_]+\.[a-z0-9_]+$/i;

/** The kind of an unclassified tool, which counts as writing. */
export const kindByName = (name: string): ToolKind => (CHANNEL_VERB.test(name) ? "outbound" : "dispatch");
