import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { readWithin } from "./read-file.ts";

const ROUNDS = 60;
const READS_AT_ONCE = 50; // those that wait for their turn have long looked before they open

/** Exchanges a file for a link out of its folder and back, as fast as it can. */
const EXCHANGING = `
  const { renameSync, symlinkSync, writeFileSync } = require("node:fs");
  const { parentPort, workerData: { file, secret } } = require("node:worker_threads");
  for (let n = 0; ; n++) {
    symlinkSync(secret, file + ".link");
    renameSync(file + ".link", file);
    writeFileSync(file + ".plain", "of the workspace");
    renameSync(file + ".plain", file);
    if (n === 0) parentPort.postMessage("begun");
  }
`;

it("[IN-08] a link that takes the file's place while it is read shows nothing of elsewhere", async () => {
  const root = temporaryFolder();
  const [folder, secret] = [join(root, "workspace"), join(root, "token")];
  mkdirSync(folder);
  writeFileSync(secret, "hp_secret");
  const worker = new Worker(EXCHANGING, { eval: true, workerData: { file: join(folder, "AGENTS.md"), secret } });
  onTestFinished(async () => void (await worker.terminate()));
  await new Promise((resolve) => worker.once("message", resolve));
  const seen = new Set<string>();
  for (let n = 0; n < ROUNDS; n++) {
    const reads = Array.from({ length: READS_AT_ONCE }, () => readWithin({ folder }, "AGENTS.md"));
    for (const read of await Promise.all(reads)) seen.add(read?.text ?? "nothing");
  }
  expect([...seen].filter((text) => text.includes("hp_"))).toEqual([]);
  expect(seen).toContain("of the workspace");
});
