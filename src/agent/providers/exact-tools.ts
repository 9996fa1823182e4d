/**
 * The last look at a request before it leaves: it names exactly the tools that it should, whatever an adapter made of
 * them. What cannot be read does not leave either.
 */
import { z } from "zod";
import { localized } from "../../protocol/localized/localized-text.ts";
import { ModelFailure } from "../model.ts";
import { wireName } from "./wire-names.ts";

/** As the vendors write a tool: by itself, as a `function`, or in a list of declarations. */
const Named = z.object({ name: z.string() });
const Declared = z.strictObject({ functionDeclarations: z.array(Named) });
const Nested = z.object({ type: z.literal("function"), function: Named });
/** A tool that the vendor runs itself has a type of its own. */
const Own = z.object({ name: z.string(), type: z.enum(["function", "custom"]).optional() });
const Tools = z.array(z.union([Declared, Nested, Own]));
const Body = z.object({ tools: Tools.optional() });

export function exactTools(send: typeof fetch, names: readonly string[], model: string): typeof fetch {
  const wanted = JSON.stringify(names.map(wireName).toSorted());
  return async (input, init) => {
    if (JSON.stringify(toolNamesIn(init?.body)?.toSorted()) !== wanted)
      throw new ModelFailure(localized("modelOtherTools", { model, tools: names.join(", ") }), { retry: false });
    return send(input, init);
  };
}

/** Undefined where the body cannot be read, or holds a tool that is none of ours. */
export function toolNamesIn(body: unknown): string[] | undefined {
  if (typeof body !== "string") return undefined;
  try {
    const parsed = Body.safeParse(JSON.parse(body));
    if (!parsed.success) return undefined;
    return (parsed.data.tools ?? []).flatMap((tool) => {
      if ("functionDeclarations" in tool) return tool.functionDeclarations.map(({ name }) => name);
      return "function" in tool ? [tool.function.name] : [tool.name];
    });
  } catch {
    return undefined;
  }
}
