/** What the scan of a text found, and the text as it enters a prompt: apart from the scan, which is loaded with the first file. */
import { revealHidden } from "../../plugins/sdk.ts";
import type { FindingKind } from "./scan/finding-kind.ts";

export const FINDINGS_MAX = 50;

/** `lines` are those that are to be quoted, counted from 1. */
export type Finding = { kind: FindingKind; lines: readonly number[]; excerpt: string };

export const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, "").split(/\r?\n/);

/** The text with every line of a finding quoted as data, so that it cannot be read as guidance. */
export function quotedAsData(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  const marked = new Map<number, Set<FindingKind>>();
  for (const { kind, lines } of findings) {
    for (const line of lines) marked.set(line, (marked.get(line) ?? new Set()).add(kind));
  }
  return linesOf(text)
    .map((line, at) => {
      const kinds = marked.get(at + 1);
      return kinds === undefined
        ? line
        : `> (quoted as data: ${[...kinds].join(", ")}) ${JSON.stringify(revealHidden(line))}`;
    })
    .join("\n");
}
