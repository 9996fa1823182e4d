/**
 * What scans found, kept in the gateway's folder between starts. The scan's words of thirteen languages take longer to
 * load than the rest of a start, so they are loaded with the first text that has never been scanned. If that fails, the text
 * stays out of the prompt; if the record cannot be read or written, texts are scanned again.
 */
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { type Finding, FINDINGS_MAX } from "./finding.ts";
import { FINDING_KINDS } from "./scan/finding-kind.ts";

/** Digest of the scan's sources: what another edition found says nothing about this one. A test holds it true. */
export const SCAN_EDITION = "119bcbf22a0c";
const TEXTS_KEPT_MAX = 1_000;
const EXCERPT_CHARS_MAX = 400;

const KeptFinding: z.ZodType<Finding> = z.strictObject({
  kind: z.enum(FINDING_KINDS),
  lines: z.array(z.int().positive()),
  excerpt: z.string().max(EXCERPT_CHARS_MAX),
});
const Kept = z.strictObject({
  edition: z.literal(SCAN_EDITION),
  texts: z.record(z.hex(), z.array(KeptFinding).max(FINDINGS_MAX)),
});

export type Scan = (text: string) => Promise<readonly Finding[]>;

export function createScan(file: string): Scan {
  let known: Promise<Map<string, readonly Finding[]>> | undefined;
  let isSaveDue = false;

  /** Without waiting for the disk in between: whoever stops the gateway may remove its folder. */
  function save(texts: ReadonlyMap<string, readonly Finding[]>): void {
    isSaveDue = false; // what is found from now on needs another save
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const kept = JSON.stringify({ edition: SCAN_EDITION, texts: Object.fromEntries(texts) });
      writeFileSync(`${file}.new`, kept, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch {
      // scanned again next time
    }
  }

  return async (text) => {
    known ??= readKept(file);
    const texts = await known;
    const digest = createHash("sha256").update(text).digest("hex");
    const earlier = texts.get(digest);
    if (earlier !== undefined) return earlier;
    const { scan } = await import("./scan.ts");
    const findings = scan(text);
    texts.set(digest, findings);
    const oldest = texts.keys().next().value;
    if (texts.size > TEXTS_KEPT_MAX && oldest !== undefined) texts.delete(oldest);
    if (!isSaveDue) setImmediate(() => save(texts)); // the files that one turn reads are saved together
    isSaveDue = true;
    return findings;
  };
}

async function readKept(file: string): Promise<Map<string, readonly Finding[]>> {
  try {
    return new Map(Object.entries(Kept.parse(JSON.parse(await readFile(file, "utf8"))).texts));
  } catch {
    return new Map();
  }
}
