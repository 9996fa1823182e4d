/**
 * The snapshots of one plan's cycle: what its workspace held before each call that changes something, and after it. Contents
 * are kept once by their hash; a look at the workspace reads only files whose size, times or number differ from the last look.
 *
 *   before(call) ─▶ others' changes since the last look, on disk before the call begins
 *   after(call)  ─▶ what the call changed
 *
 * A call that names its files is looked at there alone; any other looks at all files. A call without an end (the process was
 * killed) gets what is found changed at the next look.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ContentPack, openContentPack } from "./content-pack.ts";
import { type Delta, Entry, gitOid, isSameFile, isSameStat, kept, notKept } from "./entry.ts";
import { foldersOf, type GitFiles, NO_GIT, openGitFiles } from "./git/git-files.ts";
import { type HeldFolder, holdBelow, holdFolder, partsOf } from "./held-folder.ts";
import { type Journal, type JournalLine, openJournal, type StepRef } from "./journal.ts";
import {
  freshGaps,
  type Gap,
  gapKey,
  gapsIn,
  gapsOf,
  isBelow,
  keepRules,
  readRules,
  standingAbove,
  writeWhole,
} from "./gaps.ts";
import { lookAt, type Reading, readEntry, statOf } from "./read-entry.ts";
import { type Sliced, TakesTooLong } from "./sliced.ts";
import { walk, type Walked } from "./walk.ts";

const DELTAS_MAX = 50_000;
const TOO_LARGE =
  "the workspace is too large to be snapshotted; choose a smaller folder, or name in .gitignore what need not be kept";

export type SnapshotLimits = {
  filesMax: number;
  fileBytesMax: number;
  bytesMax: number;
  /** Whether files that the repository ignores are kept, too. */
  ignored: boolean;
};

export type CyclePlace = {
  /** Where the record lies, in the gateway's own folder. */
  folder: string;
  /** Free of links. Left out by those who only read: the record knows it. */
  workspace?: string;
  limits: SnapshotLimits;
  /** The gateway's own folders, which are never looked into. */
  hidden: readonly string[];
};

export type CallBegun = {
  callId: string;
  tool: string;
  command?: string;
  step?: StepRef;
  atMs: number;
  /** The files that it can change, relative to the workspace; undefined: any. */
  targets?: readonly string[];
  /** Somebody else runs it and nobody hears of its end: what changes until the next one begins is its. */
  isOpen?: boolean;
};
export type CallEnded = { n: number; atMs: number; status: string; exitCode?: number | null };

export type CycleRecord = {
  readonly workspace: string;
  /** A call of this process has begun and not ended. */
  isBusy(): boolean;
  readonly lines: readonly JournalLine[];
  readonly contents: ContentPack;
  before(call: CallBegun): Sliced<{ n: number; outside: number }>;
  after(call: CallEnded): Sliced<{ changed: readonly Delta[] }>;
  /** Gives the open call what has changed by now. */
  settle(): Sliced<void>;
  /** What stands there now, read into the contents; null: nothing. */
  present(path: string): Entry | null;
  /** What was found of a file at the last look. */
  known(path: string): Entry | undefined;
  add(line: JournalLine): void;
  content(ref: string): Buffer | undefined;
  close(): void;
};

class TooMuchChanged extends Error {}
class TooLarge extends Error {}

/** The folder that a record is about never changes. */
function workspaceOf({ folder, workspace }: CyclePlace): string {
  const path = join(folder, "workspace");
  if (!existsSync(path)) {
    if (workspace === undefined) throw new Error("there is no record of this plan");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(path, workspace);
    return workspace;
  }
  const known = readFileSync(path, "utf8");
  if (workspace !== undefined && workspace !== known) throw new Error("the workspace is not the folder that it was");
  return known;
}

export function openCycleRecord(given: CyclePlace): CycleRecord {
  const place = { ...given, workspace: workspaceOf(given) };
  const { folder, limits } = place;
  const journal = openJournal(join(folder, "journal.jsonl"));
  const contents = openContentPack(join(folder, "contents.pack"), limits.bytesMax);
  const git = existsSync(join(folder, "git")) ? openGitFiles(join(folder, "git")) : NO_GIT;
  const state: State = {
    place,
    journal,
    contents,
    git,
    ...replayed(journal, folder),
    running: new Map(),
    open: undefined,
    tooLarge: undefined,
    firstSeen: undefined,
    rules: readRules(folder),
    noticed: { gaps: [], empty: [] },
    knownGaps: new Set(journal.lines.flatMap(gapsIn).map(gapKey)),
  };
  return {
    workspace: place.workspace,
    lines: journal.lines,
    contents,
    isBusy: () => state.running.size > 0,
    before: (call) => before(call, state),
    after: (call) => after(call, state),
    settle: () => settle(Date.now(), state),
    present: (path) => present(path, state),
    known: (path) => state.entries.get(path),
    add(line) {
      contents.flush();
      journal.add(line);
      apply(line, state.entries);
    },
    content: (ref) => contentOf(ref, state),
    close() {
      journal.close();
      contents.close();
      state.git.close();
    },
  };
}

