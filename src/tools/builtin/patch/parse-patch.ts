/**
 * The patch format that coding models write, as text → what it asks for.
 *
 *   *** Begin Patch
 *   *** Add File: path          every line of it begins with +
 *   *** Delete File: path
 *   *** Update File: path
 *   *** Move to: path           optional, right below
 *   @@ a line further up        optional: narrows where the hunk may be
 *    context · -removed · +added
 *   *** End of File             optional: the hunk ends where the file ends
 *   *** End Patch
 *
 * Markers are taken in this spelling alone: who judges a patch by its targets must see every one of them.
 */
const PATCH_FILES_MAX = 50;
const HUNKS_MAX = 500;

type HunkLine = { sign: " " | "+" | "-"; text: string };
export type Hunk = { header: string | undefined; lines: HunkLine[]; atEnd: boolean };
export type Change =
  | { kind: "add"; path: string; lines: string[] }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; moveTo: string | undefined; hunks: Hunk[] };

type Parsed = { ok: true; changes: Change[] } | { ok: false; error: string };

class PatchError extends Error {}

const FILE_MARKER = /^\*\*\* (Add|Delete|Update) File: (.*)$/;
const MOVE_MARKER = /^\*\*\* Move to: (.*)$/;
const END_OF_FILE = "*** End of File";
/** What a unified diff writes after @@; its numbers are guesses when a model wrote them. */
const LINE_NUMBERS = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/;

export function parsePatch(patch: string): Parsed {
  const lines = patch.trim().split(/\r?\n/);
  try {
    if (lines[0] !== "*** Begin Patch" || lines.at(-1) !== "*** End Patch")
      throw new PatchError('A patch begins with the line "*** Begin Patch" and ends with "*** End Patch".');
    const changes = sections(lines.slice(1, -1)).map(toChange);
    if (changes.length === 0) throw new PatchError("The patch changes nothing.");
    if (changes.length > PATCH_FILES_MAX) throw new PatchError(`A patch may touch ${PATCH_FILES_MAX} files. Split it.`);
    return { ok: true, changes };
  } catch (error) {
    if (error instanceof PatchError) return { ok: false, error: error.message };
    throw error;
  }
}

type Section = { verb: string; path: string; body: string[]; line: number };

function sections(lines: readonly string[]): Section[] {
  const found: Section[] = [];
  for (const [index, line] of lines.entries()) {
    const marker = FILE_MARKER.exec(line);
    const current = found.at(-1);
    if (marker !== null) {
      found.push({ verb: marker[1] ?? "", path: pathIn(marker[2] ?? "", index), body: [], line: index + 2 });
    } else if (current === undefined) {
      if (line.trim() !== "")
        throw new PatchError(`Line ${index + 2}: expected *** Add, Update or Delete File: first.`);
    } else current.body.push(line);
  }
  return found;
}

/** Line separators and control characters would let the gate read a path differently. */
function pathIn(text: string, index: number): string {
  const path = text.trim();
  if (path === "") throw new PatchError(`Line ${index + 2}: the marker names no file.`);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path))
    throw new PatchError(`Line ${index + 2}: the path holds a control character.`);
  return path;
}

function toChange({ verb, path, body, line }: Section): Change {
  if (verb === "Add") return { kind: "add", path, lines: added(trimmedEnd(body), line) };
  if (verb === "Delete") {
    if (body.some((text) => text.trim() !== "")) throw new PatchError(`${path}: a deleted file has no lines below it.`);
    return { kind: "delete", path };
  }
  const move = MOVE_MARKER.exec(body[0] ?? "");
  const rest = move === null ? body : body.slice(1);
  const moveTo = move === null ? undefined : pathIn(move[1] ?? "", line - 1);
  const hunks = hunksOf(trimmedEnd(rest), path);
  if (hunks.length === 0 && moveTo === undefined) throw new PatchError(`${path}: there is no hunk that changes it.`);
  return { kind: "update", path, moveTo, hunks };
}

function added(body: readonly string[], line: number): string[] {
  return body.map((text, index) => {
    if (!text.startsWith("+")) throw new PatchError(`Line ${line + 1 + index}: each line of a new file begins with +.`);
    return text.slice(1);
  });
}

/** Blank lines between two sections belong to neither. */
function trimmedEnd(body: readonly string[]): string[] {
  const last = body.findLastIndex((text) => text !== "");
  return body.slice(0, last + 1);
}

function hunksOf(body: readonly string[], path: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const text of body) {
    const current = hunks.at(-1);
    if (text.startsWith("@@")) hunks.push({ header: headerOf(text), lines: [], atEnd: false });
    else if (text === END_OF_FILE && current !== undefined) current.atEnd = true;
    else if (text.startsWith("***"))
      throw new PatchError(`${path}: "${text.slice(0, 80)}" is no marker of this format.`);
    else if (current === undefined || current.atEnd)
      hunks.push({ header: undefined, lines: [hunkLine(text, path)], atEnd: false });
    else current.lines.push(hunkLine(text, path));
  }
  if (hunks.length > HUNKS_MAX) throw new PatchError(`${path}: more than ${HUNKS_MAX} hunks. Write the file whole.`);
  const [idle] = hunks.filter(({ lines }) => lines.every(({ sign }) => sign === " "));
  if (idle !== undefined) throw new PatchError(`${path}: a hunk neither adds nor removes a line.`);
  return hunks;
}

function headerOf(text: string): string | undefined {
  const rest = text.slice(2).trim();
  return rest === "" || LINE_NUMBERS.test(rest) ? undefined : rest;
}

function hunkLine(text: string, path: string): HunkLine {
  const sign = text === "" ? " " : text.charAt(0); // an empty context line loses its one space easily
  if (sign !== " " && sign !== "+" && sign !== "-")
    throw new PatchError(`${path}: "${text.slice(0, 80)}" begins with neither a space nor + nor -.`);
  return { sign, text: text.slice(1) };
}
