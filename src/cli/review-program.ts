/** The commands of `holdpoint plan` that are about reviewing: notes, documents, links. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ExportOptions } from "./commands/plan/plan-review.ts";
import type { OnSession } from "./commands/plan/plan.ts";
import type { CommandContext } from "./context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const SESSION = ["--session <id>", "the session (default: the only one that waits, or the last one used)"] as const;
const DAYS_MAX = 90;

export function addReview(plan: Command, action: Run): void {
  plan
    .command("notes [plan-id]")
    .description("what people noted on a plan")
    .option(...SESSION)
    .action((id: string | undefined, options: OnSession) =>
      action(async (context) => (await import("./commands/plan/plan-review.ts")).listPlanNotes(id, options, context)),
    );
  plan
    .command("note <where> <text...>")
    .description("note something: where is plan, a section (risks, summary, …) or a step's number")
    .option(...SESSION)
    .action((where: string, words: string[], options: OnSession) =>
      action(async (context) =>
        (await import("./commands/plan/plan-review.ts")).addPlanNote([where, ...words], options, context),
      ),
    );
  plan
    .command("resolve <plan-id-or-note> [decision...]")
    .description("decide on a plan by its id: approve, or reject with a reason; or close a note, by its number")
    .option(...SESSION)
    .action((id: string, [decision, ...reason]: string[], options: OnSession) =>
      action(async (context) => {
        const review = await import("./commands/plan/plan-review.ts");
        if (decision === undefined) return review.resolvePlanNote(id, options, context);
        return review.resolvePlan(id, { decision, reason: reason.join(" ") }, context);
      }),
    );
  plan
    .command("reply <note> <text...>")
    .description("answer in the thread of a note, by its number")
    .option(...SESSION)
    .action((note: string, words: string[], options: OnSession) =>
      action(async (context) =>
        (await import("./commands/plan/plan-review.ts")).replyToNote(note, words.join(" "), { options, context }),
      ),
    );
  plan
    .command("reopen <note>")
    .description("open a note again that was closed, by its number")
    .option(...SESSION)
    .action((note: string, options: OnSession) =>
      action(async (context) => (await import("./commands/plan/plan-review.ts")).reopenNote(note, options, context)),
    );
  plan
    .command("lift")
    .description("let a held session change things again, if you could have approved its plan")
    .option(...SESSION)
    .action((options: OnSession) =>
      action(async (context) => (await import("./commands/plan/plan.ts")).lift(options, context)),
    );
  plan
    .command("timers")
    .description("what will happen by itself: reminders, escalations, deadlines, nudges")
    .option(...SESSION)
    .action((options: OnSession) =>
      action(async (context) => (await import("./commands/plan/plan-timers.ts")).listTimers(options, context)),
    );
  plan
    .command("write [file]")
    .description("write the plan of an agent outside that hands none over: a file, or what is piped in")
    .option(...SESSION)
    .option("--title <title>", "what it is for (default: its heading, or its first step)")
    .action((file: string | undefined, options: OnSession & { title?: string }) =>
      action(async (context) => (await import("./commands/plan/plan-write.ts")).writePlan(file, options, context)),
    );
  addTemplates(plan, action);
  addDocuments(plan, action);
}

function addTemplates(plan: Command, action: Run): void {
  plan
    .command("template [skill]")
    .description("begin the draft with the steps of a skill, or see which skills have some")
    .option(...SESSION)
    .action((skill: string | undefined, options: OnSession) =>
      action(async (context) =>
        (await import("./commands/plan/plan-template.ts")).planTemplate(skill, options, context),
      ),
    );
  plan
    .command("archetype [kind]")
    .description("choose the kind of plan (none: no kind), or see which there are")
    .option(...SESSION)
    .action((kind: string | undefined, options: OnSession) =>
      action(async (context) =>
        (await import("./commands/plan/plan-template.ts")).planArchetype(kind, options, context),
      ),
    );
}

function addDocuments(plan: Command, action: Run): void {
  plan
    .command("export [plan-id]")
    .description("a plan with its notes and decisions as a document")
    .option(...SESSION)
    .addOption(new Option("--format <format>", "the form").choices(["markdown", "json", "html"]).default("markdown"))
    .option("--out <file>", "write it to a new file instead of the screen")
    .action((id: string | undefined, options: ExportOptions) =>
      action(async (context) => (await import("./commands/plan/plan-review.ts")).exportPlan(id, options, context)),
    );
  plan
    .command("share [plan-id]")
    .description("make a read-only link to a plan")
    .option(...SESSION)
    .option("--days <n>", "how long it works", days, 7)
    .action((id: string | undefined, options: OnSession & { days: number }) =>
      action(async (context) => (await import("./commands/plan/plan-review.ts")).sharePlan(id, options, context)),
    );
  plan
    .command("shares")
    .description("the read-only links to plans of a session, newest first")
    .option(...SESSION)
    .action((options: OnSession) =>
      action(async (context) => (await import("./commands/plan/plan-review.ts")).listShares(options, context)),
    );
  plan
    .command("unshare <share-id>")
    .description("end a read-only link")
    .action((id: string) =>
      action(async (context) => (await import("./commands/plan/plan-review.ts")).unsharePlan(id, context)),
    );
}

function days(text: string): number {
  const count = Number(text);
  if (!/^\d{1,2}$/.test(text) || count < 1 || count > DAYS_MAX) {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${DAYS_MAX}.`);
  }
  return count;
}
