/** The files of a plugin that is being installed, wherever they come from: a folder, an archive, or a package. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { gunzip } from "node:zlib";
import {
  FILES_MAX,
  FOLDER_BYTES_MAX,
  folderFiles,
  FolderProblem,
  WRITTEN_WITH,
} from "../../../plugins/packages/folder-files.ts";
import { bundledPackages, PACKAGE_FILE } from "./bundled-packages.ts";
import { readTar, type TarFile } from "../../../plugins/packages/tar.ts";

const ARCHIVE_BYTES_MAX = 32 * 1024 * 1024;
const NPM_MS_MAX = 120_000;
const NPM_OUTPUT_BYTES_MAX = 1024 * 1024;
const GZIP_MARK = 0x8b1f;

/** It cannot be installed; the message says why and what to do. */
export class InstallProblem extends Error {}

export type Origin = { kind: "folder" | "archive" | "package"; from: string };

/** A name of the registry with a version or tag at most: never an address, a path or a repository. */
const PACKAGE_NAME =
  /^(?:@[a-z0-9][a-z0-9._~-]{0,99}\/)?[a-z0-9][a-z0-9._~-]{0,199}(?:@[0-9A-Za-z][0-9A-Za-z.+-]{0,63})?$/;

/** A path is a whole one: a bare name never means what happens to lie in the folder that the gateway was started in. */
export async function originOf(from: string): Promise<Origin> {
  const found = isAbsolute(from) ? await stat(from).catch(() => undefined) : undefined;
  if (found?.isDirectory() === true) return { kind: "folder", from };
  if (found?.isFile() === true) return { kind: "archive", from };
  if (/^[./~\\]|^[A-Za-z]:/.test(from)) throw new InstallProblem(`There is nothing at ${from}. Give the whole path.`);
  if (PACKAGE_NAME.test(from)) return { kind: "package", from };
  throw new InstallProblem(
    `"${from.slice(0, 200)}" is neither a folder, an archive (.tgz, .tar) nor the name of a package.`,
  );
}

export async function filesOf(origin: Origin): Promise<TarFile[]> {
  switch (origin.kind) {
    case "folder":
      return filesInFolder(origin.from);
    case "archive":
      return filesInArchive(origin.from);
    case "package":
      return filesInPackage(origin.from);
  }
}

async function filesInFolder(folder: string): Promise<TarFile[]> {
  try {
    const found: TarFile[] = [];
    const packageFile = await readFile(join(folder, PACKAGE_FILE), "utf8").catch(() => "");
    const leaveOut = bundledPackages(packageFile).length === 0 ? WRITTEN_WITH : undefined;
    for (const { path } of await folderFiles(folder, leaveOut))
      found.push({ path, bytes: await readFile(join(folder, path)) });
    return found;
  } catch (error) {
    if (error instanceof FolderProblem) throw new InstallProblem(error.message);
    throw error;
  }
}

async function filesInArchive(file: string): Promise<TarFile[]> {
  const read = readTar(await unpacked(await readArchive(file), file), {
    filesMax: FILES_MAX,
    bytesMax: FOLDER_BYTES_MAX,
  });
  if (!read.ok) throw new InstallProblem(`The archive ${file} cannot be used: ${read.problem}.`);
  return read.files;
}

async function readArchive(file: string): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    if (size > ARCHIVE_BYTES_MAX)
      throw new InstallProblem(`The archive ${file} is larger than ${ARCHIVE_BYTES_MAX} bytes.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Never more than a plugin may hold, with room for the headers of its files. */
async function unpacked(bytes: Buffer, file: string): Promise<Buffer> {
  if (bytes.length < 2 || bytes.readUInt16LE(0) !== GZIP_MARK) return bytes;
  const maxOutputLength = FOLDER_BYTES_MAX + FILES_MAX * 2_048;
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength }, (error, result) => {
      if (error === null) resolve(result);
      else if ("code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
        reject(new InstallProblem(`The archive ${file} unpacks to more than ${maxOutputLength} bytes.`));
      else reject(new InstallProblem(`The archive ${file} cannot be unpacked (${error.message}).`));
    });
  });
}

/** By the npm of this system, which checks what the registry promises. No script of the package is run. */
async function filesInPackage(name: string): Promise<TarFile[]> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-pack-"));
  try {
    await npmPack(name, folder);
    const [archive, ...others] = (await readdir(folder)).filter((entry) => entry.endsWith(".tgz"));
    if (archive === undefined || others.length > 0) throw new InstallProblem(`npm brought no package for "${name}".`);
    return await filesInArchive(join(folder, archive));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In a folder of its own, so that no `.npmrc` of a workspace has a say. */
function npmPack(name: string, folder: string): Promise<void> {
  const args = ["pack", "--ignore-scripts", "--no-audit", "--no-fund", "--pack-destination", folder, "--", name];
  const options = {
    cwd: folder,
    timeout: NPM_MS_MAX,
    maxBuffer: NPM_OUTPUT_BYTES_MAX,
    shell: process.platform === "win32",
  };
  return new Promise((resolve, reject) => {
    execFile("npm", args, options, (error, _stdout, stderr) => {
      if (error === null) return resolve();
      if ("code" in error && error.code === "ENOENT")
        return reject(
          new InstallProblem("npm is not installed here. Give the folder or the archive of the plugin instead."),
        );
      const line = stderr.split("\n").find((text) => /^npm (?:error|ERR!)/.test(text)) ?? error.message;
      reject(new InstallProblem(`npm could not bring "${name}": ${line.slice(0, 300)}`));
    });
  });
}

/** Into a folder of our own: nobody else may read or write there, and nothing in it can be executed. */
export async function writeFiles(files: readonly TarFile[], folder: string): Promise<void> {
  const made = new Set<string>();
  for (const { path, bytes } of files) {
    const target = join(folder, path);
    if (!made.has(dirname(target))) await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    made.add(dirname(target));
    await writeFile(target, bytes, { flag: "wx", mode: 0o600 });
  }
}
