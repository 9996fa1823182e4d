/** Code mode in the configuration file: `tools.codeMode`, and the same of one agent where it differs. */
import { z } from "zod";
import { SETTING_RANGES, withinRange } from "./setting-ranges.ts";
import { NO_SECTIONS, type ConfigSections } from "../../protocol/plugin/plugin-protocol.ts";

type Numbered = keyof typeof SETTING_RANGES;
const number = (name: Numbered, what: string) =>
  z
    .number()
    .overwrite((given) => withinRange(given, SETTING_RANGES[name]))
    .optional()
    .describe(what);

type Searching = { searchDefaultLimit?: number | undefined; maxSearchLimit?: number | undefined };

function searchWithin<Fields extends Searching>(fields: Fields): Fields {
  const { searchDefaultLimit: usual, maxSearchLimit: most } = fields;
  return usual === undefined || most === undefined ? fields : { ...fields, searchDefaultLimit: Math.min(usual, most) };
}

/** Numbers outside of their range are brought into it, so that who asks for a setting sees the one that holds; what is no number is refused. */
export const CodeModeFields = z
  .strictObject({
    enabled: z.boolean().optional().describe("Nothing but true switches code mode on."),
    mode: z
      .enum(["only", "auto"])
      .optional()
      .describe("only: every run that has tools. auto: a run whose tool definitions cost more than exec and wait."),
    runtime: z.literal("quickjs-wasi").optional(),
    languages: z
      .array(z.enum(["javascript", "typescript"]))
      .min(1, "at least one language")
      .max(2)
      .optional(),
    timeoutMs: number("timeoutMs", "Wall clock of one exec or wait; 100 to 60000, 10000 if unset."),
    memoryLimitBytes: number("memoryLimitBytes", "Heap of a cell; 1 MiB to 1 GiB, 64 MiB if unset."),
    maxOutputBytes: number(
      "maxOutputBytes",
      "Text, JSON and value that a cell returns; 1 KiB to 10 MiB, 64 KiB if unset.",
    ),
    maxSnapshotBytes: number(
      "maxSnapshotBytes",
      "A suspended cell as it is stored; 1 KiB to 256 MiB, 10 MiB if unset.",
    ),
    maxPendingToolCalls: number("maxPendingToolCalls", "Calls of a cell at a time; 1 to 128, 16 if unset."),
    snapshotTtlSeconds: number("snapshotTtlSeconds", "How long a suspended cell is kept; 1 to 86400, 900 if unset."),
    searchDefaultLimit: number("searchDefaultLimit", "Hits of tools.search if the cell names no limit; 8 if unset."),
    maxSearchLimit: number("maxSearchLimit", "Hits of tools.search at most; 1 to 50, 50 if unset."),
    debug: z
      .strictObject({
        activation: z.boolean().optional().describe("Log for each run what the model is shown, and why."),
        payload: z
          .enum(["tools", "full-redacted"])
          .optional()
          .describe("Log the names of the tools that leave, or their definitions, cut and without secrets."),
      })
      .optional(),
  })
  .overwrite(searchWithin);
export type CodeModeFields = z.infer<typeof CodeModeFields>;

/** `auto` is short for `{enabled: true, mode: "auto"}`. */
export const CodeModeChoice = z.union([z.boolean(), z.literal("auto"), CodeModeFields]);
export type CodeModeChoice = z.infer<typeof CodeModeChoice>;

export const CODE_MODE_CONFIG = {
  ...NO_SECTIONS,
  tools: {
    codeMode: CodeModeChoice.optional().describe(
      "Show the model exec and wait instead of the tools: it calls them from small programs. Off if unset.",
    ),
  },
  agent: {
    tools: z
      .strictObject({ codeMode: CodeModeChoice.optional().describe("Where it differs from tools.codeMode.") })
      .optional(),
  },
} as const satisfies ConfigSections;
