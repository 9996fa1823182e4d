/** The subcommands of `holdpoint passkeys`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const load = () => import("../commands/passkeys.ts");

export function addPasskeyCommands(program: Command, action: Run): void {
  const passkeys = program.command("passkeys").description("the passkeys with which operators sign decisions");
  passkeys
    .command("list")
    .description("the passkeys, and whose they are")
    .action(() => action(async (context) => (await load()).listPasskeys(context)));
  passkeys
    .command("link [operator]")
    .description("make a one-time link with which an operator adds a passkey (name or id; default: you)")
    .action((operator: string | undefined) => action(async (context) => (await load()).linkPasskey(operator, context)));
  passkeys
    .command("revoke <passkey>")
    .description("revoke a passkey, by its id or fingerprint")
    .action((id: string) => action(async (context) => (await load()).revokePasskey(id, context)));
  passkeys
    .command("recover <operator>")
    .description("for whoever lost their last passkey: revoke theirs and make a link, with the gateway stopped")
    .action((operator: string) => action(async (context) => (await load()).recoverPasskeys(operator, context)));
}
