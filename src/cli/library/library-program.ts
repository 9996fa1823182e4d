/** The commands of `holdpoint plans`: the library of all plans. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ExportPlanOptions, ReuseOptions, SearchOptions } from "./plans.ts";
import type { OnSession } from "../commands/plan/plan.ts";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const LIMIT = 20;
const LIMIT_MAX = 200;

export function addLibrary(program: Command, action: Run): void {
  const plans = program.command("plans").description("the library of all plans: search, read, export and reuse them");
  plans
    .command("search [words...]")
    .description("plans with all these words, newest first; tag:, person:, file: and link: may stand among them")
    .option("--tag <tag>", "with this tag")
    .option("--person <name>", "that this person wrote, decided or noted on")
    .option("--file <path>", "that name or changed this file")
    .option("--link <ref>", "linked to this issue or pull request")
    .option("--status <status>", "pending, approved, standing, completed, rejected, expired, superseded or left")
    .option("--limit <n>", "at most so many", limit, LIMIT)
    .action((words: string[], options: SearchOptions) =>
      action(async (context) => (await import("./plans.ts")).searchPlans(words, options, context)),
    );
  plans
    .command("open <plan-id>")
    .description("one plan with its notes and decisions, and what the library knows of it")
    .action((id: string) => action(async (context) => (await import("./plans.ts")).openPlan(id, context)));
  plans
    .command("export <plan-id>")
    .description("a document without secrets, names of people, addresses and home folders")
    .addOption(new Option("--format <format>", "its form").choices(["markdown", "json", "html"]).default("markdown"))
    .option("--out <file>", "write it to a new file")
    .option("--whole", "with everything that is in it")
    .action((id: string, options: ExportPlanOptions) =>
      action(async (context) => (await import("./plans.ts")).exportPlanOf(id, options, context)),
    );
  plans
    .command("reuse <plan-id>")
    .description("have an agent plan anew along an earlier plan; nothing of it is approved")
    .option("--session <id>", "in this session (default: a new one)")
    .option("--print", "only print the message")
    .action((id: string, options: ReuseOptions) =>
      action(async (context) => (await import("./plans.ts")).reusePlan(id, options, context)),
    );
  plans
    .command("work [unit]")
    .description("work units: approved plans as they are mirrored in the workspace of a session")
    .option("--session <id>", "the session (default: the only one that waits, or the last one used)")
    .action((unit: string | undefined, options: OnSession) =>
      action(async (context) => (await import("./work-units.ts")).workUnits(unit, options, context)),
    );
  addMarks(plans, action);
  addShared(plans, action);
}

function addMarks(plans: Command, action: Run): void {
  plans
    .command("tag <plan-id> <tags...>")
    .description("tag a plan")
    .option("--remove", "take the tags away")
    .action((id: string, tags: string[], options: { remove?: boolean }) =>
      action(async (context) => (await import("./plans.ts")).tagPlan(id, tags, { ...context, ...options })),
    );
  plans
    .command("link <plan-id> <ref>")
    .description("link a plan to an issue or a pull request: #12, owner/repo#12, KEY-12 or an address")
    .option("--remove", "take the link away")
    .action((id: string, ref: string, options: { remove?: boolean }) =>
      action(async (context) => (await import("./plans.ts")).linkPlan(id, ref, { ...context, ...options })),
    );
}

function addShared(plans: Command, action: Run): void {
  plans
    .command("shared [namespace] [steps...]")
    .description(
      'the plans that several sessions share, or one of them by its name; with steps ("done: Write the tests") it is changed',
    )
    .option("--replace", "drop the steps that are not named")
    .action((namespace: string | undefined, steps: string[], options: { replace?: boolean }) =>
      action(async (context) => {
        const { listShared, sharedPlan } = await import("./shared-plan.ts");
        return namespace === undefined ? listShared(context) : sharedPlan(namespace, steps, { ...context, ...options });
      }),
    );
}

function limit(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > LIMIT_MAX)
    throw new InvalidArgumentError(`Expected 1 to ${LIMIT_MAX}.`);
  return number;
}
