/** Records that a row holds now: its status becomes `works`, with the tests that prove it, and its note goes. */
import { isMap, isSeq, parseDocument, type YAMLMap } from "yaml";
import { titlesOf } from "../tidy/test-titles.ts";
import type { SourceFile } from "../tidy/tree.ts";
import { splitTest } from "./documents.ts";
import { type Records, rowsOf, TEST_SEPARATOR } from "./records.ts";

type Proof = { id: string; tests: string[] };

/** The file of the row with its new text, or what is wrong. A test may be named by any words that only its title has. */
export function prove(files: SourceFile[], records: Records, { id, tests }: Proof): SourceFile | string {
  const path = records.documents.find((document) => rowsOf(document).some((row) => row.id === id))?.path;
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) return `there is no row ${id}`;
  const found = tests.map((test) => findTest(files, test));
  const unclear = found.find((each) => Array.isArray(each));
  if (unclear !== undefined) return `names ${unclear.length} tests: ${JSON.stringify(unclear)}`;
  if (found.length === 0) return `name the tests that prove ${id}`;
  return { path: file.path, text: proven(file.text, id, found.flat()) };
}

/** One test, or all that it could be. */
function findTest(files: SourceFile[], test: string): string | string[] {
  const [path, words] = splitTest(test);
  const file = files.find((candidate) => candidate.path === path);
  const titles = file === undefined ? [] : [...titlesOf(file)];
  const fitting = titles.includes(words) ? [words] : titles.filter((title) => title.includes(words));
  const [only, ...more] = fitting;
  return only === undefined || more.length > 0 ? fitting : `${path}${TEST_SEPARATOR}${only}`;
}

function proven(text: string, id: string, tests: string[]): string {
  const document = parseDocument(text);
  const row = mapsIn(document.get("areas"))
    .flatMap((area) => mapsIn(area.get("rows")))
    .find((each) => each.get("id") === id);
  if (row === undefined) throw new Error(`${id} was read before and is not there now`);
  const before = row.get("tests");
  const kept: unknown[] = isSeq(before) ? before.toJSON() : [];
  for (const field of ["note", "part", "deviation", "tests"]) row.delete(field);
  row.set("status", "works");
  row.set("tests", document.createNode([...new Set([...kept, ...tests])]));
  return document.toString({ lineWidth: 0 });
}

const mapsIn = (value: unknown): YAMLMap[] => (isSeq(value) ? value.items.filter(isMap) : []);
