/** The few settings that people change, and how what is typed becomes a value. Everything else is in the file. */
import type { Json } from "../../../src/protocol/json.ts";
import type { PlainKey } from "../../i18n/text-types.ts";
import { isRecord } from "../../run/record-fields.ts";

export type Setting = {
  path: string;
  label: PlainKey;
  hint?: PlainKey;
  kind:
    | { type: "models" | "number" | "yes-no" | "text" }
    /** Always a list, also of one. */
    | { type: "words" | "numbers" }
    | { type: "one-of"; options: readonly Option[] };
};
type Option = { value: string; label: PlainKey };

const PERMISSIONS: readonly Option[] = [
  { value: "default", label: "settings.permission_default" },
  { value: "ask", label: "settings.permission_ask" },
  { value: "accept", label: "settings.permission_accept" },
  { value: "bypass", label: "settings.permission_bypass" },
];

const UNLOCKS: readonly Option[] = [
  { value: "open", label: "settings.unlock_open" },
  { value: "scoped", label: "settings.unlock_scoped" },
];

const planMode = (name: string, label: PlainKey, kind: Setting["kind"] = { type: "yes-no" }): Setting => ({
  path: `agents.defaults.planMode.${name}`,
  label,
  kind,
});

export const SETTINGS: readonly Setting[] = [
  { path: "agents.defaults.model", label: "settings.model", hint: "settings.modelHint", kind: { type: "models" } },
  planMode("enabled", "settings.planEnabled"),
  planMode("defaultActive", "settings.planDefault"),
  { ...planMode("requireApproval", "settings.planApproval"), hint: "settings.planApprovalHint" },
  planMode("autoEnterOnDestructive", "settings.planDestructive"),
  planMode("requireResolvedThreads", "settings.planThreads"),
  planMode("approvalTimeoutSeconds", "settings.planTimeout", { type: "number" }),
  planMode("unlock", "settings.planUnlock", { type: "one-of", options: UNLOCKS }),
  { ...planMode("autoEnableFor", "settings.planAutoEnable", { type: "words" }), hint: "settings.listHint" },
  { ...planMode("nudges.exploringMinutes", "settings.nudgePlanning", { type: "numbers" }), hint: "settings.listHint" },
  { ...planMode("nudges.executingMinutes", "settings.nudgeWorking", { type: "numbers" }), hint: "settings.listHint" },
  {
    ...planMode("reminders.remindAfterMinutes", "settings.remindAfter", { type: "numbers" }),
    hint: "settings.listHint",
  },
  { path: "agents.defaults.autoContinue.enabled", label: "settings.goOn", kind: { type: "yes-no" } },
  { path: "agents.defaults.heartbeat.every", label: "settings.heartbeat", kind: { type: "text" } },
  { path: "changes.drift.pause", label: "settings.driftPause", kind: { type: "number" } },
  { path: "approvals.quorum", label: "settings.quorum", kind: { type: "number" } },
  {
    path: "agents.defaults.permissionMode",
    label: "settings.permission",
    kind: { type: "one-of", options: PERMISSIONS },
  },
];

/** As it stands in its field; empty where nothing is set. */
export function shownOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(String).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Undefined: back to the default. The gateway checks the value. */
export function valueOf({ kind }: Pick<Setting, "kind">, shown: string): Json | undefined {
  const text = shown.trim();
  if (text === "") return undefined;
  switch (kind.type) {
    case "number":
      return numberIn(text);
    case "text":
      return text;
    case "words":
      return listIn(text);
    case "numbers":
      return listIn(text).map(numberIn);
    case "yes-no":
      return text === "true";
    case "one-of":
      return text;
    case "models": {
      const models = text.split(",").map((name) => name.trim());
      return models.length === 1 ? text : models;
    }
  }
}

const listIn = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** What is no number stays as it was typed: the gateway says what is wrong with it. */
const numberIn = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

export function settingAt(config: Json, path: string): Json | undefined {
  let value: Json | undefined = config;
  for (const name of path.split(".")) value = isRecord(value) ? value[name] : undefined;
  return value;
}

/** Every single value besides those, in order, as `path` and text. */
export function restOf(config: Json): [string, string][] {
  const known = new Set(SETTINGS.map(({ path }) => path));
  return flat(config, "").filter(([path]) => !known.has(path));
}

function flat(value: Json, path: string): [string, string][] {
  if (!isRecord(value) || Object.keys(value).length === 0)
    return [[path, typeof value === "string" ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, item]) => flat(item, path === "" ? name : `${path}.${name}`));
}
