/** `holdpoint gate check`: tool calls as JSON lines in, one verdict for each out, in the same order (GA-11). */
import { homedir } from "node:os";
import type { CommandContext } from "../../context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { type BadLine, judgeLine, type LineVerdict, type Surroundings } from "../judge-line.ts";
import { linesOf, type NumberedLine } from "../lines.ts";
import { createToolFacts } from "../tool-facts.ts";

/** The gate leaves a deep walk by throwing, thousands of times a second here; nobody reads those stacks. */
export async function checkGate(context: CommandContext): Promise<number> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await judgeAll(context);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function judgeAll({ stdin, terminal, cwd, env }: CommandContext): Promise<number> {
  const around: Surroundings = { cwd, home: env["HOME"] ?? homedir(), toolFacts: createToolFacts() };
  let hasBadLines = false;
  for await (const lines of linesOf(stdin)) {
    let answer = "";
    for (const line of lines) {
      const answering = answered(line, around);
      const verdict = answering instanceof Promise ? await answering : answering;
      if (verdict === undefined) continue;
      if (verdict.code === "bad-line") hasBadLines = true;
      answer += `${JSON.stringify(verdict)}\n`;
    }
    await written(terminal, answer);
  }
  return (hasBadLines ? EXIT_CODES.failed : EXIT_CODES.ok).code;
}

/** Undefined for an empty line. */
function answered(
  { number, text, tooLong }: NumberedLine,
  around: Surroundings,
): LineVerdict | BadLine | Promise<LineVerdict> | undefined {
  if (tooLong) return { id: null, line: number, allowed: false, code: "bad-line", error: "The line is too long." };
  return text.trim() === "" ? undefined : judgeLine(text, number, around);
}

/** Waits while the output is full, so that a slow reader does not fill our memory. */
async function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (stream.write(text)) return;
  await new Promise<void>((resolve) => {
    stream.once("drain", resolve);
  });
}