type KnownPlace = CyclePlace & { workspace: string };

type State = {
  place: KnownPlace;
  journal: Journal;
  contents: ContentPack;
  git: GitFiles;
  /** All files as they were at the last look. */
  entries: Map<string, Entry>;
  /** Whether all files were looked at. */
  hasBase: boolean;
  /** Why they are not looked at any more. */
  tooLarge: string | undefined;
  calls: number;
  /** Calls of this process that have not ended, with the files that they can change. */
  running: Map<number, readonly string[] | undefined>;
  /** The call that somebody else runs. */
  open: number | undefined;
  /** While a call begins: files that were never looked at before. */
  firstSeen: [string, Entry][] | undefined;
  /** Ignore files by their folder as they were at the first look: what is written into them later hides nothing. */
  rules: ReadonlyMap<string, string> | undefined;
  /** Of the last look: what could not be looked at, and folders without files. */
  noticed: { gaps: Gap[]; empty: readonly string[] };
  /** What could not be looked at, as far as it is in the journal. */
  knownGaps: Set<string>;
};

function* before(call: CallBegun, state: State): Sliced<{ n: number; outside: number }> {
  const { journal, contents } = state;
  yield* settle(call.atMs, state);
  yield* endInterrupted(call.atMs, state);
  const { targets: given, isOpen, ...about } = call;
  const targets = plainTargets(given, state.place);
  state.firstSeen = [];
  const outside = yield* found(targets, state);
  const stood = targets === undefined ? state.noticed.empty : standingAbove(targets, state.place.workspace);
  state.calls += 1;
  const n = state.calls;
  contents.flush();
  const seen = state.firstSeen;
  journal.add({
    line: "begin",
    n,
    ...about,
    ...(targets === undefined ? {} : { targets: [...targets] }),
    seen,
    outside,
    ...(stood.length === 0 ? {} : { stood: [...stood] }),
    ...freshGaps(state.noticed.gaps, state.knownGaps),
  });
  state.firstSeen = undefined;
  if (isOpen === true) state.open = n;
  else {
    state.open = undefined;
    state.running.set(n, targets);
  }
  return { n, outside: outside.length };
}

function* settle(atMs: number, state: State): Sliced<void> {
  const { open: n, journal, contents } = state;
  if (n === undefined) return;
  const changed = yield* found(undefined, state);
  const isEnded = journal.lines.some((line) => line.line === "end" && line.n === n);
  if (isEnded && changed.length === 0) return;
  contents.flush();
  journal.add({ line: "end", n, atMs, status: "unknown", changed, ...freshGaps(state.noticed.gaps, state.knownGaps) });
}

/** A file behind a link is another file: then all are looked at. */
function plainTargets(
  targets: readonly string[] | undefined,
  { workspace }: KnownPlace,
): readonly string[] | undefined {
  if (targets === undefined) return undefined;
  const root = holdFolder(workspace);
  try {
    return targets.every((path) => isPlain(path, root)) ? targets : undefined;
  } finally {
    root.close();
  }
}

function isPlain(path: string, root: HeldFolder): boolean {
  const parts = partsOf(path);
  if (parts === undefined || parts[0] === ".git") return false;
  for (let length = 1; length <= parts.length; length++) {
    const folder = holdBelow(root, parts.slice(0, length - 1));
    if (folder === undefined) return false;
    try {
      const stats = lookAt(join(folder.path, parts[length - 1] ?? ""));
      if (stats === undefined) return true; // nothing stands there yet
      if (stats.isSymbolicLink()) return false;
    } finally {
      folder.close();
    }
  }
  return true;
}

function* after({ n, ...ended }: CallEnded, state: State): Sliced<{ changed: readonly Delta[] }> {
  const { journal, contents, running } = state;
  let changed: Delta[];
  try {
    changed = yield* found(running.get(n), state);
  } finally {
    running.delete(n); // it has ended, whether or not it is known what it changed; the next look gives it what it finds
  }
  contents.flush();
  journal.add({ line: "end", n, ...ended, changed, ...freshGaps(state.noticed.gaps, state.knownGaps) });
  return { changed };
}

