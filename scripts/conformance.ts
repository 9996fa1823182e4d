/**
 * Writes docs/CONFORMANCE.md and docs/DEVIATIONS.md from docs/conformance; `npm run check` fails when they are out of
 * date. `--open` writes nothing and lists the rows that are being mended. `--prove ID "FILE › WORDS OF A TITLE" …`
 * records first that a row holds now, by these tests.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { conformanceFiles } from "./conformance/documents.ts";
import { prove } from "./conformance/prove.ts";
import { type Records, readRecords, rowsOf } from "./conformance/records.ts";
import { readTree, type SourceFile } from "./tidy/tree.ts";

const ROOT = join(import.meta.dirname, "..");

/** One line a row, so that it can be searched and counted. */
export const openRows = ({ documents }: Records): string[] =>
  documents.flatMap((document) =>
    rowsOf(document)
      .filter(({ status }) => status === "mending")
      .map(
        ({ id, rules, requirement, note }) => `${document.path} ${id} [${rules.join(", ")}] ${requirement} ~ ${note}`,
      ),
  );

/** The tree as it is once the proof is recorded. */
function withProof(files: SourceFile[], [id = "", ...tests]: string[]): SourceFile[] {
  const changed = prove(files, readRecords(files), { id, tests });
  if (typeof changed === "string") throw new Error(changed);
  writeFileSync(join(ROOT, changed.path), changed.text);
  return files.map((file) => (file.path === changed.path ? changed : file));
}

function main([verb, ...rest]: string[]): void {
  const files = readTree(ROOT);
  const records = readRecords(verb === "--prove" ? withProof(files, rest) : files);
  for (const problem of records.problems) process.stderr.write(`${problem}\n`);
  if (records.problems.length > 0) process.exitCode = 1;
  else if (verb === "--open") for (const line of openRows(records)) process.stdout.write(`${line}\n`);
  else for (const [path, text] of Object.entries(conformanceFiles(records))) writeFileSync(join(ROOT, path), text);
}

if (import.meta.main) main(process.argv.slice(2));
