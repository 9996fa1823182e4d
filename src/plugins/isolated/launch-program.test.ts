import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { launchProgram } from "./launch-program.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-program-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("[GA-13][CM-06] 120, 122: a program of a plugin reads its own files, starts threads, and nothing else", async () => {
  const secret = join(root, "secret.txt");
  const folder = mkdtempSync(join(root, "own-"));
  writeFileSync(secret, "hp_secret");
  writeFileSync(join(folder, "given.txt"), "given");
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => void server.once("listening", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const entry = join(folder, "program.mjs");
  writeFileSync(
    entry,
    `import fs from "node:fs"; import cp from "node:child_process"; import net from "node:net"; import { Worker } from "node:worker_threads";
     const tries = {};
     const attempt = async (name, work) => { try { tries[name] = await work() ?? "done"; } catch { tries[name] = "no"; } };
     await attempt("own", () => fs.readFileSync(process.argv[2], "utf8"));
     await attempt("secret", () => fs.readFileSync(${JSON.stringify(secret)}, "utf8"));
     await attempt("write", () => fs.writeFileSync(new URL("./x", import.meta.url), "1"));
     await attempt("env", () => Object.keys(process.env).filter((name) => name !== "PWD").length); // bubblewrap sets it
     await attempt("spawn", () => cp.execFileSync("/bin/true"));
     await attempt("sqlite", () => process.getBuiltinModule("node:sqlite").DatabaseSync.name);
     await attempt("net", () => new Promise((resolve, reject) => net.connect(${port}, "127.0.0.1", () => resolve("connected")).on("error", reject)));
     await attempt("thread", () => new Promise((done) => new Worker("0", { eval: true }).once("exit", () => done("started"))));
     process.stdout.write(JSON.stringify(tries) + "\\n");
     process.stdin.once("end", () => process.exit(0)).resume();`,
  );
  const args = [join(folder, "given.txt")];
  const pipes = await launchProgram({ entry: pathToFileURL(entry), args, readable: [], heapMegabytes: 64 });
  let said = "";
  pipes.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said.endsWith("\n") || pipes.lastWords()).toBe(true);
  expect(JSON.parse(said)).toEqual({
    own: "given",
    secret: "no",
    write: "no",
    env: 0,
    spawn: "no",
    sqlite: "no",
    net: "no",
    thread: "started",
  });
  pipes.hold(false);
  pipes.stdin.end();
  expect(await pipes.exited).toBe("it ended (exit code 0)");
  await new Promise((closed) => void server.close(closed));
});
