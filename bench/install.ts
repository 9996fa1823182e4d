/** What a production install puts on the disk, without the Node binary that comes with it. */
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { figure, type Group } from "./figure.ts";

const ROOT = resolve(import.meta.dirname, "..");
const MIB = 1_048_576;

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean }> };

export const install: Group = async (report) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  const nodeBinaries = new Set(Object.keys(optionalDependencies).map((name) => `node_modules/${name}`));
  const installed = Object.entries(packages)
    .filter(
      ([path, { dev, devOptional }]) => path !== "" && dev !== true && devOptional !== true && !nodeBinaries.has(path),
    )
    .map(([path]) => join(ROOT, path))
    .filter((path) => existsSync(path));
  const bytes = installed.reduce((sum, path) => sum + sizeOf(path), 0);
  report(figure("install: production packages", installed.length, "packages"));
  report(figure("install: production packages on disk", bytes / MIB, "MiB"));
};

/** Packages inside a package are counted by themselves. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== "node_modules")
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => sum + (lstatSync(path).isDirectory() ? sizeOf(path) : lstatSync(path).size), 0);
}
