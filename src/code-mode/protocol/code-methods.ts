/** The method by which a person runs a program with the tools of a session. */
import { z } from "zod";
import { SessionId } from "../../protocol/ids.ts";
import { JsonObject } from "../../protocol/json.ts";
import { method } from "../../protocol/wire/method.ts";

const CODE_CHARS_MAX = 262_144;
/** Clients wait a minute for an answer. */
export const LENT_MS_MAX = 45_000;

export const CODE_METHODS = {
  "code.run": method(
    "operator.write",
    "Runs a program with the tools of a session. Each of its calls is judged, asked about and recorded like the agent's own; what waits for a person is not resumed.",
    () => ({
      params: z.strictObject({
        sessionId: SessionId,
        code: z.string().max(CODE_CHARS_MAX),
        language: z.string().max(64).describe("javascript or typescript"),
        timeoutMs: z.int().positive().optional().describe(`Its time limit; at most ${LENT_MS_MAX}.`),
        memoryLimitBytes: z.int().positive().optional(),
      }),
      result: z.strictObject({ result: JsonObject }),
    }),
  ),
} as const;

export type LentProgram = z.output<(typeof CODE_METHODS)["code.run"]["params"]>;
