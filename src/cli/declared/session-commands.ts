/** The subcommands of `holdpoint sessions`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { count, wholeNumber } from "../number-options.ts";
import type { SessionListOptions } from "../commands/sessions.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

export function addSessionCommands(program: Command, action: Run): void {
  const sessions = program.command("sessions").description("conversations with agents");
  sessions
    .command("list")
    .description("sessions, last changed first")
    .option("--archived", "the archived ones")
    .option("--waiting", "only those that wait for a person")
    .option("--search <text>", "only those with this text in their title")
    .option("--limit <n>", "at most so many", count, 50)
    .action((options: SessionListOptions) =>
      action(async (context) => (await import("../commands/sessions.ts")).list(options, context)),
    );
  sessions
    .command("show <id>")
    .description("one session: its mode, what it waits for, its last words")
    .action((id: string) => action(async (context) => (await import("../commands/sessions.ts")).show(id, context)));
  sessions
    .command("log <session-id>")
    .description("the log of one turn, whole")
    .option("--turn <n>", "its number, as in “full plan in turn log #n” (default: the last one)", wholeNumber)
    .action((id: string, options: { turn?: number }) =>
      action(async (context) => (await import("../commands/turn-log.ts")).showTurnLog(id, options, context)),
    );
  sessions
    .command("create")
    .description("begin a session")
    .option("--title <title>", "a name for it")
    .option("--agent <id>", "the agent", "main")
    .option("--workspace <folder>", "the folder that the agent works in (default: this one)")
    .action((options: { title?: string; agent: string; workspace?: string }) =>
      action(async (context) => (await import("../commands/sessions.ts")).create(options, context)),
    );
  sessions
    .command("rename <id> <title...>")
    .description("give a session another name")
    .action((id: string, words: string[]) =>
      action(async (context) => (await import("../commands/sessions.ts")).rename(id, words.join(" "), context)),
    );
  sessions
    .command("archive <id>")
    .description("put a session away")
    .option("--undo", "bring it back")
    .action((id: string, options: { undo?: boolean }) =>
      action(async (context) => (await import("../commands/sessions.ts")).archive(id, options, context)),
    );
  sessions
    .command("reset <id>")
    .description("forget the conversation and start anew under the same name")
    .action((id: string) => action(async (context) => (await import("../commands/sessions.ts")).reset(id, context)));
  sessions
    .command("delete <id>")
    .description("remove a session for good; its audit rows stay")
    .option("--yes", "without asking")
    .action((id: string, options: { yes?: boolean }) =>
      action(async (context) => (await import("../commands/sessions.ts")).remove(id, options, context)),
    );
}
