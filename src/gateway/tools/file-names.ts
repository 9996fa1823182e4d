/** The workspaces that were used, by name, in a file of the gateway's folder. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { PinnedNames } from "../../tools/builtin/workspace-pins.ts";

const Names = z.record(z.string(), z.string());
/** Beyond it the first ones are forgotten, and are resolved anew when they are used again. */
const NAMES_MAX = 2_000;

export const fileNames = (file: string): PinnedNames => ({
  load: () => (existsSync(file) ? Names.parse(JSON.parse(readFileSync(file, "utf8"))) : {}),
  save(names) {
    const kept = Object.fromEntries(Object.entries(names).slice(-NAMES_MAX));
    writeFileSync(`${file}.new`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  },
});
