/** From a request to its answer: known method → scope → schema → handler. Nothing here knows what the methods do. */
import { hasScope } from "../protocol/actor.ts";
import { METHODS, type ParsedParamsOf, type ResultOf } from "../protocol/methods.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import { describeError } from "./describe-error.ts";
import type { AnsweredMethod, Caller, MethodTable } from "./method-table.ts";

export type Answer = ResultOf<AnsweredMethod> | Refused;
export type Router = (method: string, params: unknown, caller: Caller) => Answer | Promise<Answer>;

type Route = (params: unknown, caller: Caller) => Answer | Promise<Answer>;

export function createRouter(methods: MethodTable): Router {
  const routes = new Map<string, Route>(answeredMethods().map((name) => [name, routeOf(name, methods)]));
  return (method, params, caller) => {
    const route = routes.get(method);
    if (route === undefined) return refuse("UNKNOWN_METHOD", `There is no method "${method}".`);
    return route(params, caller);
  };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the method's schema to the method's handler
function routeOf<Name extends AnsweredMethod>(name: Name, methods: MethodTable): Route {
  const method = METHODS[name];
  const { scope } = method;
  const answer = methods[name];
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
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is the parser: the schema of this very method made it
    return answer(parsed.data as ParsedParamsOf<Name>, caller);
  };
}

const isAnswered = (name: string): name is AnsweredMethod => name !== "connect" && Object.hasOwn(METHODS, name);
const answeredMethods = (): AnsweredMethod[] => Object.keys(METHODS).filter(isAnswered);
