/** The entry: argv → command. Everything else is loaded by the command that needs it. */
import { runProgram } from "./cli/program.ts";
import { closeInherited } from "./runner/inherited-descriptors.ts";

if (["start", "demo", "run", "acp"].includes(process.argv[2] ?? "start")) closeInherited(); // other commands may be given one to read
const { stdin, stdout, stderr, env } = process;
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0); // whoever read the output has read enough
});
process.exitCode = await runProgram(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  terminal: stdout,
  env,
  cwd: process.cwd(),
});
