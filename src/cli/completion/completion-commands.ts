/** `holdpoint completion bash|zsh|fish`: prints the script by which a shell completes our commands and options. */
import { Argument, type Command } from "commander";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export function addCompletionCommand(program: Command, action: Run): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .addHelpText("after", `\nFor bash, in ~/.bashrc:  source <(${program.name()} completion bash)`)
    .action((shell: Shell) =>
      action(async ({ output }) => {
        const script = (await import("./completion-script.ts")).completionScript(program, shell);
        output.lines([script]);
        output.document({ shell, script });
      }),
    );
}
