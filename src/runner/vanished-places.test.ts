/** A place that is to be hidden may go between the look at it and its mount: other programs end while a view is built. */
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folderInHome, workingSandboxes } from "../../test/kit/working-sandboxes.ts";
import type { Sandbox } from "./sandbox.ts";
import { spawnEnclosed } from "./spawn-enclosed.ts";
import type { View } from "./view.ts";

const kinds = await workingSandboxes("vanished places");

const folder = (): string => folderInHome("vanished");

async function listening(path: string): Promise<void> {
  const server = createServer().listen(path);
  await new Promise((listens) => server.once("listening", listens));
  onTestFinished(() => void server.close());
}

/** Ends as the program ended in a view that was made before `meanwhile`. */
async function runIn(
  view: View,
  { sandbox, argv, meanwhile }: { sandbox: Sandbox; argv: string[]; meanwhile(): void },
) {
  const enclosed = await sandbox.enclose(view, { cwd: "/", argv });
  if (enclosed === undefined) throw new Error("no sandbox");
  meanwhile();
  const child = spawnEnclosed(enclosed, { env: {}, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => void (said += chunk));
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  return { code, said };
}

it.each(kinds)(
  "[GA-13] with %s, a socket that went is no reason to refuse a command that reads",
  async (_kind, sandbox) => {
    const root = folder();
    const socket = join(root, "s");
    await listening(socket);
    const view: View = { rest: "read-only", network: false, places: [{ path: socket, as: "hidden" }] };
    const ended = await runIn(view, { sandbox, argv: ["/bin/ls", root], meanwhile: () => rmSync(socket) });
    expect(ended).toEqual({ code: 0, said: "" });
    expect(readdirSync(root)).toEqual([]);
  },
);

it.each(kinds)("[GA-13] with %s, what went is not there again after a command that changes", async (_kind, sandbox) => {
  const root = folder();
  const [socket, profile, kept, secret] = ["s", "profile", "kept", "secret"].map((name) => join(root, name));
  await listening(socket ?? "");
  mkdirSync(profile ?? "");
  for (const path of [kept, secret]) writeFileSync(path ?? "", "mine");
  const places = [socket, profile, kept, secret].map((path) => ({ path: path ?? "", as: "hidden" }) as const);
  const meanwhile = (): void => {
    for (const path of [socket, profile, secret]) rmSync(path ?? "", { recursive: true });
  };
  const argv = ["/bin/sh", "-c", `grep -s mine ${kept}; touch ${root}/made`];
  const ended = await runIn({ rest: "writable", network: true, places }, { sandbox, argv, meanwhile });
  expect(ended).toEqual({ code: 0, said: "" });
  await expect.poll(() => readdirSync(root).toSorted()).toEqual(["kept", "made"]);
});

it.each(kinds)("[GA-13] with %s, what another program put there meanwhile stays", async (_kind, sandbox) => {
  const root = folder();
  const socket = join(root, "s");
  await listening(socket);
  const meanwhile = (): void => {
    rmSync(socket);
    writeFileSync(socket, "");
  };
  const view: View = { rest: "writable", network: true, places: [{ path: socket, as: "hidden" }] };
  expect((await runIn(view, { sandbox, argv: ["/bin/true"], meanwhile })).code).toBe(0);
  expect(lstatSync(socket).isFile()).toBe(true);
});
