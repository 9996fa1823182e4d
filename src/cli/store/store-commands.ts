/** `holdpoint migrate-store` and `holdpoint restore`: their code is loaded when they are called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

export function addStoreCommands(program: Command, action: Run): void {
  program
    .command("migrate-store <target>")
    .description("move everything to another store: sqlite, or a postgres:// address; the gateway must not run")
    .addHelpText(
      "after",
      "\nThe old store stays as it is. An address with a password can be given as - on standard input.",
    )
    .action((target: string) =>
      action(async (context) => (await import("./migrate-store.ts")).migrateStore(target, context)),
    );
  program
    .command("restore <file>")
    .description("put a backup in the place of the store; the gateway must not run")
    .addHelpText("after", "\nThe copy is checked first, and the store of before is kept beside it.")
    .action((file: string) =>
      action(async (context) => (await import("./restore-store.ts")).restoreStore(file, context)),
    );
}
