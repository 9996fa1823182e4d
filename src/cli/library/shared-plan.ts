/** `holdpoint plans shared`: plans that several sessions share, listed, read and changed. */
import type { SharedLock, SharedPlan, SharedStepChange } from "../../library/protocol/shared-plan.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";

const STATUS: Readonly<Record<string, SharedStepChange["status"]>> = {
  todo: "pending",
  pending: "pending",
  doing: "in_progress",
  in_progress: "in_progress",
  done: "completed",
  completed: "completed",
  cancelled: "cancelled",
};
const MARK: Readonly<Record<SharedStepChange["status"], string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[~]",
};

export async function sharedPlan(
  namespace: string,
  given: readonly string[],
  { replace = false, output, env }: CommandContext & { replace?: boolean },
): Promise<void> {
  const steps = given.map(stepOf);
  await withGateway(env, async (link) => {
    const { plan } =
      steps.length === 0
        ? await link.call("library.sharedPlan", { namespace })
        : await link.call("library.changeSharedPlan", { namespace, steps, replace });
    output.document({ plan });
    output.lines(plan === null ? ["There is no shared plan of this name."] : linesOf(plan));
  });
}

export async function listShared({ output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const found = await link.call("library.sharedPlans", {});
    output.document(found);
    if (found.plans.length === 0) return output.lines(["No plan is shared yet."]);
    const rows = found.plans.map(({ namespace, plan, lock, problem }) => [
      namespace,
      plan === null ? "" : farness(plan),
      plan === null ? "" : `${new Date(plan.updatedAtMs).toISOString()} ${sanitiseLine(plan.updatedBy)}`,
      problem !== null ? sanitiseLine(problem) : lock === null ? "" : lockText(lock),
    ]);
    output.lines(table(["name", "steps", "changed", "state"], rows, output.look()));
    if (found.more) output.lines([`Only the first ${found.plans.length} are listed.`]);
  });
}

const farness = ({ done, steps, cancelled }: { done: number; steps: number; cancelled: number }): string =>
  `${done} of ${steps} done${cancelled === 0 ? "" : `, ${cancelled} cancelled`}`;

const lockText = ({ state, sinceMs, pid }: SharedLock): string =>
  `${state === "held" ? "being changed" : "left locked"} since ${new Date(sinceMs).toISOString()}${pid === null ? "" : ` by process ${pid}`}`;

const linesOf = ({ steps }: SharedPlan): string[] =>
  steps.map(({ step, status, updatedBy }) => sanitiseLine(`${MARK[status]} ${step} (${updatedBy})`));

/** `done: Write the tests`; without a status it is to do. */
function stepOf(text: string): SharedStepChange {
  const [, word = "", rest = ""] = /^([a-z_]+):\s*(.+)$/i.exec(text) ?? [];
  const status = STATUS[word.toLowerCase()];
  const step = status === undefined ? text.trim() : rest.trim();
  if (step !== "") return { step, status: status ?? "pending" };
  throw new CliError({
    exit: "usage",
    message: "A step has a text.",
    advice: 'Write it like: "done: Write the tests"',
    code: "USAGE",
  });
}
