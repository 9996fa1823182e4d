/** Commands for whoever keeps a gateway: its state, health, copies, audit, configuration and models. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { count, wholeNumber } from "../number-options.ts";
import type { UpdateOptions } from "../update/update.ts";
import type { VerifyOptions } from "../commands/audit.ts";
import type { DoctorFix } from "../commands/doctor.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

export function addUpkeepCommands(program: Command, action: Run): void {
  program
    .command("status")
    .description("what the running gateway is doing")
    .action(() => action(async (context) => (await import("../commands/status.ts")).status(context)));
  program
    .command("doctor")
    .description("look for what is wrong, and say what to do about it")
    .option("--fix", "correct what can be corrected without a decision: rights of files that others can read")
    .action((options: DoctorFix) =>
      action(async (context) => (await import("../commands/doctor.ts")).doctor(options, context)),
    );
  program
    .command("backup [file]")
    .description("write a consistent copy of the store, also while the gateway runs")
    .action((file: string | undefined) =>
      action(async (context) => (await import("../commands/backup.ts")).backup(file, context)),
    );
  program
    .command("update")
    .description("say which version is installed, which is the newest, and how to get it; installs nothing")
    .option("--check", "end with exit code 10 where there is a newer one, for scripts")
    .action((options: UpdateOptions) =>
      action(async (context) => (await import("../update/update.ts")).update(options, context)),
    );
  const audit = program.command("audit").description("the chain of everything that was decided and done");
  audit
    .command("list")
    .description("audit rows, oldest first")
    .option("--after <seq>", "rows after this number", wholeNumber, 0)
    .option("--session <id>", "of one session")
    .option("--limit <n>", "at most so many", count, 50)
    .action((options: { after: number; session?: string; limit: number }) =>
      action(async (context) => (await import("../commands/audit.ts")).listAudit(options, context)),
    );
  audit
    .command("verify")
    .description("prove that no row was altered or removed, and that every passkey's signature holds")
    .option("--file <rows>", "rows that were exported with: holdpoint audit list --json")
    .option("--signed", "fail where an approval has no passkey's signature")
    .action((options: VerifyOptions) =>
      action(async (context) => (await import("../commands/audit.ts")).verifyAudit(options, context)),
    );
  addConfig(program, action);
  addModels(program, action);
}

function addModels(program: Command, action: Run): void {
  const models = program.command("models").description("the language models behind the agents");
  models
    .command("list")
    .description("which models are configured, and whose keys are there (names only)")
    .action(() => action(async (context) => (await import("../commands/models.ts")).listModels(context)));
  models
    .command("test <name>")
    .description("ask one model for one word: provider/model")
    .action((name: string) =>
      action(async (context) => (await import("../commands/models.ts")).testModel(name, context)),
    );
}

function addConfig(program: Command, action: Run): void {
  const config = program.command("config").description("the configuration file");
  config
    .command("get [setting]")
    .description("the value of a setting, or of all")
    .action((path: string | undefined) =>
      action(async (context) => (await import("../commands/config.ts")).getConfig(path, context)),
    );
  config
    .command("set <setting> <value>")
    .description("set a value (JSON or plain text), checked before it is written; a list grows by name[]")
    .action((path: string, value: string) =>
      action(async (context) => (await import("../commands/config.ts")).setConfig(path, value, context)),
    );
  config
    .command("unset <setting>")
    .description("remove a value, so that its default holds again")
    .action((path: string) =>
      action(async (context) => (await import("../commands/config.ts")).unsetConfig(path, context)),
    );
  config
    .command("schema")
    .description("the JSON Schema of the file, for editors")
    .action(() => action(async (context) => (await import("../commands/config.ts")).printConfigSchema(context)));
  config
    .command("path")
    .description("where the file is")
    .action(() => action(async (context) => (await import("../commands/config.ts")).printConfigPath(context)));
}
