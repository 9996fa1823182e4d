/**
 * `[ … ]` and `test`. `-v` and `-R` evaluate subscripts, so `test -v 'a[$(cmd)]'` runs cmd; a computed word in operator
 * position could become them. Operators must therefore be literal and known.
 */
import type { Call } from "../rules/rule.ts";
import { couldBeSeveral } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { stop } from "../verdict.ts";

const UNARY: ReadonlySet<string> = new Set(
  "-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -n -z".split(" "),
);
const BINARY: ReadonlySet<string> = new Set("= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef".split(" "));
const JOINS: ReadonlySet<string> = new Set(["-a", "-o"]);

const fail = (shapes: readonly Shape[]): never =>
  stop("script", `[ ${shapes.map((shape) => shape.text ?? "…").join(" ")} ]`);

const textAt = (shapes: readonly Shape[], index: number): string => shapes[index]?.text ?? "";

/** How many words the comparison at the front has; 0 when it is none. */
const lengthOfPrimary = (shapes: readonly Shape[]): number => {
  if (shapes.length >= 3 && BINARY.has(textAt(shapes, 1))) return 3;
  if (shapes.length >= 2 && UNARY.has(textAt(shapes, 0))) return 2;
  const alone = shapes.length === 1 || JOINS.has(textAt(shapes, 1));
  return alone && !/^[()]$/.test(textAt(shapes, 0)) ? 1 : 0;
};

/** Cuts one comparison off the front and returns the rest. */
const primary = (shapes: readonly Shape[]): readonly Shape[] => {
  const negated = textAt(shapes, 0) === "!" && shapes.length > 1 && !BINARY.has(textAt(shapes, 1));
  if (negated) return primary(shapes.slice(1));
  const length = lengthOfPrimary(shapes);
  return length === 0 ? fail(shapes) : shapes.slice(length);
};

export const checkTest = (call: Call): void => {
  const bracket = call.name === "[";
  const shapes = bracket ? call.shapes.slice(0, -1) : call.shapes;
  if (bracket && call.shapes.at(-1)?.text !== "]") fail(call.shapes);
  // `[ $(wc -l < a) -gt 9 ]`: a word that may be missing only shifts literals, and none of those becomes an operator.
  const literals = shapes.every((shape) => shape.text !== undefined || shape.token === true);
  if (!literals && shapes.some(couldBeSeveral)) stop("dynamic-word", "[ … ]", "Quote the computed word.");
  if (shapes.length === 0) return;
  let rest = primary(shapes);
  while (rest.length > 0) {
    if (!JOINS.has(rest[0]?.text ?? "")) fail(shapes);
    rest = primary(rest.slice(1));
  }
};