/** Of a process that was killed: what has changed since is most likely its last call's. */
function* endInterrupted(atMs: number, state: State): Sliced<void> {
  const { journal, running } = state;
  const ended = new Set(journal.lines.flatMap((line) => (line.line === "end" ? line.n : [])));
  const open = journal.lines.filter(
    (line) => line.line === "begin" && !ended.has(line.n) && !running.has(line.n) && line.n !== state.open,
  );
  for (const line of open) {
    if (line.line !== "begin") continue;
    running.set(line.n, line.targets);
    yield* after({ n: line.n, atMs, status: "unknown" }, state);
  }
}

/** What differs from the last look, which this one replaces. */
function* found(targets: readonly string[] | undefined, state: State): Sliced<Delta[]> {
  const root = holdFolder(state.place.workspace);
  try {
    const deltas = targets === undefined ? yield* foundInTime(root, state) : foundAt(targets, root, state);
    if (deltas.length > DELTAS_MAX) throw new TooMuchChanged(`more than ${DELTAS_MAX} files changed`);
    for (const { path, after: now } of deltas) set(path, now, state.entries);
    return deltas;
  } finally {
    root.close();
  }
}

const readingOf = ({ contents, place }: State): Reading => ({
  contents,
  fileBytesMax: place.limits.fileBytesMax,
  nowMs: Date.now(),
});

function foundAt(targets: readonly string[], root: HeldFolder, state: State): Delta[] {
  const reading = readingOf(state);
  return targets.flatMap((path) => {
    const now = entryAt(path, root, { state, reading });
    const known = state.entries.get(path);
    if (known === undefined && !state.hasBase && now !== null && state.firstSeen !== undefined) {
      state.entries.set(path, now); // nothing is known to compare it with
      state.firstSeen.push([path, now]);
      return [];
    }
    return delta(path, { before: known ?? null, after: now }, state);
  });
}

function entryAt(path: string, root: HeldFolder, { state, reading }: { state: State; reading: Reading }): Entry | null {
  const parts = partsOf(path);
  const name = parts?.at(-1);
  if (parts === undefined || name === undefined) return null;
  const folder = holdBelow(root, parts.slice(0, -1));
  if (folder === undefined) return null;
  try {
    const at = join(folder.path, name);
    const stats = lookAt(at);
    if (stats === undefined || stats.isDirectory()) return null;
    const known = state.entries.get(path);
    if (known !== undefined && known.racy !== true && isSameStat(known.stat, statOf(stats))) return known;
    return readEntry({ at, stats }, reading, known?.ref);
  } finally {
    folder.close();
  }
}

/** A first look that takes too long is not tried again, so that the next calls do not wait for it in vain, too. */
function* foundInTime(root: HeldFolder, state: State): Sliced<Delta[]> {
  const { entries, hasBase } = state;
  if (state.tooLarge !== undefined) throw new TooLarge(state.tooLarge);
  const known = hasBase ? undefined : [...entries];
  try {
    return yield* foundAnywhere(root, state);
  } catch (error) {
    if (!(error instanceof TakesTooLong)) throw error;
    if (known !== undefined) {
      state.tooLarge = TOO_LARGE;
      entries.clear(); // of a look that did not come to its end nothing counts
      for (const [path, entry] of known) entries.set(path, entry);
    }
    throw new TooLarge(TOO_LARGE);
  }
}

function* foundAnywhere(root: HeldFolder, state: State): Sliced<Delta[]> {
  const { place, entries } = state;
  const reading = readingOf(state);
  const isFirst = !state.hasBase;
  const seen = new Set<string>();
  const deltas: Delta[] = [];
  if (isFirst) state.git = pinGit(root, state);
  const { git, rules } = state;
  const firstRules = new Map<string, string>();
  const walked = yield* walk({
    root,
    path: place.workspace,
    filesMax: place.limits.filesMax,
    ignored: place.limits.ignored,
    hidden: new Set(place.hidden.flatMap(identityOf)),
    isTracked: trackedBy(git, entries),
    rulesAt: rules === undefined ? undefined : (at) => rules.get(at) ?? null,
    onRules: (at, text) => void firstRules.set(at, text),
    visit(path, at, stats) {
      seen.add(path);
      const known = entries.get(path);
      if (known !== undefined && known.racy !== true && isSameStat(known.stat, statOf(stats))) return;
      const now =
        (known === undefined && isFirst ? git.entryOf(path, stats) : undefined) ??
        readEntry({ at, stats }, reading, known?.ref);
      if (known === undefined && isFirst) entries.set(path, now);
      else deltas.push(...delta(path, { before: known ?? null, after: now }, state));
    },
  });
  if (!walked.isCut)
    for (const [path, known] of entries)
      if (!seen.has(path) && !isBelow(path, walked.skippedFolders))
        deltas.push(...delta(path, { before: known, after: null }, state));
  state.noticed = { gaps: isFirst ? [] : gapsOf(walked), empty: walked.empty };
  if (isFirst) {
    state.rules = firstRules;
    keepBase(walked, deltas, state);
    for (const gap of gapsOf(walked)) state.knownGaps.add(gapKey(gap));
  }
  return deltas;
}

