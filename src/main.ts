/** The entry: argv → command. Everything else is loaded by the command that needs it. */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { homePath } from "./config/home.ts";

/** In the person's own folder: a cache in a folder that others can write to would let them choose our code. */
function cacheCompiledCode(): void {
  try {
    const home = homePath(process.env);
    if (existsSync(home)) enableCompileCache(join(home, "cache"));
  } catch {
    // a wrong HOLDPOINT_HOME is told by the command that uses it
  }
}

cacheCompiledCode();
const { run } = await import("./cli/program.ts");
const { stdin, stdout, stderr, env } = process;
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0); // whoever read the output has read enough
});
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  terminal: stdout,
  env,
  cwd: process.cwd(),
});
