/** The subcommands of `holdpoint cron`; their code is loaded when one of them is called. */
import { type Command, Option } from "commander";
import { CatchUp } from "../../scheduler/protocol/schedule.ts";
import type { CronAddOptions } from "../commands/cron.ts";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const load = () => import("../commands/cron.ts");

export function addCronCommands(program: Command, action: Run): void {
  const cron = program.command("cron").description("jobs that run at a later time, once or again and again");
  cron
    .command("list")
    .description("the jobs, and when they run next")
    .option("--session <id>", "only those of this session")
    .action((options: { session?: string }) => action(async (context) => (await load()).list(options, context)));
  cron
    .command("add <message...>")
    .description("schedule a job: what the agent is told when the time has come")
    .option("--at <time>", "once, at this moment: 2026-03-01T09:00:00Z")
    .option("--in <duration>", "once, after so long: 20m, 2h")
    .option("--every <duration>", "again and again: 30m, 1h")
    .option("--cron <expression>", 'a cron expression, minute first: "30 9 * * 1-5"; with six fields, second first')
    .option("--tz <zone>", "the time zone of --cron (default: this machine's)")
    .option("--session <id>", "ask for a turn in this session (default: a session of its own for each run)")
    .option("--isolated", "with --session: a session of its own for each run, whose result goes to that session")
    .option("--agent <id>", "whose job it is, without --session", "main")
    .option("--name <name>", "what it is called")
    .addOption(
      new Option("--catch-up <policy>", "times that passed while the gateway was down").choices(CatchUp.options),
    )
    .option("--jitter <duration>", "spread jobs of the same time over so long")
    .option("--timeout <duration>", "stop a run that takes longer (default: 30m)")
    .action((words: string[], options: CronAddOptions) =>
      action(async (context) => (await load()).add(words.join(" "), options, context)),
    );
  cron
    .command("standing [job-id]")
    .description("the plans that stand for jobs, and the runs that were counted under them")
    .action((id: string | undefined) => action(async (context) => (await load()).standing(id, context)));
  const verbs = {
    withdraw: "withdraw the plan that stands for a job, at once",
    remove: "remove a job, and stop its run",
    enable: "switch a job on again",
    disable: "switch a job off",
    run: "run a job now, whatever its times are",
  } as const;
  for (const verb of ["withdraw", "remove", "enable", "disable", "run"] as const) {
    cron
      .command(`${verb} <job-id>`)
      .description(verbs[verb])
      .action((id: string) => action(async (context) => (await load())[verb](id, context)));
  }
}
