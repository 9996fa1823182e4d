/** Which version of an agent is installed: as its package says, which costs nothing, or else as the program itself says. */
import { execFile } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

/** Some take seconds to start, and many times that on a busy machine. */
const VERSION_MS_MAX = 120_000;
const FOLDERS_ABOVE_MAX = 4;

const Manifest = z.looseObject({
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
});

export async function agentVersion(file: string): Promise<string> {
  return inPackage(file) ?? (await asked(file)) ?? "unknown";
}

/** A package that lies above the program, and says that it brings it. */
function inPackage(file: string): string | undefined {
  const program = realPath(file);
  if (program === undefined) return undefined;
  let folder = dirname(program);
  for (let above = 0; above < FOLDERS_ABOVE_MAX; above++) {
    const { data } = Manifest.safeParse(jsonIn(join(folder, "package.json")));
    const programs = typeof data?.bin === "string" ? [data.bin] : Object.values(data?.bin ?? {});
    if (data !== undefined && programs.some((path) => realPath(join(folder, path)) === program)) return data.version;
    folder = dirname(folder);
  }
  return undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // none, or half written
  }
}

function asked(file: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  execFile(file, ["--version"], { encoding: "utf8", timeout: VERSION_MS_MAX }, (_error, stdout, stderr) => {
    resolve(/\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0]);
  });
  return promise;
}
