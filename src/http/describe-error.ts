/** One sentence about what does not fit a schema, with the path to it. */
import type { z } from "zod";

const MESSAGE_CHARS_MAX = 400;
const NAME_CHARS_MAX = 64;
const NAMES_MAX = 5;

export type Described = { path: string; message: string; missing: boolean };

type Issue = z.core.$ZodIssue;
type Leaf = { path: PropertyKey[]; message: string; missing: boolean };

/** `whole` is what the input as a whole is called: "params", "frame". */
export function describeError(error: z.core.$ZodError, input: unknown, whole: string): Described {
  const [leaf] = error.issues.flatMap((issue) => leaves(issue, [], input));
  if (leaf === undefined) return { path: "", message: `${whole}: is not valid`, missing: false };
  const path = leaf.path.map((key) => String(key).slice(0, NAME_CHARS_MAX)).join(".");
  const message = `${path === "" ? whole : path}: ${leaf.message}`;
  return { path, message: message.slice(0, MESSAGE_CHARS_MAX), missing: leaf.missing };
}

function leaves(issue: Issue, above: PropertyKey[], input: unknown): Leaf[] {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) return nearest(issue.errors, path, input);
  if (issue.code === "unrecognized_keys") return [{ path, message: unknownFields(issue.keys), missing: false }];
  const missing = valueAt(input, path) === undefined;
  return [{ path, message: missing ? "is required" : lowerFirst(issue.message), missing }];
}

function unknownFields(keys: readonly string[]): string {
  const names = keys.slice(0, NAMES_MAX).map((key) => `"${key.slice(0, NAME_CHARS_MAX)}"`);
  const more = keys.length > NAMES_MAX ? ` and ${keys.length - NAMES_MAX} more` : "";
  return `unknown field ${names.join(", ")}${more}`;
}

/**
 * Of several shapes that all do not fit, the one with the fewest faults is what was probably meant. A fault inside of a
 * field counts less than a field that is missing or unknown: whoever filled a field in meant its shape.
 */
function nearest(shapes: Issue[][], path: PropertyKey[], input: unknown): Leaf[] {
  const described = shapes.map((issues) => issues.flatMap((issue) => leaves(issue, path, input)));
  const near = fewest(
    fewest(described, (shape) => shape.filter((leaf) => leaf.path.length <= path.length + 1).length),
    (shape) => shape.length,
  );
  const [first = []] = near;
  if (near.length === 1) return first;
  const shared = first.find((leaf) => near.every((shape) => shape.some((other) => samePath(leaf, other))));
  if (shared !== undefined) return [shared];
  const names = near.flatMap((shape) => shape.filter((leaf) => leaf.missing).map((leaf) => String(leaf.path.at(-1))));
  if (names.length < near.length) return first;
  return [{ path, message: `one of these is required: ${names.join(", ")}`, missing: true }];
}

function fewest(shapes: Leaf[][], faultsOf: (shape: Leaf[]) => number): Leaf[][] {
  const least = Math.min(...shapes.map(faultsOf));
  return shapes.filter((shape) => faultsOf(shape) === least);
}

const samePath = (a: Leaf, b: Leaf): boolean => a.path.join(".") === b.path.join(".");

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    return Reflect.get(value, key);
  }, input);
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
