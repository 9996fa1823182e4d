/** A throw-away folder with a home and a workspace in it. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Place = { folder: string; home: string; workspace: string; remove(): Promise<void> };

export async function throwAwayPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-chaos-"));
  const home = join(folder, "home");
  const workspace = join(folder, "work");
  await mkdir(home, { mode: 0o700 });
  await mkdir(workspace);
  return { folder, home, workspace, remove: () => rm(folder, { recursive: true, force: true }) };
}
