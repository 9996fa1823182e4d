/**
 * What `npm ci` does last in a checkout: bundles the program, so that a start there is as quick and as small as that of an
 * installed package. Nothing depends on it: without a bundle, or with one of other sources, the sources run as they are.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isBundleOfSources } from "../bin/bundled-sources.js";

async function prepare(root: string): Promise<void> {
  // what was built to be published is not thrown away by `npm pack`, which prepares, too
  if (isBundleOfSources(root) || !existsSync(join(root, "node_modules", "esbuild"))) return;
  try {
    const { bundle } = await import("./build.ts");
    await bundle(root);
  } catch (error) {
    process.stderr.write(`The sources could not be bundled and run as they are: ${String(error)}\n`);
  }
}

await prepare(resolve(import.meta.dirname, ".."));
