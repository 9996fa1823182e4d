/** Parses a hook's answer, because a plugin's type is only a promise. Unreadable ones count as failures. */
import { z } from "zod";
import { defuseLine } from "../../core/text/defuse.ts";
import { firstChars } from "../../core/text/reveal-hidden.ts";
import type { HookAnswers, HookName } from "../api/hooks.ts";
import { INJECTION_CHARS_MAX } from "../api/workflow.ts";

const REASON_CHARS_MAX = 500;

const reason = z
  .string()
  .min(1)
  .transform((text) => defuseLine(text, REASON_CHARS_MAX));
const text = z
  .string()
  .transform((given) => firstChars(given, INJECTION_CHARS_MAX))
  .optional();

const READERS: Partial<Record<HookName, z.ZodType>> = {
  before_tool_call: z.union([z.strictObject({ block: reason }), z.strictObject({ ask: reason })]),
  agent_turn_prepare: z.strictObject({ prependContext: text, appendContext: text }),
  before_prompt: z.strictObject({ appendText: text }),
};

/** Undefined when the answer contains nothing that this hook may change. */
export function readAnswer<Name extends HookName>(
  name: Name,
  raw: unknown,
): NonNullable<HookAnswers[Name]> | undefined {
  const parsed = READERS[name]?.safeParse(raw);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the reader of this very hook
  return parsed?.success === true ? (parsed.data as NonNullable<HookAnswers[Name]>) : undefined;
}
