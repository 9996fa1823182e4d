/** A command as it is inspected, and what it is told to run. */
import type { Argument } from "./resolve.ts";

/** Standard input as far as it is known: its text, and the source of the commands that produce it. */
export type Input = { readonly text: string | undefined; readonly source: string };

export type Invocation = {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly input: Input | undefined;
  /** The file that it, or what it stands in, reads as standard input, as it is written. */
  readonly reads?: string | undefined;
};

export type Inner =
  | {
      readonly type: "command";
      readonly words: readonly Argument[];
      readonly input: Input | undefined;
      /** An unlikely one of several readings: then a command name that cannot be known is no finding. */
      readonly perhaps?: boolean;
    }
  | {
      readonly type: "script";
      readonly text: string;
      /** What the script finds in `$0`, `$1` and so on, where that is known. */
      readonly positional?: readonly Argument[];
    }
  | { readonly type: "code"; readonly text: string; readonly language: string }
  | { readonly type: "opaque"; readonly what: string };
