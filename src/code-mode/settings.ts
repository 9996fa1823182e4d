/** Code-mode settings of one session: the file's, then its agent's, field by field, each number within its range. */
import type { SettingsLevels } from "../protocol/plugin/plugin-protocol.ts";
import { type SettingsSource, z } from "../plugins/sdk.ts";
import { CODE_MODE_CONFIG, type CodeModeChoice, CodeModeFields } from "./protocol/code-mode-config.ts";
import { SETTING_RANGES, withinRange } from "./protocol/setting-ranges.ts";
import { type CellLimits, clampCellLimits } from "./sandbox/cell-limits.ts";

export const CODE_MODE_SLICE = "codeMode";

export type CodeModeSettings = {
  enabled: boolean;
  mode: "only" | "auto";
  languages: readonly ("javascript" | "typescript")[];
  limits: CellLimits;
  snapshotTtlSeconds: number;
  searchDefaultLimit: number;
  maxSearchLimit: number;
  debug: { activation?: boolean | undefined; payload?: "tools" | "full-redacted" | undefined };
};

export const CodeModeSettings: z.ZodType<CodeModeSettings> = z.object({
  enabled: z.boolean(),
  mode: z.enum(["only", "auto"]),
  languages: CodeModeFields.shape.languages.unwrap(),
  limits: z.object({
    timeoutMs: z.number(),
    memoryLimitBytes: z.number(),
    maxOutputBytes: z.number(),
    maxSnapshotBytes: z.number(),
    maxPendingToolCalls: z.number(),
  }),
  snapshotTtlSeconds: z.number(),
  searchDefaultLimit: z.number(),
  maxSearchLimit: z.number(),
  debug: CodeModeFields.shape.debug.unwrap(),
});

export function resolveCodeMode({
  tools,
  agent,
}: Pick<SettingsLevels<typeof CODE_MODE_CONFIG>, "tools" | "agent">): CodeModeSettings {
  const merged: CodeModeFields = { ...fieldsOf(tools.codeMode), ...fieldsOf(agent?.tools?.codeMode) };
  const maxSearchLimit = withinRange(merged.maxSearchLimit, SETTING_RANGES.maxSearchLimit);
  return {
    enabled: merged.enabled === true,
    mode: merged.mode ?? "only",
    languages: merged.languages ?? ["javascript", "typescript"],
    limits: clampCellLimits(merged),
    snapshotTtlSeconds: withinRange(merged.snapshotTtlSeconds, SETTING_RANGES.snapshotTtlSeconds),
    searchDefaultLimit: withinRange(merged.searchDefaultLimit, {
      ...SETTING_RANGES.searchDefaultLimit,
      max: maxSearchLimit,
    }),
    maxSearchLimit,
    debug: merged.debug ?? {},
  };
}

type Environment = Readonly<Record<string, string | undefined>>;
const Payload = CodeModeFields.shape.debug.unwrap().shape.payload;

/** What the environment of the gateway asks to be logged counts more than the file: HOLDPOINT_DEBUG_CODE_MODE=1 and HOLDPOINT_DEBUG_MODEL_PAYLOAD=tools. */
export function debuggedBy(settings: CodeModeSettings, env: Environment): CodeModeSettings {
  const { HOLDPOINT_DEBUG_CODE_MODE: activation = "", HOLDPOINT_DEBUG_MODEL_PAYLOAD: payload = "" } = env;
  if (activation === "" && payload === "") return settings;
  const debug = { ...settings.debug };
  if (activation !== "") debug.activation = activation !== "0" && activation !== "false";
  if (payload !== "") debug.payload = Payload.safeParse(payload).data; // another word logs nothing
  return { ...settings, debug };
}

/** Only what was set: an `undefined` must not cover the level above. */
function fieldsOf(choice: CodeModeChoice | undefined): CodeModeFields {
  if (choice === undefined) return {};
  if (choice === "auto") return { enabled: true, mode: "auto" };
  if (typeof choice === "boolean") return { enabled: choice };
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

export const codeModeSettings: SettingsSource<typeof CODE_MODE_CONFIG> = {
  key: CODE_MODE_SLICE,
  sections: CODE_MODE_CONFIG,
  resolve: resolveCodeMode,
};
