/**
 * The text of the configuration file → a checked configuration, or every problem with its line and column.
 *
 * YAML is taken in its plain form only. Anchors, aliases and tags are refused: a value means what stands at its place,
 * nothing can grow while it is read, and a position always points at the line that a person must change.
 */
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Document,
  parseDocument,
  visit,
} from "yaml";
import type { z } from "zod";
import { ConfigError, type ConfigProblem } from "./config-error.ts";
import { expectedAt, namesAt } from "./expectation.ts";
import { nearNames } from "../protocol/near-names.ts";
import { Config } from "./config.ts";

export const CONFIG_BYTES_MAX = 262_144;
const PROBLEMS_MAX = 10;
const DEPTH_MAX = 32;
const RESERVED_KEYS = new Set(["__proto__", "constructor", "prototype"]);

export type ParsedConfig = { config: Config; document: Document };

type Source = { file: string; lines: LineCounter };
type Path = readonly PropertyKey[];

export function parseConfig(text: string, file: string): ParsedConfig {
  const document = parseYaml(text, file);
  return { config: checkDocument(document, text, file), document };
}

function checkDocument(document: Document, text: string, file: string): Config {
  const parsed = Config.safeParse(document.toJS() ?? {}, { jitless: true }); // read once: compiling its checks takes longer
  if (parsed.success) return parsed.data;
  const source = { file, lines: lineCounter(text) };
  throw new ConfigError(
    parsed.error.issues.flatMap((issue) => issueProblems(issue, document, source)).slice(0, PROBLEMS_MAX),
  );
}

function parseYaml(text: string, file: string): Document {
  if (Buffer.byteLength(text) > CONFIG_BYTES_MAX) {
    throw wholeFile(file, `The file is larger than ${CONFIG_BYTES_MAX} bytes. Remove what does not belong in it.`);
  }
  const source = { file, lines: lineCounter(text) };
  const document: Document = parseDocument(text, { version: "1.2", schema: "core", merge: false, prettyErrors: false });
  const first = document.errors[0];
  if (first !== undefined) {
    const overflow = document.errors.some((error) => error.code === "RESOURCE_EXHAUSTION");
    const message = overflow ? TOO_DEEP : (YAML_REASONS[first.code] ?? `The YAML cannot be read: ${first.message}.`);
    throw new ConfigError([problemAt(source, { offset: first.pos[0], path: "", message })]);
  }
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== "1.2") {
    throw wholeFile(file, "The file asks for another version of YAML. Remove the %YAML line.");
  }
  refuseOddities(document, source);
  return document;
}

const TOO_DEEP = `The file is nested deeper than ${DEPTH_MAX} levels. Settings never are: remove the extra brackets.`;

const YAML_REASONS: Record<string, string> = {
  DUPLICATE_KEY: "This key stands here twice. Keep one of them.",
  TAB_AS_INDENT: "A tab is used as indentation. Use spaces.",
  MULTIPLE_DOCS: "A second document begins here. Remove the --- line.",
  BAD_INDENT: "The indentation is wrong, or a bracket is not closed. Align this line with its neighbours.",
  BLOCK_AS_IMPLICIT_KEY:
    "The indentation is wrong: a value and settings of its own stand in one place. Align the lines.",
  MISSING_CHAR: "A quote, a colon or a bracket is missing. Close what was opened on this line.",
};

function refuseOddities(document: Document, source: Source): void {
  const refuse = (node: unknown, message: string): never => {
    throw new ConfigError([problemAt(source, { offset: startOf(node), path: "", message })]);
  };
  visit(document, (_key, node, ancestors) => {
    if (ancestors.length > DEPTH_MAX * 2) refuse(node, TOO_DEEP); // a pair and its value are two ancestors
    if (isAlias(node)) refuse(node, "Anchors and aliases (& and *) are not supported. Write the value out.");
    if (isPair(node)) {
      const key: unknown = isScalar(node.key) ? node.key.value : undefined;
      if (typeof key !== "string") refuse(node.key, "A setting's name must be plain text. Quote it, or correct it.");
      if (RESERVED_KEYS.has(String(key))) refuse(node.key, `"${String(key)}" is no setting. Remove it.`);
    }
    if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined)
        refuse(node, "Anchors and aliases (& and *) are not supported. Write the value out.");
      if (node.tag !== undefined) refuse(node, `The tag ${node.tag} is not supported. Write the plain value.`);
    }
  });
}

