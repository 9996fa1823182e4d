/** Mutants that no test can or should notice, and why. A maintainer reads the reasons; the script checks that each is needed. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const ExplainedSurvivor = z.strictObject({
  file: z.string(),
  /** What the file says there, in one line. */
  code: z.string(),
  becomes: z.string(),
  why: z.string().min(1),
});
export type ExplainedSurvivor = z.infer<typeof ExplainedSurvivor>;

const FILE = new URL("explained-survivors.json", import.meta.url);

export const explainedSurvivors = (): readonly ExplainedSurvivor[] =>
  z.array(ExplainedSurvivor).parse(JSON.parse(readFileSync(FILE, "utf8")));
