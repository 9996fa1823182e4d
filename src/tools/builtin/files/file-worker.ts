/**
 * The process that touches files for an agent, started in a sandbox that holds the workspace and no more. Whether it may
 * write is decided by what it can see; a call that changes files must carry its permit all the same, and an older epoch
 * than one that was seen before is refused: its turn was taken over. So is one whose lease has ended: it may have been.
 */
import { statSync } from "node:fs";
import type { Confinement } from "../../../protocol/calls/confinement.ts";
import { serve } from "../../../runner/serve.ts";
import { CHANGES_FILES, FILE_OPERATIONS, type FileArgs, type FileToolName } from "./file-operations.ts";
import { identityOf } from "../workspace-pins.ts";
import { sharedCounterMs } from "./shared-counter.ts";
import type { FilePlace } from "./file-place.ts";

export type FileQuestion<Name extends FileToolName = FileToolName> = {
  tool: Name;
  args: FileArgs[Name];
  workspace: string;
  protectedFolders: readonly string[];
  /** What the call may change at most. */
  confine?: readonly Confinement[] | undefined;
  /** Which folder the workspace is; what stands there in this process's view must be the same. */
  identity?: string | undefined;
  permit?: ShownPermit | undefined;
};

export type ShownPermit = {
  sessionId: string;
  epoch: number;
  caller: string;
  /** Until when its lease holds for certain, by the counter that all processes of a machine share; absent: for good. */
  untilMs?: number | undefined;
};

const clock: FilePlace["clock"] = {
  now: Date.now,
  wakeAt(atMs, wake) {
    const timer = setTimeout(wake, atMs - Date.now());
    return () => clearTimeout(timer);
  },
};

const newestEpoch = new Map<string, number>();
const SESSIONS_MAX = 10_000;

/** Why a call that changes files may not run. */
function refusalOf({ tool, permit }: FileQuestion): string | undefined {
  if (!CHANGES_FILES[tool]) return undefined;
  if (permit === undefined) return `${tool} came without a permit`;
  const owner = `${permit.sessionId} ${permit.caller}`;
  const newest = newestEpoch.get(owner) ?? permit.epoch;
  if (permit.epoch < newest) return `${tool} came with epoch ${permit.epoch} after epoch ${newest}`;
  if (permit.untilMs !== undefined && sharedCounterMs() >= permit.untilMs)
    return `${tool} came after its lease had ended`;
  if (newestEpoch.size >= SESSIONS_MAX) newestEpoch.clear();
  newestEpoch.set(owner, permit.epoch);
  return undefined;
}

async function answer(question: FileQuestion, signal: AbortSignal): Promise<unknown> {
  const refusal = refusalOf(question);
  if (refusal !== undefined) throw new Error(refusal);
  const { tool, args, workspace, protectedFolders, identity, confine } = question;
  if (identity !== undefined && identity !== identityOf(statSync(workspace, { bigint: true })))
    throw new Error("the workspace is not the folder that it was");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway parsed the arguments by this tool's schema
  return FILE_OPERATIONS[tool](args as never, {
    workspace,
    protectedFolders,
    confine,
    signal,
    clock,
    isEnclosed: true,
    ripgrep: process.argv[2] ?? "",
  });
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the gateway speaks on this pipe
serve((question, signal) => answer(question as FileQuestion, signal));
