/**
 * The port that proves that a shell command only reads, and says how to run it then. The tool that runs commands has no
 * rules of its own: without a judge every command counts as writing.
 */

/** Where a command would run, and whose home `~` is. */
export type CommandPlace = { cwd: string; home: string };

/** A complete description of one process: it inherits nothing else. */
export type CommandProcess = { argv: readonly string[]; cwd: string; env: Readonly<Record<string, string>> };

export type ReadOnlyCommand = {
  reads: true;
  /** The only text that may run. */
  canonical: string;
  /** Processes to run first; their standard output is handed to `toProcess`, in the same order. */
  questions: readonly CommandProcess[];
  /** Asked after these where no sandbox holds the command. */
  questionsWithoutSandbox?: readonly CommandProcess[];
  /** Without a sandbox around it some commands cannot be run safely, and are refused. */
  toProcess(answers: readonly string[], isSandboxed: boolean): CommandProcess | { refused: string };
};

/** `writes`: known to change something or to reach out. `unknown`: proven neither way. */
export type UnprovenCommand = {
  reads: false;
  code: string;
  verdict: "writes" | "unknown";
  matched: string;
  hint: string;
  /** Present when the text was understood: the one form that a person may be asked about. */
  canonical: string | undefined;
};

export type CommandVerdict = ReadOnlyCommand | UnprovenCommand;

/** Pure and quick: asked for each call. */
export type CommandJudge = (command: string, place: CommandPlace) => CommandVerdict;
