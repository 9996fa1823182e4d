/** The subcommands of `holdpoint code`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import type { RunFileOptions } from "./run-file.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

export function addCodeCommands(program: Command, action: Run): void {
  const code = program.command("code").description("programs as agents run them in code mode");
  code
    .command("run <file>")
    .description(
      "run a file in the sandbox of code mode and print its result; it has no tools unless a session lends its own",
    )
    .option("--language <language>", "js or ts (default: by the name of the file)")
    .option("--timeout-ms <ms>", "its time limit, from 100 to 60000 (default: 10000)")
    .option("--memory-mb <megabytes>", "its memory limit, from 1 to 1024 (default: 64)")
    .option("--session <id>", "with the tools of this session, each call judged as the agent's own")
    .action((file: string, options: RunFileOptions) =>
      action(async (context) => (await import("./run-file.ts")).runFile(file, options, context)),
    );
}
