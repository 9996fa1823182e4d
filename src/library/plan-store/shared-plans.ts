/** Plans that sessions share, each a file below `plans/<namespace>` of the gateway's folder: private, atomic, locked. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nameProblem } from "../files/safe-name.ts";
import { SharedPlan, type SharedStep, type SharedStepChange } from "../protocol/shared-plan.ts";
import { type LockWorld, takeLock } from "./plan-lock.ts";

const FILE_BYTES_MAX = 1_048_576;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What is wrong with a name, a path or a file; for whoever asked. */
export class SharedPlanError extends Error {
  override name = "SharedPlanError";
}

export type SharedPlans = {
  /** Undefined: there is none under this name. */
  read(namespace: string): Promise<SharedPlan | undefined>;
  /** Steps that are known by their text are changed, new ones come behind; with `replace` the others are dropped. */
  change(namespace: string, change: SharedChange): Promise<SharedPlan>;
};
export type SharedChange = { steps: readonly SharedStepChange[]; by: string; atMs: number; replace?: boolean };

export function createSharedPlans(home: string, world?: LockWorld): SharedPlans {
  return {
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
  issue === undefined ? "invalid" : `${issue.path.join(".")}: ${issue.message}`;

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
