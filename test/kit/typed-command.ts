/** A command as a person types it, in this process: its exit code and what it printed. */
import { runProgram } from "../../src/cli/program.ts";

export type Printed = { code: number; out: string; err: string };

export async function typedCommand(home: string, args: readonly string[]): Promise<Printed> {
  const printed = { out: "", err: "" };
  const stream = (name: keyof typeof printed) => ({ write: (text: string) => void (printed[name] += text) });
  const { stdin, stdout: terminal } = process;
  const around = { stdout: stream("out"), stderr: stream("err"), stdin, terminal, cwd: home };
  const env = { HOLDPOINT_HOME: home, PATH: process.env["PATH"] ?? "" };
  return { code: await runProgram([...args], { ...around, env }), ...printed };
}
