/** One thing that is wrong with the configuration, and where a person finds it. */
export type ConfigProblem = {
  /** The file, or the environment variable, that it stands in. */
  source: string;
  line: number | null;
  column: number | null;
  /** The setting's dotted path; empty for the file as a whole. */
  path: string;
  /** Two sentences at most: what is wrong, what to do. */
  message: string;
};

/** The source of a problem with a path that somebody typed, rather than with a file. */
export const TYPED_PATH = "setting";

/** The configuration cannot be used. Nothing was changed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], options?: { cause?: unknown }) {
    super(problems.map(describeProblem).join("\n"), options);
    this.problems = problems;
  }
}

/** `config.yaml:12:3: …`, the form that editors make a link of. */
export function describeProblem(problem: ConfigProblem): string {
  if (problem.line === null && problem.message.includes(problem.source)) return problem.message;
  const place = problem.line === null ? "" : `:${problem.line}:${problem.column ?? 1}`;
  return `${problem.source}${place}: ${problem.message}`;
}
