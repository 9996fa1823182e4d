/** `holdpoint migrate-store`: its code is loaded when it is called. */
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
}
