// What a bundle was made of: plain JavaScript for any Node from 20 on, because the launcher asks before it has chosen one.
// The bundle of a checkout runs only while each source is the very one that it was made of; an edited one runs as it is.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RECORD = join("dist", "bundled-sources.json");

/** Of every source by name, size and time of change; nothing where there are no sources, as in an installed package. */
export function sourcesMark(root) {
  if (!existsSync(join(root, "src", "main.ts"))) return undefined;
  const sum = createHash("sha256");
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
    sum.update(`${path}\0${size}\0${mtimeMs}\n`);
  };
  const addFolder = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) addFolder(path);
      else if (!entry.name.endsWith(".test.ts")) add(path);
    }
  };
  add("package-lock.json");
  addFolder("src");
  return sum.digest("hex");
}

/** Whether the bundle that is there, if any, is the one to run. */
export function isBundleOfSources(root) {
  if (!existsSync(join(root, "dist", "holdpoint.js"))) return false;
  const mark = sourcesMark(root);
  if (mark === undefined) return true;
  try {
    return JSON.parse(readFileSync(join(root, RECORD), "utf8")).mark === mark;
  } catch {
    return false; // a bundle that does not say what it was made of
  }
}

/** `mark` is that of the sources before they were bundled: one that was changed meanwhile is noticed. */
export function recordSources(root, mark) {
  writeFileSync(join(root, RECORD), `${JSON.stringify({ mark })}\n`);
}
