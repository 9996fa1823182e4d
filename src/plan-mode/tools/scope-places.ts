/** What a scope names on this machine: no link, and nothing of the gateway's own, however it is written. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fitsGlob, isGlob, plainPath } from "../../protocol/calls/confinement.ts";
import type { StateToolContext } from "../../plugins/sdk.ts";
import { scopeProblem } from "../machine/scope/scope-problem.ts";
import type { PlanStep } from "../protocol/plan.ts";

type Place = Pick<StateToolContext, "workspace" | "protectedFolders">;

/** One sentence about the first path that cannot be declared; undefined where all can. */
export async function placeProblem(steps: readonly PlanStep[], place: Place): Promise<string | undefined> {
  if (steps.every(({ scope }) => scope?.paths === undefined)) return undefined;
  const root = await realpath(place.workspace).catch(() => place.workspace);
  const own = await Promise.all(place.protectedFolders.map((folder) => realpath(folder).catch(() => folder)));
  for (const { step, scope = {} } of steps) {
    if (scopeProblem(scope) !== undefined) continue; // the machine says so
    for (const path of scope.paths ?? []) {
      const why = (await linkIn(root, path)) ?? ownFolder(root, path, own);
      if (why !== undefined) return `The step "${step}": scope.paths "${path}": ${why}.`;
    }
  }
  return undefined;
}

async function linkIn(root: string, path: string): Promise<string | undefined> {
  const parts = plainPath(path).split("/");
  let here = root;
  for (const part of parts) {
    here = join(here, part);
    const found = await lstat(here).catch(() => undefined);
    if (found === undefined) return undefined;
    if (found.isSymbolicLink())
      return `${relative(root, here)} is a link; name what it leads to, if that lies in the workspace`;
  }
  return undefined;
}

/** It lies in one of the gateway's folders, holds one, or is a pattern that fits one. */
function ownFolder(root: string, path: string, own: readonly string[]): string | undefined {
  const full = join(root, plainPath(path));
  const isOwn = own.some((folder) => {
    if (isInside(folder, full) || (!isGlob(path) && isInside(full, folder))) return true;
    if (!isGlob(path)) return false;
    const first = join(dirname(full), relative(dirname(full), folder).split(sep)[0] ?? "");
    return isInside(dirname(full), folder) && fitsGlob(relative(dirname(full), full), relative(dirname(full), first));
  });
  return isOwn ? "it covers a folder of the gateway's own" : undefined;
}

const isInside = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);
