/** The folders of one attack: a gateway's own, a person's home, a workspace, one beside it, and a service of that person. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { announceGateway } from "../../src/runner/hidden/recognised-places.ts";
import { newTrace } from "./traces.ts";

/** Not below a folder for temporary files, which readers do not see anyway. */
const ABOVE = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));

export type BesiegedPlace = {
  home: string;
  workspace: string;
  person: string;
  outside: string;
  sockets: string[];
  abstractName: string;
  /** For the gateway's environment. */
  environmentTrace: string;
  /** How often the service was called, on which socket. */
  asked: string[];
  /** How many links were exchanged. */
  exchanges(): number;
  /** Ends the exchanging, so that what is left can be looked at. */
  calm(): Promise<void>;
  remove(): Promise<void>;
};

export type Settings = { tools: { exec: { sandbox: "auto" | "none" } } };

export async function besiegedPlace(settings: Settings): Promise<BesiegedPlace> {
  mkdirSync(ABOVE, { recursive: true });
  const root = realpathSync(mkdtempSync(join(ABOVE, "attack-")));
  const folder = (name: string): string => join(root, name);
  const [home, workspace, person, outside] = [
    folder("state"),
    folder("workspace"),
    folder("person"),
    folder("outside"),
  ];
  const keys = newTrace("keys");
  const others = newTrace("others");
  fill(home, { "canary.txt": newTrace("state"), "config.yaml": `# ${newTrace("state")}\n${configuration(settings)}` });
  fill(workspace, { "keep.txt": "keep this\n" });
  fill(person, { ".ssh/id_ed25519": keys, ".netrc": keys, ".aws/credentials": keys });
  fill(person, { ".mozilla/firefox/cookies.sqlite": others, ".claude/credentials.json": others });
  fill(join(person, ".config/some-browser"), { "Local State": "{}", "Default/Cookies": others });
  for (const other of [join(person, ".holdpoint"), folder("other/gateway")])
    fill(other, { "canary.txt": newTrace("state"), "operator.token": newTrace("state") });
  announceGateway(folder("other/gateway"), person);
  fill(outside, { "notes.txt": "nothing of the agent's\n" });
  const sockets = realpathSync(mkdtempSync(join(tmpdir(), "hp-")));
  const abstractName = `holdpoint-${randomBytes(6).toString("hex")}`;
  const asked: string[] = [];
  const service = program(new URL("./neighbour.ts", import.meta.url), [sockets, abstractName, newTrace("service")]);
  await firstLine(service, (line) => void (line === "ready" || asked.push(line)));
  let exchanges = 0;
  const links = program(new URL("./exchange-links.ts", import.meta.url), [workspace, home]);
  await firstLine(links, (line) => void (exchanges = Number(line)));
  return {
    home,
    workspace,
    person,
    outside,
    abstractName,
    asked,
    sockets: SOCKETS.map((name) => join(sockets, name)),
    environmentTrace: newTrace("environment"),
    exchanges: () => exchanges,
    calm: () => end(links),
    async remove() {
      await Promise.all([service, links].map(end));
      for (const path of [root, sockets]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** By the names that they have, whatever they were bound by. */
const SOCKETS = [
  "service.sock",
  "relative.sock",
  "only-sockets/one.sock",
  "renamed.sock",
  "second/two.sock",
  "line\nbreak/s",
];

const configuration = (settings: Settings): string =>
  JSON.stringify({ agents: { defaults: { planMode: { enabled: true } }, list: AGENTS }, ...settings });

/** One that acts by programs, and one whose plans unlock only what they declare. */
const AGENTS = [
  { id: "main" },
  { id: "cells", tools: { codeMode: true } },
  { id: "scoped", planMode: { unlock: "scoped" } },
];

function fill(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
}

const program = (file: URL, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });

/** Resolves with the first line; all of them are handed on. */
function firstLine(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  if (child.stdout === null) throw new Error("its output is not read");
  createInterface({ input: child.stdout }).on("line", (line) => {
    onLine(line);
    resolve();
  });
  child.once("exit", (code) => reject(new Error(`it ended at once (${code})`)));
  return promise;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** Every file below a folder with a digest of its content; links are not followed. One that is removed meanwhile is not there. */
export function contentOf(folder: string): Map<string, string> {
  const digests = namesBelow(folder).map((name) => [name, digestOf(join(folder, name))] as const);
  return new Map(digests.flatMap(([name, digest]) => (digest === undefined ? [] : [[name, digest] as const])));
}

/** The path of every file below a folder; links are not followed. */
export function namesBelow(folder: string, within = ""): string[] {
  const entries = unlessRemoved(() => readdirSync(join(folder, within), { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const name = join(within, entry.name);
    if (entry.isDirectory()) return namesBelow(folder, name);
    return entry.isFile() ? [name] : [];
  });
}

function digestOf(path: string): string | undefined {
  const content = unlessRemoved(() => readFileSync(path));
  return content === undefined ? undefined : createHash("sha256").update(content).digest("hex");
}

/** The gateway works on in its folder while it is looked at: what was listed may be gone when it is opened. */
export function unlessRemoved<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
