/** `/plan template` and `/plan archetype`: what a draft begins with, and what kind of plan it is. */
import { Json } from "../../protocol/json.ts";
import { lines, messageOf, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { CommandCall, CommandResult } from "../../plugins/sdk.ts";
import { Archetype } from "../protocol/template/archetype.ts";
import type { SkillTemplate } from "../protocol/template/skill-template.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { Seeded } from "../methods/template-methods.ts";
import { archetypeName } from "../render/archetype-name.ts";
import type { FindTemplates } from "../seeding/find-templates.ts";
import { localized } from "../texts/localized.ts";

export async function templateCommand(
  call: CommandCall,
  skill: string | undefined,
  find: FindTemplates = async () => [],
): Promise<CommandResult> {
  const found = (await find(call.session)).filter(({ steps }) => steps.length > 0);
  if (skill === undefined) return messageOf(listed(found));
  const outcome = await call.apply({ type: "seed", skill, templates: Json.parse(found) });
  if (!outcome.ok) return { refusal: outcome.refusal };
  const seeded = Seeded.parse(outcome.reply);
  return messageOf(localized("planSeeded", { skill: seeded.skill, steps: seeded.steps }));
}

function listed(found: readonly SkillTemplate[]): LocalizedText {
  if (found.length === 0) return localized("noTemplates");
  return lines([localized("templatesAre"), ...found.map(templateLine)]);
}

const templateLine = ({ skill, archetype, steps }: SkillTemplate): LocalizedText =>
  archetype === undefined
    ? localized("templateLine", { skill, steps: steps.length })
    : localized("templateLineKind", { skill, steps: steps.length, kind: archetypeName(archetype) });

export async function archetypeCommand(
  call: CommandCall,
  { now }: PlanModeState,
  archetype: Archetype | null | undefined,
): Promise<CommandResult> {
  if (archetype === undefined) {
    const chosen = now.phase === "off" ? undefined : now.cycle.archetype?.name;
    const kinds = Archetype.options.map((kind) =>
      localized("kindLine", { mark: kind === chosen ? "*" : " ", kind, name: archetypeName(kind) }),
    );
    return messageOf(lines([kindWords(chosen ?? null), ...kinds]));
  }
  const outcome = await call.apply({ type: "set-archetype", archetype });
  return outcome.ok ? messageOf(kindWords(archetype)) : { refusal: outcome.refusal };
}

const kindWords = (archetype: Archetype | null): LocalizedText =>
  archetype === null ? localized("kindNone") : localized("kindIs", { kind: archetypeName(archetype) });
