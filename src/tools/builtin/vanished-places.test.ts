/** Commands whose sandbox cannot be built at first, because what it was to hide has gone meanwhile. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderInHome, workingSandboxes } from "../../../test/kit/working-sandboxes.ts";
import { systemClock } from "../../engine/clock.ts";
import type { Sandbox } from "../../runner/sandbox.ts";
import type { View } from "../../runner/view.ts";
import { runChild } from "./child-process.ts";

const kinds = await workingSandboxes("commands and vanished places");

const folder = (): string => folderInHome("vanished");

type Running = { sandbox: Sandbox; command: string; meanwhile(): void };

async function run(view: View, { sandbox, command, meanwhile }: Running) {
  const program = { cwd: "/", argv: ["/bin/sh", "-c", command], isLeader: true };
  const enclosed = await sandbox.enclose(view, program);
  if (enclosed === undefined) throw new Error("no sandbox");
  meanwhile();
  let said = "";
  const end = await runChild({
    ...enclosed,
    cwd: "/",
    env: {},
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    clock: systemClock,
    onOutput(chunk) {
      said += chunk.toString();
      return "more";
    },
  });
  return { end, said };
}

const RESTS = ["read-only", "writable"] as const;
const every = kinds.flatMap(([kind, sandbox]) => RESTS.map((rest) => [kind, rest, sandbox] as const));

it.each(every)(
  "[GA-13] with %s, %s: runs once although a profile and a folder of secrets went",
  async (_kind, rest, sandbox) => {
    const root = folder();
    const [deep, log] = [join(root, "a/b/profile"), join(root, "log")];
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(root, "a/secret"), "mine");
    writeFileSync(log, "");
    const places = [
      { path: log, as: "writable" },
      { path: deep, as: "hidden" },
      { path: join(root, "a/secret"), as: "hidden" },
    ] as const;
    const meanwhile = (): void => rmSync(join(root, "a"), { recursive: true });
    const command = `echo ran | tee -a ${log}; echo also >&2; exit 4`;
    const ran = await run({ rest, network: false, places }, { sandbox, command, meanwhile });
    expect(ran).toEqual({ end: { ended: "exit", code: 4 }, said: "ran\nalso\n" });
    await expect.poll(() => readdirSync(root)).toEqual(["log"]);
  },
);

it.each(kinds)("[GA-13] with %s, a program that ends as a sandbox does is not run again", async (_kind, sandbox) => {
  const root = folder();
  const [log, gone] = [join(root, "log"), join(root, "gone")];
  for (const path of [log, gone]) writeFileSync(path, "");
  const places = [
    { path: log, as: "writable" },
    { path: gone, as: "hidden" },
  ] as const;
  const command = `echo ran >> ${log}; echo 'bwrap: Can'"'"'t mkdir ${gone}: Read-only file system' >&2; rm -f ${gone}; exit 1`;
  const meanwhile = (): void => undefined;
  const ran = await run({ rest: "writable", network: false, places }, { sandbox, command, meanwhile });
  expect(ran.end).toEqual({ ended: "exit", code: 1 });
  expect(ran.said).toMatch(/^bwrap: Can't mkdir/);
  const { said } = await run(
    { rest: "writable", network: false, places },
    { sandbox, command: `cat ${log}`, meanwhile },
  );
  expect(said).toBe("ran\n");
});
