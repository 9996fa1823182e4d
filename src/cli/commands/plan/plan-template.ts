/** `holdpoint plan template|archetype`: what a draft begins with, and what kind of plan it is. */
import { Archetype } from "../../../plan-mode/protocol/template/archetype.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../context.ts";
import { withGateway } from "../../gateway-link.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { table } from "../../text/table.ts";
import { type OnSession, sessionOf } from "./plan.ts";

export async function planTemplate(skill: string | undefined, options: OnSession, { output, env }: CommandContext) {
  await withGateway(env, async (link) => {
    const { id: sessionId } = await sessionOf(link, options);
    if (skill !== undefined) {
      const seeded = await link.call("plans.seed", { sessionId, skill });
      output.document({ sessionId, ...seeded });
      return output.lines([sanitiseLine(`The draft begins with ${seeded.steps} steps of the skill ${seeded.skill}.`)]);
    }
    const found = await link.call("plans.templates", { sessionId });
    output.document({ sessionId, ...found });
    const rows = found.templates.map((template) => [
      sanitiseLine(template.skill),
      template.archetype ?? "",
      String(template.steps.length),
    ]);
    if (rows.length === 0) return output.lines(["No skill here has a plan template."]);
    output.lines(table(["skill", "kind", "steps"], rows, output.look()));
  });
}

export async function planArchetype(kind: string | undefined, options: OnSession, { output, env }: CommandContext) {
  const parsed = kind === undefined || kind === "none" ? undefined : Archetype.safeParse(kind);
  if (parsed?.success === false) throw unknownKind(kind ?? "");
  await withGateway(env, async (link) => {
    const { id: sessionId } = await sessionOf(link, options);
    if (kind === undefined) {
      const { archetype, archetypes } = await link.call("plans.templates", { sessionId });
      output.document({ sessionId, archetype, archetypes });
      return output.lines(archetypes.map((name) => `${name === archetype?.name ? "*" : " "} ${name}`));
    }
    const chosen = parsed?.data ?? null;
    await link.call("sessions.patch", { sessionId, planArchetype: chosen });
    output.document({ sessionId, archetype: chosen });
    output.lines([chosen === null ? "The plan is of no particular kind." : `The plan is for: ${chosen}.`]);
  });
}

const unknownKind = (kind: string): CliError =>
  new CliError({
    exit: "usage",
    message: `There is no kind "${sanitiseLine(kind)}".`,
    advice: `Kinds are: ${Archetype.options.join(", ")}, none`,
    code: "USAGE",
  });
