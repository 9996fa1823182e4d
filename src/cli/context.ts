/** What every command is given: its output, its input and its environment. */
import type { Output, Streams } from "./output.ts";

export type CommandContext = Streams & {
  output: Output;
  stdin: NodeJS.ReadStream;
  /** Standard output as the terminal that it may be. */
  terminal: NodeJS.WriteStream;
  cwd: string;
};

/** A person sits at both ends. */
export const isTerminal = ({ stdin, terminal, output }: CommandContext): boolean =>
  stdin.isTTY && terminal.isTTY && !output.json;
