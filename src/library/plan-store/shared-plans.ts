/** Plans that sessions share, each a file below `plans/<namespace>` of the gateway's folder: private, atomic, locked. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { progressOf } from "../../protocol/card/card.ts";
import { nameProblem } from "../files/safe-name.ts";
import {
  SHARED_LISTED_MAX,
  SharedPlan,
  type SharedPlanEntry,
  type SharedStep,
  type SharedStepChange,
} from "../protocol/shared-plan.ts";
import { type LockWorld, lookAtLock, takeLock } from "./plan-lock.ts";

const FILE_BYTES_MAX = 1_048_576;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What is wrong with a name, a path or a file; for whoever asked. */
export class SharedPlanError extends Error {
  override name = "SharedPlanError";
}

export type SharedPlans = {
  /** All that have a name which a plan can have, by their names; one that cannot be read is listed with its problem. */
  list(): Promise<SharedPlanList>;
  /** Undefined: there is none under this name. */
  read(namespace: string): Promise<SharedPlan | undefined>;
  /** Steps that are known by their text are changed, new ones come behind; with `replace` the others are dropped. */
  change(namespace: string, change: SharedChange): Promise<SharedPlan>;
};
export type SharedPlanList = { plans: SharedPlanEntry[]; more: boolean };
export type SharedChange = { steps: readonly SharedStepChange[]; by: string; atMs: number; replace?: boolean };

export function createSharedPlans(home: string, world?: LockWorld): SharedPlans {
  return {
    async list() {
      const names = await namesIn(home);
      const listed = names.slice(0, SHARED_LISTED_MAX);
      const plans: SharedPlanEntry[] = [];
      for (const namespace of listed) {
        const entry = await entryOf(home, namespace, world);
        if (entry !== undefined) plans.push(entry);
      }
      return { plans, more: names.length > listed.length };
    },
    async read(namespace) {
      const folder = await folderOf(home, namespace, { make: false });
      return folder === undefined ? undefined : readPlan(folder, namespace);
    },
    async change(namespace, change) {
      const folder = await folderOf(home, namespace, { make: true });
      if (folder === undefined) throw new SharedPlanError("The folder of this plan was removed meanwhile.");
      const release = await takeLock(join(folder, ".lock"), world);
      try {
        const before = await readPlan(folder, namespace);
        const after = merged(before, namespace, change);
        await writeWhole(folder, `${JSON.stringify(after, null, 2)}\n`);
        return after;
      } finally {
        await release();
      }
    },
  };
}

async function namesIn(home: string): Promise<string[]> {
  const found = await readdir(join(await realpath(home), "plans"), { withFileTypes: true }).catch(unless("ENOENT"));
  const folders = (found ?? []).filter((one) => one.isDirectory() && nameProblem(one.name) === undefined);
  return folders.map(({ name }) => name).toSorted();
}

/** Undefined for a folder in which there is no plan. One bad file hides no other plan. */
async function entryOf(home: string, namespace: string, world?: LockWorld): Promise<SharedPlanEntry | undefined> {
  try {
    const folder = await folderOf(home, namespace, { make: false });
    if (folder === undefined) return undefined;
    const lock = (await lookAtLock(join(folder, ".lock"), world)) ?? null;
    const plan = await readPlan(folder, namespace);
    if (plan === undefined) return undefined;
    return { namespace, plan: summaryOf(plan), lock, problem: null };
  } catch (error) {
    if (!(error instanceof SharedPlanError)) throw error;
    return { namespace, plan: null, lock: null, problem: error.message };
  }
}

function summaryOf({ steps, updatedAtMs }: SharedPlan): NonNullable<SharedPlanEntry["plan"]> {
  const last = steps.findLast((step) => step.updatedAtMs === updatedAtMs) ?? steps.at(-1);
  const { done, cancelled, all } = progressOf(steps);
  return {
    steps: all,
    done,
    cancelled,
    updatedAtMs,
    updatedBy: last?.updatedBy ?? "",
  };
}

