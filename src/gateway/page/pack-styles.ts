/** Styles as browsers need them: those in the page's modules are texts, which a bundler leaves with comments and indents. */
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

const STYLES = /\bcss`[^`]*`/g;
const COMMENT = /\/\*[^]*?\*\//g;

/** Spaces inside of a rule stay single, for there they mean something. */
export const packedStyles = (module: string): string =>
  module.replace(STYLES, (text) => text.replace(COMMENT, "").replaceAll(/\s+/g, " "));

export const packStyles: Plugin = {
  name: "pack-styles",
  setup(build) {
    build.onLoad({ filter: /[\\/]ui[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: packedStyles(await readFile(path, "utf8")),
      loader: "ts",
    }));
  },
};
