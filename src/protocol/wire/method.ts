/** One row of the table of methods. */
import type { z } from "zod";
import type { Scope } from "../actor.ts";

type Shapes<Params, Result> = { params: Params; result: Result };

/** The shapes are made at the first request: most gateways are asked for few of the methods, and an idle one for none. */
export function method<Params extends z.ZodType, Result extends z.ZodType>(
  scope: Scope | "public",
  summary: string,
  shapes: () => Shapes<Params, Result>,
) {
  let made: Shapes<Params, Result> | undefined;
  const once = (): Shapes<Params, Result> => (made ??= shapes());
  return {
    scope,
    summary,
    get params() {
      return once().params;
    },
    get result() {
      return once().result;
    },
  };
}
