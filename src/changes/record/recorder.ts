/**
 * Watches the calls of an executing plan: a snapshot before each that can change something, another one after it, and what
 * differs is the call's, under the step that is in progress; a sub-agent's call counts for the plan above it. A snapshot
 * that fails is recorded and said.
 */
import { join } from "node:path";
import { JsonObject } from "../../protocol/json.ts";
import type { CallOutcome, CallWitness, PluginApi, WitnessedCall, Witnessing } from "../../plugins/sdk.ts";
import { declaredPaths } from "../machine/declared-paths.ts";
import { stepInProgress } from "../machine/executing-plan.ts";
import { AMENDED_PATHS_MAX, CHANGES_SLICE, NAMED_PATHS_MAX } from "../protocol/state.ts";
import { ChangesSettings } from "../settings.ts";
import type { CyclePlace } from "../snapshots/cycle-record.ts";
import type { Snapshots } from "../snapshots/snapshot-thread.ts";
import { type OwnedPlan, planAbove } from "./plan-above.ts";
import { targetFiles } from "./target-files.ts";

const COMMAND_CHARS_MAX = 2_000;
const WHY_CHARS_MAX = 400;
const PATH_CHARS_MAX = 4_096;

/** Where snapshots lie, and what they never look into. */
export type ChangesHome = { folder: string; hidden: readonly string[] };

export type RecorderParts = {
  api: Pick<PluginApi, "sessions" | "log" | "now">;
  snapshots: Snapshots;
  home: ChangesHome;
};

export const cycleFolder = ({ folder }: ChangesHome, sessionId: string, cycleId: string): string =>
  join(folder, sessionId, cycleId);

export const createRecorder = (parts: RecorderParts): CallWitness => ({
  async begins(call) {
    const found = planAbove(call);
    const settings = ChangesSettings.safeParse(call.settings[CHANGES_SLICE]);
    if (found === undefined || !settings.success || !settings.data.enabled) return undefined;
    return watch({ call, ...found, settings: settings.data }, parts);
  },
});

type Watched = OwnedPlan & { call: WitnessedCall; settings: ChangesSettings };

async function watch(watched: Watched, parts: RecorderParts): Promise<Witnessing | { refusal: string }> {
  const { call, owner, plan, settings } = watched;
  const { session, tool, args, callId, workspace } = call;
  const { home, snapshots, api } = parts;
  const place: CyclePlace = {
    folder: cycleFolder(home, owner, plan.cycleId),
    workspace,
    limits: settings.limits,
    hidden: home.hidden,
  };
  const step = stepInProgress(plan);
  const targets = targetFiles(tool, args, workspace);
  const isOutside = session.kind === "external"; // its agent runs the call itself, after it was let pass
  const begun = {
    callId,
    tool,
    ...commandOf(args),
    ...(step === undefined ? {} : { step }),
    atMs: api.now(),
    ...(isOutside ? { isOpen: true } : targets === undefined ? {} : { targets }),
  };
  let failure: string | undefined;
  const n = await snapshots.ask("begin", { place, call: begun }).then(
    (answer) => answer.n,
    (error: unknown) => {
      failure = whyOf(error);
      return undefined;
    },
  );
  if (n !== undefined && isOutside) return { ended: () => passed({ ...watched, place }, parts) };
  if (n !== undefined) return { ended: (outcome) => ended({ ...watched, place, n }, outcome, parts) };
  if (settings.onFailure === "refuse") {
    await record(watched, { failure, files: 0, paths: [] }, parts);
    return { refusal: `${tool} was not run: no snapshot could be taken before it (${failure}). Tell a person.` };
  }
  return { ended: () => record(watched, { failure, files: 0, paths: [] }, parts) };
}

/** Of a call that an agent outside makes: what the ones before it changed is known by now. */
async function passed(watched: Watched & { place: CyclePlace }, parts: RecorderParts): Promise<void> {
  const { place } = watched;
  const seen = await parts.snapshots.ask("standing", { place }).catch((error: unknown) => ({ failure: whyOf(error) }));
  if ("failure" in seen) return record(watched, { failure: seen.failure, files: 0, paths: [] }, parts);
  await record(watched, { failure: undefined, files: 0, paths: seen }, parts);
}

async function ended(
  watched: Watched & { place: CyclePlace; n: number },
  outcome: CallOutcome,
  parts: RecorderParts,
): Promise<void> {
  const { place, n } = watched;
  const call = { n, atMs: parts.api.now(), status: outcome.status, ...exitCodeOf(outcome) };
  const seen = await parts.snapshots.ask("end", { place, call }).catch((error: unknown) => ({ failure: whyOf(error) }));
  if ("failure" in seen) return record(watched, { failure: seen.failure, files: 0, paths: [] }, parts);
  await record(watched, { failure: undefined, files: seen.files, paths: seen.paths }, parts);
}

type Seen = { failure: string | undefined; files: number; paths: readonly string[] };

async function record({ call, owner, plan }: Watched, seen: Seen, { api }: RecorderParts): Promise<void> {
  const { failure, files, paths } = seen;
  const declared = declaredPaths(plan.approved, plan.amended);
  const undeclared = paths.filter((path) => !declared.names(path));
  const command = {
    type: "record",
    cycleId: plan.cycleId,
    callId: call.callId,
    step: stepInProgress(plan)?.index ?? null,
    files,
    undeclared: undeclared.length,
    paths: undeclared.slice(0, NAMED_PATHS_MAX).map((path) => path.slice(0, PATH_CHARS_MAX)),
    declares: declared.declares,
    ...(plan.amended.length === 0 ? {} : { amended: plan.amended.slice(0, AMENDED_PATHS_MAX) }),
    ...(failure === undefined ? {} : { failure }),
  };
  const outcome = await api.sessions.dispatch(owner, command).catch((error: unknown) => ({
    ok: false as const,
    refusal: { message: whyOf(error) },
  }));
  if (!outcome.ok)
    api.log("warn", "changes of a call are not recorded in its session", { why: outcome.refusal.message });
}

const whyOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, WHY_CHARS_MAX);

const commandOf = ({ command }: JsonObject): { command?: string } =>
  typeof command === "string" ? { command: command.slice(0, COMMAND_CHARS_MAX) } : {};

function exitCodeOf({ content }: CallOutcome): { exitCode?: number | null } {
  const { data } = JsonObject.safeParse(content);
  const code = data?.["exitCode"];
  return typeof code === "number" && Number.isInteger(code) ? { exitCode: code } : {};
}
