/**
 * Writes docs/CONFORMANCE.md and docs/DEVIATIONS.md from docs/conformance; `npm run check` fails when they are out of
 * date. With --open it writes nothing and lists the rows that are being mended, each with the place where its tests go.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { conformanceFiles } from "./conformance/documents.ts";
import { type Records, readRecords, rowsOf } from "./conformance/records.ts";
import { readTree } from "./tidy/tree.ts";

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

function main(): void {
  const records = readRecords(readTree(ROOT));
  for (const problem of records.problems) process.stderr.write(`${problem}\n`);
  if (records.problems.length > 0) process.exitCode = 1;
  else if (process.argv.includes("--open")) for (const line of openRows(records)) process.stdout.write(`${line}\n`);
  else for (const [path, text] of Object.entries(conformanceFiles(records))) writeFileSync(join(ROOT, path), text);
}

if (import.meta.main) main();
