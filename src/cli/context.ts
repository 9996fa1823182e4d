/** What every command is given: its output, its input and its environment. */
import type { Output, Streams } from "./output.ts";

export type CommandContext = Streams & {
  output: Output;
  stdin: NodeJS.ReadStream;
  /** Standard output, which may be a terminal. */
  terminal: NodeJS.WriteStream;
  cwd: string;
};

/** Whether a person reads and types: both ends are terminals and no JSON was asked for. */
export const isTerminal = ({ stdin, terminal, output }: CommandContext): boolean =>
  stdin.isTTY && terminal.isTTY && !output.json;
