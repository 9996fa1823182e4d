/**
 * A small reader of tar archives for plugins. It knows files and folders and nothing else: a link, a device or a path
 * that leads out is not skipped but makes the whole archive unusable.
 */
const BLOCK = 512;
const PATH_CHARS_MAX = 240;
const PATH_DEPTH_MAX = 24;
const HEADER_BYTES_MAX = 16 * 1024;

export type TarLimits = { filesMax: number; bytesMax: number };
export type TarFile = { path: string; bytes: Buffer };
export type TarFiles = { ok: true; files: TarFile[] } | { ok: false; problem: string };

class BadTar extends Error {}

export function readTar(archive: Buffer, limits: TarLimits): TarFiles {
  try {
    return { ok: true, files: withoutTopFolder(entriesOf(archive, limits)) };
  } catch (error) {
    if (error instanceof BadTar) return { ok: false, problem: error.message };
    throw error;
  }
}

type Header = { name: string; size: number; type: string };
/** What an extension header says about the entry behind it. */
type Override = { path?: string; size?: number };

function entriesOf(archive: Buffer, limits: TarLimits): TarFile[] {
  const files = gathering(limits);
  let entriesLeft = limits.filesMax * 3; // folders and extension headers count as well
  let override: Override = {};
  for (let at = 0; at + BLOCK <= archive.length;) {
    const block = archive.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) break; // the end mark
    if ((entriesLeft -= 1) < 0) throw tooMany(limits);
    const header = readHeader(block);
    const size = override.size ?? header.size;
    const bytes = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (bytes.length !== size) throw new BadTar("it ends in the middle of a file");
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (EXTENSIONS.has(header.type)) {
      override = { ...override, ...extension(header.type, bytes) };
      continue;
    }
    const path = plainPath(override.path ?? header.name);
    override = {};
    if (header.type !== FOLDER) files.add({ path, bytes }, header.type); // folders follow from the files in them
  }
  return files.all();
}

function gathering(limits: TarLimits) {
  const files: TarFile[] = [];
  const seen = new Set<string>();
  let bytesLeft = limits.bytesMax;
  return {
    add(file: TarFile, type: string): void {
      const { path, bytes } = file;
      if (!PLAIN.has(type)) throw new BadTar(`${path} is ${KINDS[type] ?? "neither a file nor a folder"}`);
      bytesLeft -= bytes.length;
      if (bytesLeft < 0) throw new BadTar(`it unpacks to more than ${limits.bytesMax} bytes`);
      if (files.length >= limits.filesMax) throw tooMany(limits);
      const key = path.normalize("NFC").toLowerCase(); // two names that one file system may take for one
      if (seen.has(key)) throw new BadTar(`${path} is in it twice`);
      seen.add(key);
      files.push(file);
    },
    all(): TarFile[] {
      if (files.length === 0) throw new BadTar("it is no tar archive, or an empty one");
      return files;
    },
  };
}

const tooMany = ({ filesMax }: TarLimits): BadTar => new BadTar(`it holds more than ${filesMax} files`);

const FOLDER = "5";
const PLAIN: ReadonlySet<string> = new Set(["0", "\0", "7"]);
const KINDS: Readonly<Record<string, string>> = {
  "1": "a hard link",
  "2": "a symbolic link",
  "3": "a device",
  "4": "a device",
  "6": "a pipe",
};

const EXTENSIONS: ReadonlySet<string> = new Set(["x", "g", "L"]);

function extension(type: string, data: Buffer): Override {
  if (data.length > HEADER_BYTES_MAX) throw new BadTar("one of its headers is too long");
  if (type === "g") return {}; // of the whole archive: comments such as a commit's name
  if (type === "L") return { path: cString(data) };
  return paxOf(data);
}

/** Lines of `length key=value\n`, where the length counts the whole line in bytes. */
function paxOf(data: Buffer): Override {
  let found: Override = {};
  for (let at = 0; at < data.length;) {
    const blank = data.indexOf(BLANK, at);
    const length = Number(data.toString("latin1", at, blank));
    const isWhole = blank !== -1 && Number.isInteger(length) && length > blank - at && at + length <= data.length;
    if (!isWhole) throw new BadTar("one of its headers cannot be read");
    found = { ...found, ...paxField(data.toString("utf8", blank + 1, at + length - 1)) };
    at += length;
  }
  return found;
}

const BLANK = 0x20;

function paxField(line: string): Override {
  const [, key = "", value = ""] = /^([^=]*)=([\s\S]*)$/.exec(line) ?? [];
  if (key === "linkpath" || key.startsWith("GNU.sparse")) throw new BadTar("it holds a link or a file with holes");
  if (key === "path") return { path: value };
  return key === "size" ? { size: wholeNumber(value, 10) } : {};
}

function readHeader(block: Buffer): Header {
  const stored = wholeNumber(cString(block.subarray(148, 156)).trim(), 8);
  let sum = 8 * 0x20; // the checksum's own field counts as blanks
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte;
  if (sum !== stored) throw new BadTar("it is no tar archive, or damaged");
  const isUstar = block.toString("latin1", 257, 262) === "ustar";
  const prefix = isUstar ? cString(block.subarray(345, 500)) : "";
  const name = cString(block.subarray(0, 100));
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    size: wholeNumber(cString(block.subarray(124, 136)).trim(), 8),
    type: String.fromCharCode(block[156] ?? 0),
  };
}

function wholeNumber(text: string, base: 8 | 10): number {
  if (!(base === 8 ? /^[0-7]{0,12}$/ : /^\d{1,12}$/).test(text)) throw new BadTar("one of its numbers cannot be read");
  return text === "" ? 0 : Number.parseInt(text, base);
}

const cString = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end === -1 ? bytes.length : end);
};

/** A path that stays inside whatever folder it is put into, on every system. */
function plainPath(given: string): string {
  const path = given.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
  const shown = JSON.stringify(given.slice(0, 100));
  if (path === "" || path === ".") return ".";
  if (path.length > PATH_CHARS_MAX) throw new BadTar(`the path ${shown} is too long`);
  // oxlint-disable-next-line no-control-regex -- what must not be in a name
  if (/[\u0000-\u001f\u007f\\:*?"<>|\ufffd]/.test(path))
    throw new BadTar(`the path ${shown} has a character that names cannot have`);
  const parts = path.split("/");
  if (path.startsWith("/") || parts.some((part) => part === ".." || part === "." || part === ""))
    throw new BadTar(`the path ${shown} leads out of the plugin`);
  if (parts.length > PATH_DEPTH_MAX) throw new BadTar(`the path ${shown} is too deep`);
  return path;
}

/** `npm pack` puts everything into `package/`; others use the name of the folder that they packed. */
function withoutTopFolder(files: TarFile[]): TarFile[] {
  const tops = new Set(files.map(({ path }) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "")));
  const [top = ""] = tops;
  if (tops.size !== 1 || top === "") return files;
  return files.map(({ path, bytes }) => ({ path: path.slice(top.length + 1), bytes }));
}
