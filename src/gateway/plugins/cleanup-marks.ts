/** `plugin-sweeps.json`: which plugins may have left something in sessions. Read whole, written whole. */
import { createLane } from "../../lane/lane.ts";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { writeAtomically } from "../../config/atomic-write.ts";
import type { CleanupMark, CleanupMarks } from "../../plugins/plugin-runtime.ts";
import { PluginId } from "../../protocol/plugin/plugin-manifest.ts";

const MARKS_MAX = 1_000;

const Marks = lazySchema(() =>
  z.strictObject({
    format: z.literal(1),
    sweeps: z
      .array(
        z.strictObject({
          pluginId: PluginId,
          slices: z.array(z.string().max(128)).max(MARKS_MAX),
          injectionKind: z.string().max(128),
        }),
      )
      .max(MARKS_MAX),
  }),
);

export function fileCleanupMarks(home: string): CleanupMarks {
  const file = join(home, "plugin-sweeps.json");
  const inTurn = createLane();

  async function read(): Promise<CleanupMark[]> {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    });
    return text === undefined ? [] : Marks.parse(JSON.parse(text)).sweeps;
  }

  /** One write at a time, so that two plugins that are switched off together are both recorded. */
  function change(edit: (marks: CleanupMark[]) => CleanupMark[]): Promise<void> {
    return inTurn(async () => {
      const before = await read();
      const sweeps = edit(before);
      if (JSON.stringify(before) === JSON.stringify(sweeps)) return;
      if (sweeps.length === 0) return rm(file, { force: true });
      return writeAtomically(file, `${JSON.stringify({ format: 1, sweeps })}\n`);
    });
  }

  return {
    list: () => read(),
    put: (added) => change((marks) => added.reduce(withMark, marks)),
    remove: (pluginId) => change((marks) => marks.filter((one) => one.pluginId !== pluginId)),
  };
}

function withMark(marks: CleanupMark[], mark: CleanupMark): CleanupMark[] {
  const known = marks.find(({ pluginId }) => pluginId === mark.pluginId);
  if (known === undefined) return [...marks, mark];
  const slices = [...new Set([...known.slices, ...mark.slices])];
  return marks.map((one) => (one === known ? { ...mark, slices } : one));
}
