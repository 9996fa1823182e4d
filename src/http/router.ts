/** From a request to its answer: known method → scope → schema → handler. Nothing here knows what the methods do. */
import type { z } from "zod";
import { hasScope, type Scope } from "../protocol/actor.ts";
import { METHODS, type ParsedParamsOf, type ResultOf } from "../protocol/methods.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import { describeError } from "./describe-error.ts";
import type { AnsweredMethod, Caller, LookUpMethod, MethodTable } from "./method-table.ts";

export type Answer = ResultOf<AnsweredMethod> | object | Refused;
export type Router = (method: string, params: unknown, caller: Caller) => Answer | Promise<Answer>;

type Route = (params: unknown, caller: Caller) => Answer | Promise<Answer>;

const nobody: LookUpMethod = () => undefined;

export function createRouter(methods: MethodTable, lookUp: LookUpMethod = nobody): Router {
  const routes = new Map<string, Route>(answeredMethods().map((name) => [name, routeOf(name, methods)]));
  return (method, params, caller) => {
    const route = routes.get(method);
    if (route !== undefined) return route(params, caller);
    const late = lookUp(method);
    if (late === undefined) return refuse("UNKNOWN_METHOD", `There is no method "${method}".`);
    return checked(method, late, (parsed, by) => late.answer(parsed, by))(params, caller);
  };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the method's schema to the method's handler
function routeOf<Name extends AnsweredMethod>(name: Name, methods: MethodTable): Route {
  const answer = methods[name];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is the parser: the schema of this very method made it
  return checked(name, METHODS[name], (params, caller) => answer(params as ParsedParamsOf<Name>, caller));
}

type Row = { scope: Scope | "public"; params: z.ZodType };

function checked(name: string, method: Row, answer: Route): Route {
  const { scope } = method;
  return (given, caller) => {
    if (scope !== "public" && !hasScope(caller.actor.scopes, scope)) {
      return refuse("FORBIDDEN", `${name} needs the scope ${scope}; this token lacks it.`, { scope });
    }
    const params = given ?? {};
    const parsed = method.params.safeParse(params);
    if (!parsed.success) {
      const { path, message } = describeError(parsed.error, params, "params");
      return refuse("INVALID_REQUEST", `${name}: ${message}`, { path });
    }
    return answer(parsed.data, caller);
  };
}

const isAnswered = (name: string): name is AnsweredMethod => name !== "connect" && Object.hasOwn(METHODS, name);
const answeredMethods = (): AnsweredMethod[] => Object.keys(METHODS).filter(isAnswered);
