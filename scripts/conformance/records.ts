/** The conformance records in docs/conformance: one file for each source document, and one for the deviations. */
import { parse } from "yaml";
import { z } from "zod";
import type { SourceFile } from "../tidy/tree.ts";

const FOLDER = "docs/conformance/";
const DEVIATIONS = `${FOLDER}deviations.yaml`;

/** A test is named by its file and its title, as in `src/core/step.test.ts › [IN-02] replaces the same id`. */
export const TEST_SEPARATOR = " › ";

const text = z.string().trim().min(1);

/**
 * `works`: the tests prove it. `differs`: on purpose, see the deviation. `mending`: does not hold yet, though its part is
 * built. `unbuilt`: belongs to a part that is not there yet. `none`: nothing to prove, the note says why.
 */
export const STATUSES = ["works", "differs", "mending", "unbuilt", "none"] as const;
export type Status = (typeof STATUSES)[number];

const Row = z.strictObject({
  id: text,
  line: z.int().min(1),
  requirement: text,
  rules: z.array(text).default([]),
  status: z.enum(STATUSES),
  tests: z.array(text.includes(TEST_SEPARATOR)).default([]),
  deviation: text.optional(),
  part: text.optional(),
  note: text.optional(),
});
export type Row = z.infer<typeof Row>;

const Document = z.strictObject({
  document: text,
  about: text,
  /** Its place in docs/CONFORMANCE.md. */
  order: z.int(),
  prefix: z.string().regex(/^[a-z]+$/),
  areas: z.array(z.strictObject({ area: text, rows: z.array(Row).min(1) })).min(1),
});
export type Document = z.infer<typeof Document> & { path: string };

const Deviation = z.strictObject({ id: text, point: text, instead: text, why: text });
export type Deviation = z.infer<typeof Deviation>;

const Deviations = z.strictObject({ deviations: z.array(Deviation) });

export type Records = { documents: Document[]; deviations: Deviation[]; problems: string[] };

export const rowsOf = ({ areas }: Document): Row[] => areas.flatMap(({ rows }) => rows);

export function readRecords(files: SourceFile[]): Records {
  const records: Records = { documents: [], deviations: [], problems: [] };
  const found = files.filter(({ path }) => path.startsWith(FOLDER) && path.endsWith(".yaml"));
  for (const file of found) {
    if (file.path === DEVIATIONS) {
      records.deviations = read(file, Deviations, records.problems)?.deviations ?? [];
    } else {
      const document = read(file, Document, records.problems);
      if (document !== undefined) records.documents.push({ ...document, path: file.path });
    }
  }
  records.documents.sort((a, b) => a.order - b.order);
  return records;
}

function read<Shape>(file: SourceFile, schema: z.ZodType<Shape>, problems: string[]): Shape | undefined {
  const checked = schema.safeParse(parsed(file, problems));
  if (checked.success) return checked.data;
  problems.push(...checked.error.issues.map((issue) => `${file.path}: ${issue.path.join(".")}: ${issue.message}`));
  return undefined;
}

function parsed({ path, text: source }: SourceFile, problems: string[]): unknown {
  try {
    return parse(source);
  } catch (error) {
    problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