function issueProblems(issue: z.core.$ZodIssue, document: Document, source: Source): ConfigProblem[] {
  const meant = meantForm(issue);
  if (meant !== undefined) return meant.flatMap((one) => issueProblems(one, document, source));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const offset = startOf(keyNode(document, path));
      return problemAt(source, { offset, path: path.join("."), message: unknownName(issue.path, key) });
    });
  }
  const path = issue.path.join(".");
  const message = `${path === "" ? "The file" : path} ${wrongValue(issue, document)}`;
  return [problemAt(source, { offset: nearestOffset(document, issue.path), path, message })];
}

/** Of a value that may have several forms: what is wrong inside of the only one that it can be meant as. */
function meantForm(issue: z.core.$ZodIssue): z.core.$ZodIssue[] | undefined {
  if (issue.code !== "invalid_union") return undefined;
  const inside = issue.errors.filter((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
  );
  const [only] = inside;
  if (only === undefined || inside.length > 1 || only.length === 0) return undefined;
  return only.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

/** Also used for a dotted path that somebody typed. */
export function unknownName(parent: Path, key: string): string {
  const known = namesAt(parent);
  const place = parent.length === 0 ? "the configuration" : parent.join(".");
  const near = nearNames(key, known)[0];
  const advice = near === undefined ? `Known there: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  return `"${key}" is not a setting of ${place}. ${known.length === 0 ? "Remove it." : advice}`;
}

function wrongValue(issue: z.core.$ZodIssue, document: Document): string {
  const expected = expectedAt(issue.path);
  const given: unknown = document.getIn([...issue.path]);
  const isExplained =
    (issue.code === "custom" && isScalarValue(given)) || (issue.code === "invalid_format" && issue.format === "regex");
  const detail = isExplained ? issue.message : expected;
  const wanted = detail === "" ? issue.message : `Expected: ${detail}.`;
  if (given === undefined) return `is missing. ${wanted}`;
  if (given === null) return `is empty. Give it a value, or remove the line. ${wanted}`;
  return isScalarValue(given) ? `cannot be ${JSON.stringify(given)}. ${wanted}` : `has the wrong form. ${wanted}`;
}

const isScalarValue = (value: unknown): boolean => typeof value !== "object";

/** A value that is missing has no place; the nearest level above that exists is shown instead. */
function nearestOffset(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const node: unknown = document.getIn([...part], true);
    if (node !== undefined) return startOf(length === path.length ? node : keyNode(document, part));
  }
  return 0;
}

function keyNode(document: Document, path: Path): unknown {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return document.getIn([...path], true);
  return parent.items.find((pair) => isScalar(pair.key) && pair.key.value === path.at(-1))?.key;
}

function startOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

function problemAt(source: Source, problem: { offset: number; path: string; message: string }): ConfigProblem {
  const { line, col } = source.lines.linePos(problem.offset);
  return {
    source: source.file,
    line: Math.max(line, 1),
    column: Math.max(col, 1),
    path: problem.path,
    message: problem.message,
  };
}

function lineCounter(text: string): LineCounter {
  const lines = new LineCounter();
  for (let at = 0; at !== -1; at = next(text, at)) lines.addNewLine(at);
  return lines;
}

const next = (text: string, from: number): number => {
  const end = text.indexOf("\n", from);
  return end === -1 ? -1 : end + 1;
};

function wholeFile(file: string, message: string): ConfigError {
  return new ConfigError([{ source: file, line: null, column: null, path: "", message }]);
}
