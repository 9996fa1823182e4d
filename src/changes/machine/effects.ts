/** What facts about changes ask for: lines for people, text for the agent, audit facts, and the work of a rollback. */
import { JsonObject } from "../../protocol/json.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import { digestOf, type Effect, never, oneLine } from "../../plugins/sdk.ts";
import type { ChangesFact } from "../protocol/facts.ts";
import { CHANGED_FILES, type ChangesEvent, type ChangesState } from "../protocol/state.ts";
import { PLAN_MODE_SLICE } from "./executing-plan.ts";
import { localized } from "../texts/localized.ts";

export const RESTORE_ORDER = "restore-files";
export const LIST_ORDER = "list-files";
const PATHS_IN_TEXT_MAX = 10;
const PATH_CHARS_MAX = 200;
const ROLLBACK_KIND = "changes_rollback";
const DRIFT_KIND = "changes_drift";
const PRIORITY = 7;

export function changesEffects(_state: ChangesState, event: ChangesEvent): Effect[] {
  switch (event.type) {
    case "changes.recorded":
      return event.failure === undefined
        ? []
        : [notify(localized("snapshotFailed", { why: oneLine(event.failure) })), audit("changes.unrecorded", event)];
    case "changes.drifted":
      return [notify(driftText(event)), ...driftInjection(event), audit("changes.drifted", event)];
    case "changes.resumed":
      return [notify(localized("driftResumed", { name: event.by.name })), audit("changes.resumed", event)];
    case "changes.rollback_ordered":
      return [
        {
          kind: "perform",
          order: { do: RESTORE_ORDER, rollbackId: event.rollbackId, cycleId: event.cycleId },
          key: event.rollbackId,
        },
        audit("changes.rollback_ordered", event),
      ];
    case "changes.rolled_back":
      return [notify(rollbackText(event)), rollbackInjection(event), audit("changes.rolled_back", event)];
    case "changes.listed":
      return [keepListed(event)];
    default:
      return never(event);
  }
}

/** When a plan ends that changed something, its files are listed for whoever looks for it later. */
export function afterPlan(
  { cycle }: ChangesState,
  { slice, event }: { slice: string; event: { type: string; [key: string]: unknown } },
): Effect[] {
  if (slice !== PLAN_MODE_SLICE || !ENDED.has(event.type) || cycle === undefined) return [];
  const { cycleId } = cycle;
  return event["cycleId"] === cycleId
    ? [{ kind: "perform", order: { do: LIST_ORDER, cycleId }, key: `listed:${cycleId}` }]
    : [];
}

const ENDED: ReadonlySet<string> = new Set(["plan.completed", "plan.left"]);

function keepListed({ cycleId, paths }: EventOf<"changes.listed">): Effect {
  const body = { cycleId, paths };
  return { kind: "write-artifact", artifact: { kind: CHANGED_FILES, id: cycleId, digest: digestOf(body), body } };
}

type EventOf<Type extends ChangesEvent["type"]> = Extract<ChangesEvent, { type: Type }>;

const notify = (text: LocalizedText): Effect => ({ kind: "notify", ...text });

function audit(type: ChangesFact, { type: _type, atMs: _atMs, ...detail }: ChangesEvent): Effect {
  return { kind: "audit", fact: { type, detail: JsonObject.parse(detail) } };
}

const named = (paths: readonly string[]): string =>
  paths
    .slice(0, PATHS_IN_TEXT_MAX)
    .map((path) => oneLine(path).slice(0, PATH_CHARS_MAX))
    .join(", ");

function driftText({ level, undeclared, paths }: EventOf<"changes.drifted">): LocalizedText {
  const key = level === "stopped" ? "driftStopped" : level === "paused" ? "driftPaused" : "driftWarned";
  return localized(key, { count: undeclared, paths: named(paths) });
}

function driftInjection({ cycleId, level, undeclared, paths }: EventOf<"changes.drifted">): Effect[] {
  if (level === "none") return [];
  const text = `The approved plan names no file for ${undeclared} of the files that were changed (${named(paths)}). ${DRIFT_HINTS[level]}`;
  return [
    {
      kind: "inject",
      injection: { id: `${DRIFT_KIND}:${cycleId}:${level}`, kind: DRIFT_KIND, text, priority: PRIORITY, cycleId },
    },
  ];
}

const DRIFT_HINTS = {
  warned: "Stay with the files that the plan names, or say in your answer why others were needed.",
  paused:
    "Nothing more is changed until a person lets the plan go on. End your turn and say why these files were needed.",
  stopped: "Nothing more is changed under this plan. End your turn and say why these files were needed.",
} as const;

function rollbackText({ step, by, restored, left }: EventOf<"changes.rolled_back">): LocalizedText {
  const about = { name: by.name, restored, left };
  return step === null ? localized("rolledBackAll", about) : localized("rolledBackStep", { ...about, step });
}

function rollbackInjection({
  rollbackId,
  cycleId,
  step,
  restored,
  left,
  paths,
}: EventOf<"changes.rolled_back">): Effect {
  const what = step === null ? "all changes of the plan" : `the changes of step ${step}`;
  const rest = left === 0 ? "" : ` ${left} files were left as they are.`;
  const text = `A person rolled back ${what}: ${restored} files hold again what they held before (${named(paths)}).${rest} Read files again before you rely on them, and do not repeat those changes unless a person asks for it.`;
  return {
    kind: "inject",
    injection: { id: `${ROLLBACK_KIND}:${rollbackId}`, kind: ROLLBACK_KIND, text, priority: PRIORITY, cycleId },
  };
}
