/** What a kept agent sees: the machine read-only, its own folder, and neither credentials nor what belongs to others. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname } from "node:path";
import { hiddenFromReaders, keptInWorkspace } from "../../runner/hidden/hidden-places.ts";
import type { Place } from "../../runner/view.ts";
import type { Environment } from "../../config/home.ts";
import { type AgentProgram, placeFor } from "./agent-programs.ts";

export type ViewParts = {
  workspace: string;
  /** The file that is started, free of links. */
  file: string;
  person: { home: string; env: Environment };
  /** The gateway's folder, of which only these are shown. */
  state: string;
  shown: readonly string[];
  program: AgentProgram | undefined;
  /** Folders that the person lets it write to, held or not. */
  writable: readonly string[];
};

export function keeperView({ workspace, file, person, state, shown, program, writable }: ViewParts): Place[] {
  const own = (program?.own ?? []).map((path) => placeFor(path, person));
  const kept = [...(program?.kept ?? []), ...(program?.keptIfThere ?? [])].map((path) => placeFor(path, person));
  const all = hiddenFromReaders({ home: person.home, own: [state], hide: [], show: [...own, ...writable] });
  // sockets below what it is shown are there for it: its own, and the one that it asks us on
  const isShown = (path: string): boolean => [...own, ...shown].some((folder) => path.startsWith(`${folder}/`));
  const others = all.filter(({ path, as }) => as !== "hidden" || !isShown(path));
  return [
    ...others,
    { path: "/var/tmp", as: "scratch" },
    ...[...own, ...writable].map((path): Place => ({ path, as: "writable" })),
    ...kept.map((path): Place => ({ path, as: "readable" })),
    ...[process.execPath, ...shown, ...temporaryHome(file)].map((path): Place => ({ path, as: "readable" })), // hooks are run by this Node
    ...keptInWorkspace(workspace),
  ];
}

/** A program that lies among temporary files is shown with what was installed beside it; the rest of them stays away. */
export const temporaryHome = (file: string): string[] => /^(?:\/var)?\/tmp\/[^/]+(?=\/)/.exec(file)?.slice(0, 1) ?? [];

/**
 * What does not exist cannot be mounted, and the home folder is read-only: an agent that starts for the first time finds
 * its own folder, and settings that are kept are there to be kept.
 */
export function makeOwnPlaces({ program, person }: Pick<ViewParts, "program" | "person">): void {
  for (const path of [...(program?.own ?? []), ...(program?.kept ?? [])]) make(placeFor(path, person));
}

/** What a file of settings without any settings holds, by its ending; what has no ending is a folder. */
const EMPTY: Readonly<Record<string, string>> = { ".json": "{}\n", ".toml": "" };

function make(path: string): void {
  const text = EMPTY[extname(path)];
  mkdirSync(text === undefined ? path : dirname(path), { recursive: true, mode: 0o700 });
  if (text !== undefined && !existsSync(path)) writeFileSync(path, text, { mode: 0o600, flag: "wx" });
}
