/**
 * The file that a worker process starts from. A published gateway has it built; from a checkout it is bundled once per
 * process, because stripping types takes each worker twice the memory and the time to start.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withBundler } from "./bundler.ts";

const bundled = new Map<string, Promise<string>>();

export function workerEntry(source: URL): Promise<string> {
  const path = fileURLToPath(source);
  if (!path.endsWith(".ts")) return Promise.resolve(path);
  const known = bundled.get(path);
  if (known !== undefined) return known;
  const made = bundle(path).catch(() => path); // without a bundler the sources run as they are
  bundled.set(path, made);
  return made;
}

async function bundle(path: string): Promise<string> {
  const { outputFiles } = await withBundler((build) =>
    build({
      entryPoints: [path],
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      write: false,
      logLevel: "silent",
    }),
  );
  const text = outputFiles[0]?.text ?? "";
  const folder = join(packageOf(path), "node_modules", ".cache", "holdpoint");
  const name = `${basename(path, ".ts")}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.mjs`;
  const target = join(folder, name);
  if (existsSync(target)) return target;
  await mkdir(folder, { recursive: true });
  await writeFile(`${target}.${process.pid}`, text);
  await rename(`${target}.${process.pid}`, target);
  return target;
}

/** The folder that the gateway's own code is in. */
export function packageOf(path: string): string {
  const above = dirname(path);
  return existsSync(join(above, "package.json")) || above === path ? above : packageOf(above);
}
