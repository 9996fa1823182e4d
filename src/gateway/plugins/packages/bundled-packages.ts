/** The packages that a plugin must bring along, by its package.json: nothing is fetched for a plugin. */
import { parseForeignJson } from "../../../plugins/packages/foreign-json.ts";

export const PACKAGE_FILE = "package.json";
const LIMITS = { bytesMax: 1024 * 1024, depthMax: 16 };
/** What the gateway itself provides to every plugin. */
const PROVIDED: ReadonlySet<string> = new Set(["holdpoint", "zod"]);

export function bundledPackages(packageJson: string): string[] {
  const json = parseForeignJson(packageJson, LIMITS);
  const dependencies = json.ok && isTable(json.value) ? json.value["dependencies"] : undefined;
  return isTable(dependencies) ? Object.keys(dependencies).filter((name) => !PROVIDED.has(name)) : [];
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
