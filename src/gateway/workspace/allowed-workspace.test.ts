import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createWorkspaces } from "./allowed-workspace.ts";

function machine() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-roots-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["projects/one", "projects2", "secret", "state"])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "projects/file"), "");
  symlinkSync(join(folder, "secret"), join(folder, "projects/link"));
  symlinkSync(join(folder, "projects"), join(folder, "alias"));
  const roots = [join(folder, "alias")];
  const workspaces = createWorkspaces({ roots: () => roots, protectedFolders: [join(folder, "state")] });
  const choose = async (path: string, isFree = false): Promise<string> => {
    const found = await workspaces.choose(join(folder, path), { isFree });
    return "refused" in found ? found.refused.code : found.workspace.replace(folder, "");
  };
  return { folder, roots, workspaces, choose };
}

it.each([
  ["projects", "/projects"],
  ["projects/one", "/projects/one"],
  ["alias/one", "/projects/one"],
  ["projects2", "FORBIDDEN"],
  ["secret", "FORBIDDEN"],
  ["projects/link", "FORBIDDEN"],
  ["projects/../secret", "FORBIDDEN"],
  [".", "FORBIDDEN"],
  ["nowhere", "FORBIDDEN"],
  ["projects/file", "FORBIDDEN"],
  ["alias/nowhere", "INVALID_REQUEST"],
  ["state", "FORBIDDEN"],
])("[GW-09] an operator without operator.admin asks for %s and gets %s", async (path, answer) => {
  expect(await machine().choose(path)).toBe(answer);
});

it("[GW-09] an admin chooses freely, but never the gateway's own folder", async () => {
  const { choose } = machine();
  expect([await choose("secret", true), await choose("projects/link", true)]).toEqual(["/secret", "/secret"]);
  expect([await choose("state", true), await choose("nowhere", true)]).toEqual(["FORBIDDEN", "INVALID_REQUEST"]);
});

it("[GW-09] says what to do, and the same of what is not there and of what is not allowed", async () => {
  const { workspaces, folder, roots } = machine();
  const [secret, nowhere] = await Promise.all(
    ["secret", "nowhere"].map(async (name) => workspaces.choose(join(folder, name), { isFree: false })),
  );
  const told = (answer: typeof secret, name: string) =>
    answer !== undefined && "refused" in answer ? answer.refused.message.replace(name, "") : "";
  expect(told(secret, "secret")).toBe(told(nowhere, "nowhere"));
  expect(told(secret, "secret")).toContain(`Choose a folder below ${roots.join(", ")}, or ask an operator with`);
});

it("[GW-09] a folder that became a link, or is allowed no longer, is not used", async () => {
  const { workspaces, folder, roots } = machine();
  const one = { workspace: join(folder, "projects/one"), rooted: true as const };
  const free = { workspace: join(folder, "secret") };
  const configured = { workspace: join(folder, "alias") };
  const problems = () => [one, free, configured].map((session) => workspaces.problem(session));
  expect(problems()).toEqual([undefined, undefined, undefined]);
  rmSync(one.workspace, { recursive: true });
  symlinkSync(join(folder, "projects2"), one.workspace);
  rmSync(free.workspace, { recursive: true });
  symlinkSync(join(folder, "projects2"), free.workspace);
  const moved = expect.stringContaining("lies where sessions may not work");
  expect(problems()).toEqual([moved, moved, undefined]);
  roots.splice(0);
  expect(workspaces.problem({ workspace: join(folder, "projects"), rooted: true })).toEqual(moved);
});
