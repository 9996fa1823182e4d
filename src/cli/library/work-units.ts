/** `holdpoint plans work`: approved plans as they are mirrored in a workspace, also after the session has forgotten them. */
import { cardSteps } from "../../plan-mode/cards/plan-sections.ts";
import { type OnSession, sessionOf } from "../commands/plan/plan.ts";
import type { WorkUnit } from "../../library/protocol/work-unit.ts";
import { progress, stepList } from "../cards/plan-card.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { ago } from "../text/duration.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";

export async function workUnits(unit: string | undefined, options: OnSession, { output, env }: CommandContext) {
  await withGateway(env, async (link) => {
    const { id: sessionId } = await sessionOf(link, options);
    const { folder, units } = await link.call("plans.workUnits", { sessionId });
    if (unit === undefined) {
      output.document({ folder, units });
      if (units.length === 0) return output.lines(["There are no work units. Switch them on with workUnits.enabled."]);
      const rows = units.map((one) => [
        one.unit,
        one.status,
        progress(one.steps),
        ago(Date.now() - one.updatedAtMs),
        sanitiseLine(one.title),
      ]);
      return output.lines(table(["unit", "status", "steps", "changed", "title"], rows, output.look()));
    }
    const found = units.find((one) => one.unit === unit);
    if (found === undefined) throw noUnit(unit);
    output.document({ folder, unit: found });
    output.lines([
      sanitiseLine(`${found.title} · ${found.status} · approved by ${approverText(found.approvedBy)}`),
      `${found.planId} revision ${found.revision} digest ${sanitiseLine(found.digest)}`,
      ...stepList(cardSteps(found.steps), output.look()),
    ]);
  });
}

const approverText = ({ kind, name }: WorkUnit["approvedBy"]): string =>
  kind === "policy" ? `a rule, not by a person (${name})` : name;

const noUnit = (unit: string): CliError =>
  new CliError({
    exit: "usage",
    message: `There is no work unit "${sanitiseLine(unit)}".`,
    advice: "See which there are with: holdpoint plans work",
    code: "USAGE",
  });
