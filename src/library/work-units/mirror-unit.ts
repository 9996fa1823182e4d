/** Writes the mirror of an approved plan: `plan.md` for people, `state.json` for whoever goes on. */
import { join } from "node:path";
import { planSlug } from "../files/plan-file-name.ts";
import { takeLock } from "../plan-store/plan-lock.ts";
import { WORK_FOLDER, type WorkUnit } from "../protocol/work-unit.ts";
import {
  ignoreAll,
  PLAN_FILE,
  readUnit,
  readUnits,
  realFolder,
  replaceFile,
  STATE_FILE,
  UnitLost,
  workFolder,
} from "./unit-folder.ts";

const NAMES_MAX = 99;
const LOCK_FILE = ".lock";

export type UnitPlace = {
  workspace: string;
  /** Whether git tracks something below a folder of the workspace; true where that cannot be told. */
  isTracked(workspace: string, below: string): Promise<boolean>;
};

export type Mirrored = { unit: Omit<WorkUnit, "unit">; text: string };

/** The name of the unit: a plan keeps its own, and never takes that of another plan. */
export async function mirrorUnit({ unit, text }: Mirrored, place: UnitPlace): Promise<string> {
  return locked(place, async (folder) => {
    const name = await nameFor(folder, unit);
    const own = await realFolder(join(folder, name));
    await replaceFile(join(own, PLAN_FILE), text);
    await replaceFile(join(own, STATE_FILE), `${JSON.stringify({ ...unit, unit: name }, null, 2)}\n`);
    return name;
  });
}

type Ending = { sessionId: string; status: "completed" | "left"; atMs: number; steps?: WorkUnit["steps"] };

/** The plan of this session that was carried out is over. */
export async function endUnits({ sessionId, status, atMs, steps }: Ending, place: UnitPlace): Promise<void> {
  const open = (await readUnits(place.workspace)).filter(
    (unit) => unit.sessionId === sessionId && unit.status === "executing",
  );
  if (open.length === 0) return;
  await locked(place, async (folder) => {
    for (const unit of open) {
      const ended = { ...unit, status, updatedAtMs: atMs, steps: steps ?? unit.steps };
      await replaceFile(
        join(await realFolder(join(folder, unit.unit)), STATE_FILE),
        `${JSON.stringify(ended, null, 2)}\n`,
      );
    }
  });
}

async function locked<Result>(
  { workspace, isTracked }: UnitPlace,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (await isTracked(workspace, WORK_FOLDER.join("/")))
    throw new UnitLost("tracked", "git tracks files in the folder of work units");
  const folder = await workFolder(workspace);
  const release = await takeLock(join(folder, LOCK_FILE));
  try {
    await ignoreAll(folder);
    return await work(folder);
  } finally {
    await release();
  }
}

async function nameFor(folder: string, { title, planId, sessionId }: Mirrored["unit"]): Promise<string> {
  const slug = planSlug(title);
  for (let n = 1; n <= NAMES_MAX; n++) {
    const name = n === 1 ? slug : `${slug}-${n}`;
    const found = await readUnit(join(folder, name));
    if (found?.planId === planId && found.sessionId === sessionId) return name;
    if (found === undefined && (await isFree(join(folder, name)))) return name;
  }
  throw new UnitLost("taken", "all names of this unit are taken");
}

/** A folder without a state of ours belongs to somebody else. */
async function isFree(path: string): Promise<boolean> {
  const { lstat, readdir } = await import("node:fs/promises");
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return true;
  return found.isDirectory() && (await readdir(path)).length === 0;
}
