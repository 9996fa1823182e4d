/**
 * What a plugin registers must be what it takes itself for: a misspelt function would never be called, and a description in
 * the wrong place never be read. Only names and kinds are looked at here; shapes that are made late stay unmade.
 */
import { Scope } from "../../protocol/actor.ts";

type Shape = {
  functions: readonly string[];
  needs?: readonly string[];
  may?: readonly string[];
  /** Functions that may be there. */
  mayDo?: readonly string[];
  /** Where a name belongs that does not belong here. */
  elsewhere?: (name: string) => string | undefined;
};

/** Undefined: it has what it needs, and nothing that nobody would look at. */
function shapeProblem(what: string, given: object, shape: Shape): string | undefined {
  const { functions, needs = [], may = [], mayDo = [], elsewhere = () => undefined } = shape;
  const value = (name: string): unknown => Reflect.get(given, name);
  const isFunction = (name: string): boolean => typeof value(name) === "function";
  const undone = [...functions, ...mayDo.filter((name) => name in given && value(name) !== undefined)].filter(
    (name) => !isFunction(name),
  );
  const absent = needs.filter((name) => !(name in given));
  const known = [...needs, ...functions, ...may, ...mayDo];
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const placed = unknown.map((name) => `${name}${within(elsewhere(name))}`);
  const faults = [
    ...undone.map((name) => `needs the function ${name}`),
    ...absent.map((name) => `needs ${name}`),
    ...(unknown.length === 0 ? [] : [`cannot have ${placed.join(", ")}`]),
  ];
  if (faults.length === 0) return undefined;
  return `${what} ${faults.join(" and ")}. What it can have: ${known.join(", ")}`;
}

const within = (place: string | undefined): string => (place === undefined ? "" : `, which belongs into ${place}`);

const ON = "create message claim result refusal turnEnd stop peerEvent peerEffects delete".split(" ");
const DESCRIBE =
  "turnText heartbeat preserved continuation mandate awaits vital restsOn mode waiting cards closedCard controls".split(
    " ",
  );
const placeInSlice = (name: string): string | undefined =>
  DESCRIBE.includes(name) ? "describe" : ON.includes(name) ? "on" : undefined;

type Sliced = { name: string; on?: object | undefined; describe?: object | undefined };

function sliceProblem(slice: Sliced): string | undefined {
  const what = `the session machine "${slice.name}"`;
  const whole: Shape = {
    functions: ["decide", "evolve", "effects"],
    needs: ["name", "state", "command", "settings", "initial"],
    may: ["on", "describe"],
    mayDo: ["guard"],
    elsewhere: placeInSlice,
  };
  const part = (name: "on" | "describe", mayDo: readonly string[]): string | undefined =>
    shapeProblem(`${name} of ${what}`, slice[name] ?? {}, { functions: [], mayDo });
  return shapeProblem(what, slice, whole) ?? part("on", ON) ?? part("describe", DESCRIBE);
}

function methodProblem(method: { name: string; scope: unknown }): string | undefined {
  const what = `the method "${method.name}"`;
  const shape = { functions: ["answer"], needs: ["name", "scope", "params", "result"], may: ["about"] };
  const scope = Scope.safeParse(method.scope).success
    ? undefined
    : `${what} has no scope "${String(method.scope)}". The scopes are ${Scope.options.join(", ")}`;
  return shapeProblem(what, method, shape) ?? scope;
}

const fieldProblem = (field: { field: string }): string | undefined =>
  shapeProblem(`the field "${field.field}" of sessions.patch`, field, {
    functions: ["toCommand"],
    needs: ["field", "schema", "requiredScopes", "slice"],
    may: ["missingCodes"],
    mayDo: ["withDocuments"],
  });

const workerProblem = (worker: { slice: string }): string | undefined =>
  shapeProblem(`the worker of "${worker.slice}"`, worker, {
    functions: ["perform"],
    needs: ["slice", "orders"],
    may: ["isUnhurried"],
  });

const policyProblem = (policy: { id: string }): string | undefined =>
  shapeProblem(`the policy "${policy.id}"`, policy, {
    functions: ["evaluate"],
    needs: ["id"],
    may: ["description", "afterClaim"],
  });

const routeProblem = (route: { below: string }): string | undefined =>
  shapeProblem(`the address "${route.below}"`, route, { functions: ["answer"], needs: ["below"] });

/** Undefined: it may be registered. */
export const shapeProblems = {
  slice: sliceProblem,
  method: methodProblem,
  field: fieldProblem,
  worker: workerProblem,
  policy: policyProblem,
  route: routeProblem,
} as const;
