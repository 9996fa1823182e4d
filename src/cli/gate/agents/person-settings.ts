/** The person's own settings of an agent, as a copy that a trial may do with as it likes. */
import { cpSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { Environment } from "../../../config/home.ts";
import { JsonObject } from "../../../protocol/json.ts";
import { agentSettings } from "../../hooks/agent-settings.ts";
import type { AgentProbe } from "./agent-probes.ts";
import { type AgentProgram, placeFor } from "../../run/agent-programs.ts";

const ENTRIES_MAX = 2_000;
const FILE_BYTES_MAX = 4 * 1_048_576;

export type CopiedSettings = {
  /** A home folder with nothing but these settings. */
  home: string;
  /** Which copies stand for which places of the person, for whoever can mount them there. */
  mounts: readonly { copy: string; at: string }[];
};

type Person = { program: AgentProgram; person: { home: string; env: Environment }; probe: AgentProbe };

/** Credentials are not among them, and neither is what the agent has kept of its conversations. */
export function copySettings({ program, person, probe }: Person, home: string): CopiedSettings {
  const left = { entries: ENTRIES_MAX };
  for (const path of [...program.kept, ...(program.keptIfThere ?? [])]) {
    copyOne(placeFor(path, person), join(home, path), left);
  }
  adaptSettings(probe, home);
  const mounts = program.own.map((path) => ({ copy: join(home, path), at: placeFor(path, person) }));
  for (const { copy } of mounts) mkdirSync(extname(copy) === "" ? copy : dirname(copy), { recursive: true });
  return { home, mounts: mounts.filter(({ copy, at }) => isThere(copy) && isThere(at)) };
}

/** Of the copy alone; what is no JSON is left to the agent. */
function adaptSettings({ agent, adapt }: AgentProbe, home: string): void {
  const { kind, file } = agentSettings(agent, { home, env: {}, launcher: "" });
  if (adapt === undefined || kind === "own") return;
  const found = JsonObject.safeParse(jsonIn(file)).data;
  mkdirSync(dirname(file), { recursive: true });
  if (found !== undefined) writeFileSync(file, JSON.stringify(adapt(found)));
}

/** Undefined where it cannot be read; an empty one where there is none. */
function jsonIn(file: string): unknown {
  if (!isThere(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function copyOne(from: string, to: string, left: { entries: number }): void {
  if (!isThere(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, {
    recursive: true,
    filter(path) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      left.entries -= 1;
      return left.entries > 0 && found !== undefined && (found.isDirectory() || found.size <= FILE_BYTES_MAX);
    },
  });
}