/** What was looked at once is looked at again, whatever is ignored by then. */
function trackedBy(git: GitFiles, entries: ReadonlyMap<string, Entry>): (path: string) => boolean {
  let folders: Set<string> | undefined;
  return (path) => git.isTracked(path) || entries.has(path) || (folders ??= foldersOf(entries.keys())).has(path);
}

const pinGit = (root: HeldFolder, { place }: State): GitFiles => {
  const folder = join(place.folder, "git");
  return openGitFiles(folder, { root, fileBytesMax: place.limits.fileBytesMax });
};

/** None where nothing changed but times and numbers; what was in git before is copied, because the pack is no diff. */
function delta(path: string, { before: known, after: now }: Omit<Delta, "path">, state: State): Delta[] {
  if (isSameFile(known, now)) {
    set(path, now, state.entries);
    return [];
  }
  return [{ path, before: known === null ? null : taken(known, state), after: now }];
}

function taken(entry: Entry, { git, contents }: State): Entry {
  const oid = gitOid(entry.ref);
  if (oid === undefined) return entry;
  const bytes = git.content(oid, entry.stat.size);
  const hash = bytes === undefined ? undefined : contents.put(bytes);
  return { ...entry, ref: hash === undefined ? notKept(bytes === undefined ? "lost" : "full") : kept(hash) };
}

function contentOf(ref: string, { git, contents }: State): Buffer | undefined {
  const oid = gitOid(ref);
  if (oid !== undefined) return git.content(oid);
  return ref.startsWith("sha256:") ? contents.get(ref.slice("sha256:".length)) : undefined;
}

function present(path: string, state: State): Entry | null {
  const root = holdFolder(state.place.workspace);
  try {
    return entryAt(path, root, { state, reading: readingOf(state) });
  } finally {
    root.close();
  }
}

const BASE = "base.json";

/** In a file of its own, whole before the journal names it. `deltas` come behind it in the journal and are not in it. */
function keepBase(walked: Walked, deltas: readonly Delta[], state: State): void {
  const { place, entries, journal, contents } = state;
  const changed = new Set(deltas.map(({ path }) => path));
  const path = join(place.folder, BASE);
  const lines = [...entries].map(([name, entry]) => JSON.stringify([name, entry]));
  contents.flush();
  keepRules(place.folder, state.rules ?? new Map());
  writeWhole(path, `${lines.join("\n")}\n`);
  const { files, isCut, skipped, skippedCount } = walked;
  const inGit = [...entries.values()].filter(({ ref }) => gitOid(ref) !== undefined).length;
  journal.add({ line: "base", atMs: Date.now(), files: files - changed.size, isCut, skipped, skippedCount, inGit });
  state.hasBase = true;
}

function replayed(journal: Journal, folder: string): Pick<State, "entries" | "hasBase" | "calls"> {
  let entries = new Map<string, Entry>();
  let hasBase = false;
  let calls = 0;
  for (const line of journal.lines) {
    if (line.line === "base") {
      entries = readBase(join(folder, BASE));
      hasBase = true;
    } else apply(line, entries);
    if (line.line === "begin") calls = Math.max(calls, line.n);
  }
  if (!hasBase) rmSync(join(folder, `${BASE}.tmp`), { force: true });
  return { entries, hasBase, calls };
}

function readBase(path: string): Map<string, Entry> {
  const lines = readFileSync(path, "utf8").split("\n");
  return new Map(lines.filter((line) => line !== "").map((line) => baseLine(line)));
}

function baseLine(line: string): [string, Entry] {
  const parsed: unknown = JSON.parse(line);
  if (!Array.isArray(parsed) || typeof parsed[0] !== "string") throw new Error("the first snapshot cannot be read");
  return [parsed[0], Entry.parse(parsed[1])];
}

function apply(line: JournalLine, entries: Map<string, Entry>): void {
  const deltas = line.line === "begin" ? line.outside : "changed" in line ? line.changed : [];
  if (line.line === "begin") for (const [path, entry] of line.seen) entries.set(path, entry);
  for (const { path, after: now } of deltas) set(path, now, entries);
}

function set(path: string, entry: Entry | null, entries: Map<string, Entry>): void {
  if (entry === null) entries.delete(path);
  else entries.set(path, entry);
}

function identityOf(folder: string): string[] {
  try {
    const held = holdFolder(folder);
    held.close();
    return [held.identity];
  } catch {
    return [];
  }
}
