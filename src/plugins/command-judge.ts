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
  /**
   * `bare` where there is no sandbox around it: then it is written out first, so that what runs is what was compared, and
   * refused where that is not possible.
   */
  toProcess(answers: readonly string[], bare?: BareWords): ProvenProcess | { refused: string };
};

/** `canonical`: the text that runs, with its patterns written out where there is no sandbox. */
export type ProvenProcess = CommandProcess & { canonical: string };

/** A piece of a word: as it stands, or a pattern of the shell. */
export type WordPiece = { text: string } | { pattern: string };

/** What the words of a command mean on this machine now, for where no sandbox keeps it from anything (GA-15). */
export type BareWords = {
  /** The names that a word stands for, itself where there are none; undefined where there are too many. */
  expand(word: readonly WordPiece[]): readonly string[] | undefined;
  /** Whether a name leads out of the workspace, to what belongs to the gateway, or to a folder that holds it. */
  leadsOut(name: string): boolean;
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
