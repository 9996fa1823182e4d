/** The subcommands of `holdpoint channels` and `holdpoint pair`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import type { AddChannel } from "./add-channel.ts";
import type { ApprovePair } from "./pair.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const load = () => import("./channels.ts");
const loadPair = () => import("./pair.ts");

export function addChannelCommands(program: Command, action: Run): void {
  const channels = program.command("channels").description("accounts at vendors of chats: Telegram and others");
  channels
    .command("list")
    .description("the accounts, whether they run, and what is wrong")
    .action(() => action(async (context) => (await load()).listChannels(context)));
  channels
    .command("kinds")
    .description("the kinds of channels that there are, and what each can do")
    .action(() => action(async (context) => (await load()).listKinds(context)));
  channels
    .command("add <kind>")
    .description("add an account: asks for what it needs, checks it with the vendor, says what must be reachable")
    .option("--name <name>", "what we call it (default: the kind)")
    .option("--set <setting...>", "as name=value, instead of being asked")
    .action((kind: string, options: AddChannel) =>
      action(async (context) => (await import("./add-channel.ts")).addChannel(kind, options, context)),
    );
  channels
    .command("check [name]")
    .description("ask the vendor whether an account works, or all of them")
    .action((name: string | undefined) => action(async (context) => (await load()).checkChannels(name, context)));
  channels
    .command("remove <name>")
    .description("remove an account; people stay paired, should it come back")
    .action((name: string) => action(async (context) => (await load()).removeChannel(name, context)));
  const pair = program.command("pair").description("who is who on channels");
  pair
    .command("list")
    .description("who asks to be paired, and who is")
    .action(() => action(async (context) => (await loadPair()).listPairs(context)));
  pair
    .command("approve <code>")
    .description("say who somebody is who wrote /pair: an operator that exists, or a new one")
    .option("--operator <operator>", "they are this operator (name or id)")
    .option("--name <name>", "of the new operator (default: what they call themselves)")
    .option("--scopes <scopes>", "of the new operator, with commas (default: operator.read,operator.write)")
    .action((code: string, options: ApprovePair) =>
      action(async (context) => (await loadPair()).approvePair(code, options, context)),
    );
  pair
    .command("revoke <account>")
    .description("take an account away, as list shows it: telegram/main/42")
    .action((account: string) => action(async (context) => (await loadPair()).revokePair(account, context)));
}