/** The name is checked before a path is built of it, and the path after that: no part of it may be a link. */
async function folderOf(home: string, namespace: string, { make }: { make: boolean }): Promise<string | undefined> {
  const problem = nameProblem(namespace);
  if (problem !== undefined)
    throw new SharedPlanError(`"${namespace.slice(0, 130)}" cannot name a shared plan: ${problem}.`);
  let at = await realpath(home);
  for (const part of ["plans", namespace]) {
    at = join(at, part);
    if (make) await mkdir(at, { mode: FOLDER_MODE }).catch(unless("EEXIST"));
    const found = await lstat(at).catch(unless("ENOENT"));
    if (found === undefined) return undefined;
    if (!found.isDirectory())
      throw new SharedPlanError(`${part} is no folder, or a link: it escapes the store's folder.`);
  }
  if ((await realpath(at)) !== at) throw new SharedPlanError("The folder of this plan lies outside of the store.");
  return at;
}

/** Its size is known before a byte is read, and what is read is rebuilt field by field. */
async function readPlan(folder: string, namespace: string): Promise<SharedPlan | undefined> {
  const handle = await open(join(folder, "plan.json"), READ).catch((error: unknown) => {
    if (codeOf(error) === "ELOOP") throw new SharedPlanError("The file of this plan is a link.");
    return unless("ENOENT")(error);
  });
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new SharedPlanError("The file of this plan is no file.");
    if (found.size > FILE_BYTES_MAX)
      throw new SharedPlanError(`The file of this plan holds ${found.size} bytes, at most ${FILE_BYTES_MAX} are read.`);
    return parsed(await handle.readFile("utf8"), namespace);
  } finally {
    await handle.close();
  }
}

function parsed(text: string, namespace: string): SharedPlan {
  const plan = SharedPlan.safeParse(jsonIn(text));
  if (!plan.success) throw new SharedPlanError(`The file of this plan has no valid shape: ${firstIssue(plan.error)}.`);
  if (plan.data.namespace !== namespace)
    throw new SharedPlanError(`The file in the folder ${namespace} is of another plan.`);
  return plan.data;
}

const firstIssue = ({ issues: [issue] }: { issues: readonly { path: PropertyKey[]; message: string }[] }): string =>
  issue === undefined ? "invalid" : [issue.path.join("."), issue.message].filter((part) => part !== "").join(": ");

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no plan's shape
  }
}

function merged(
  before: SharedPlan | undefined,
  namespace: string,
  { steps, by, atMs, replace }: SharedChange,
): SharedPlan {
  const known = new Map((before?.steps ?? []).map((step) => [step.step, step]));
  const changed = new Map<string, SharedStep>(replace === true ? [] : known);
  for (const { step, status, activeForm } of steps) {
    const form = activeForm ?? known.get(step)?.activeForm;
    changed.set(step, {
      step,
      status,
      ...(form === undefined ? {} : { activeForm: form }),
      updatedBy: by,
      updatedAtMs: atMs,
    });
  }
  const plan = { namespace, steps: [...changed.values()], createdAtMs: before?.createdAtMs ?? atMs, updatedAtMs: atMs };
  const valid = SharedPlan.safeParse(plan);
  if (!valid.success) throw new SharedPlanError(`The plan would have no valid shape: ${firstIssue(valid.error)}.`);
  return valid.data;
}

async function writeWhole(folder: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) throw new SharedPlanError("The plan would be larger than 1 MiB.");
  const beside = join(folder, `.plan-${randomUUID()}.tmp`);
  try {
    await writeFile(beside, text, { mode: FILE_MODE, flag: "wx", flush: true });
    await rename(beside, join(folder, "plan.json"));
  } catch (error) {
    await unlink(beside).catch(unless("ENOENT"));
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if (codeOf(error) !== code) throw error;
  };
