/** What makes the same call another one: the folder itself, the environment, the agent. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { surroundingsOf } from "./surroundings.ts";

const env = { PATH: "/usr/bin", LANG: "C" };

it("[I17] the surroundings of a call are others in another folder, environment or agent, and the same otherwise", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-surroundings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, "work");
  mkdirSync(join(workspace, "a"), { recursive: true });
  mkdirSync(join(workspace, "b"));
  const session = { workspace, agentId: "main" };
  const of = (given: Partial<typeof session> & { role?: string }, args = {}, vars: NodeJS.ProcessEnv = env): string =>
    surroundingsOf({ session: { ...session, ...given }, args }, { env: vars });
  const before = of({});
  expect([of({}), of({}, { cwd: "." }), of({}, {}, { ...env, SOME_TOKEN: "x" })]).toEqual([before, before, before]);
  const others = [
    of({ agentId: "other" }),
    of({ role: "critic" }),
    of({}, { cwd: "a" }),
    of({}, { cwd: "b" }),
    of({}, {}, { ...env, LD_PRELOAD: "x.so" }),
    of({ workspace: folder }),
  ];
  expect(new Set([before, ...others]).size).toBe(others.length + 1);
  renameSync(workspace, join(folder, "moved"));
  const none = of({});
  mkdirSync(workspace);
  expect(new Set([before, none, of({})]).size).toBe(3); // another folder under the same name
});

it("[I17] a workspace that leads elsewhere than when it was first used is nobody's", () => {
  const session = { workspace: tmpdir(), agentId: "main" };
  const pinned = surroundingsOf({ session, args: {} }, { env, workspaces: { pin: () => ({ path: "/" }) } });
  const moved = surroundingsOf({ session, args: {} }, { env, workspaces: { pin: () => ({ error: "moved" }) } });
  expect(pinned).not.toBe(moved);
});
