/** Reads Stryker's report: how many mutants were killed, and which of the others nobody has explained. */
import { z } from "zod";
import type { ExplainedSurvivor } from "./explained-survivors.ts";

const Place = z.object({ line: z.int(), column: z.int() });
const Mutant = z.object({
  mutatorName: z.string(),
  replacement: z.string().default(""),
  status: z.string(),
  location: z.object({ start: Place, end: Place }),
});
const Report = z.object({ files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(Mutant) })) });

export type Score = {
  killed: number;
  all: number;
  percent: number;
  /** Survivors that are not explained, each in one line. */
  unexplained: readonly string[];
  /** Explanations of mutants that were killed, or that do not exist any more. */
  inVain: readonly string[];
};

type Survivor = ExplainedSurvivor & { line: number };

const KILLED = new Set(["Killed", "Timeout"]);
const SURVIVED = new Set(["Survived", "NoCoverage"]);

export function readScore(json: string, explained: readonly ExplainedSurvivor[]): Score {
  const { files } = Report.parse(JSON.parse(json));
  const mutants = Object.entries(files).flatMap(([file, { source, mutants: found }]) =>
    found.map((mutant) => ({ file, source, mutant })),
  );
  const killed = mutants.filter(({ mutant }) => KILLED.has(mutant.status)).length;
  const survivors = mutants
    .filter(({ mutant }) => SURVIVED.has(mutant.status))
    .map(({ file, source, mutant }): Survivor => {
      const { location, replacement, mutatorName } = mutant;
      return {
        file,
        line: location.start.line,
        code: codeAt(source, location),
        becomes: oneLine(replacement),
        why: mutatorName,
      };
    });
  const all = killed + survivors.length;
  const judged = explained.filter(({ file }) => file in files);
  return {
    killed,
    all,
    percent: all === 0 ? 0 : (100 * killed) / all,
    unexplained: survivors
      .filter((one) => !judged.some((known) => isSame(known, one)))
      .map(({ file, line, code, becomes, why }) => `${file}:${line} ${why}: ${code} → ${becomes}`),
    inVain: judged
      .filter((known) => !survivors.some((one) => isSame(known, one)))
      .map(({ file, code, becomes }) => `${file} ${code} → ${becomes}`),
  };
}

const isSame = (known: ExplainedSurvivor, one: ExplainedSurvivor): boolean =>
  known.file === one.file && known.code === one.code && known.becomes === one.becomes;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** What stands in the file where the mutant is; Stryker counts lines and columns from one. */
function codeAt(source: string, { start, end }: z.infer<typeof Mutant>["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const cut = lines.map((line, index) =>
    line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
  );
  return oneLine(cut.join("\n"));
}
