/** What a plan changed, for whoever asks: the record of its cycle, with what no step names marked. */
import type { CycleId, SessionId } from "../../protocol/ids.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { PluginSession } from "../../plugins/sdk.ts";
import { type DeclaredPaths, declaredPaths } from "../machine/declared-paths.ts";
import type { PlannedStep } from "../machine/executing-plan.ts";
import type { ChangedFile, PlanChanges } from "../protocol/changes.ts";
import { refuse } from "../protocol/refuse.ts";
import { CHANGES_SLICE, ChangesState } from "../protocol/state.ts";
import { ChangesSettings, resolveChanges } from "../settings.ts";
import type { ChangesHome } from "../record/recorder.ts";
import { cycleFolder } from "../record/recorder.ts";
import type { CyclePlace } from "../snapshots/cycle-record.ts";
import { callsWithoutSecrets, type Redact } from "./without-secrets.ts";
import type { RecordedChanges } from "../snapshots/snapshot-ops.ts";

export type CycleAt = { session: PluginSession; cycleId: CycleId; place: CyclePlace; state: ChangesState };

type Asked = { sessionId: SessionId; cycleId?: CycleId | undefined };
export type PlanChangesParts = {
  home: ChangesHome;
  session(id: SessionId): Promise<PluginSession | undefined>;
  settings(sessionId: SessionId): Promise<unknown>;
  exists(folder: string): boolean;
  /** The steps of the cycle's plan that was submitted last. */
  stepsOf(sessionId: SessionId, cycleId: CycleId): Promise<readonly PlannedStep[]>;
  redact: Redact;
};

/** Refused where there is no such session, or nothing was recorded. */
export async function findCycle(asked: Asked, parts: PlanChangesParts): Promise<CycleAt | Refused> {
  const session = await parts.session(asked.sessionId);
  if (session === undefined) return refuse("SESSION_NOT_FOUND", "There is no such session.");
  const state = ChangesState.parse(session.slices[CHANGES_SLICE] ?? {});
  const cycleId = asked.cycleId ?? state.cycle?.cycleId;
  const settings = ChangesSettings.safeParse(await parts.settings(session.id)).data ?? resolveChanges({ root: {} });
  const folder = cycleId === undefined ? undefined : cycleFolder(parts.home, session.id, cycleId);
  if (cycleId === undefined || folder === undefined || !parts.exists(folder))
    return refuse("CHANGES_NOT_FOUND", nothingRecorded(state, cycleId));
  const place = { folder, limits: settings.limits, hidden: parts.home.hidden };
  return { session, cycleId, place, state };
}

const nothingRecorded = ({ cycle }: ChangesState, cycleId: CycleId | undefined): string =>
  cycle !== undefined && cycle.cycleId === cycleId
    ? "Its changes were recorded by another gateway, or the record is gone."
    : cycle === undefined
      ? "No plan has changed anything in this session yet."
      : "This plan changed nothing here, or the record of its changes is gone.";

export async function describeChanges(
  { session, cycleId, state }: CycleAt,
  recorded: RecordedChanges,
  parts: PlanChangesParts,
): Promise<PlanChanges> {
  const cycle = state.cycle?.cycleId === cycleId ? state.cycle : undefined;
  const declared = declaredPaths(await parts.stepsOf(session.id, cycleId), cycle?.amended);
  const mark = (files: readonly ChangedFile[]): ChangedFile[] => files.map((file) => marked(file, declared));
  const { steps, paths, ...rest } = recorded;
  return {
    sessionId: session.id,
    cycleId,
    ...rest,
    steps: steps.map((step) => ({
      ...step,
      calls: callsWithoutSecrets(step.calls, parts.redact),
      files: mark(step.files),
    })),
    undeclared: paths.filter((path) => !declared.names(path)).length,
    level: cycle?.level ?? "none",
    declares: declared.declares,
    failures: cycle?.failures ?? [],
  };
}

const marked = (file: ChangedFile, declared: DeclaredPaths): ChangedFile =>
  declared.names(file.path) ? file : { ...file, undeclared: true };
