/** The plan template in a skill's front matter, under either of its names. */
import { z } from "zod";
import { Archetype } from "../../plan-mode/protocol/template/archetype.ts";
import {
  type SkillTemplate,
  TEMPLATE_STEPS_READ_MAX,
  TemplateStep,
} from "../../plan-mode/protocol/template/skill-template.ts";
import { type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";
import type { Scan } from "./scan-record.ts";

type Given = { name: string; "plan-template"?: unknown; planTemplate?: unknown; archetype?: unknown };
type Brought = { template?: SkillTemplate; problem?: LocalizedText };

const Steps = z.array(
  z.union([
    z
      .string()
      .transform((step) => ({ step }))
      .pipe(TemplateStep),
    TemplateStep,
  ]),
);

/** `plan-template` counts where both names stand there. A template that cannot be read costs the template alone. */
export async function templateOf(given: Given, scan: Scan): Promise<Brought> {
  const { name, archetype: kind } = given;
  const written = given["plan-template"] ?? given.planTemplate;
  if (written === undefined && kind === undefined) return {};
  const archetype = Archetype.safeParse(kind);
  const steps = Steps.max(TEMPLATE_STEPS_READ_MAX).safeParse(written ?? []);
  if (!steps.success || (kind !== undefined && !archetype.success))
    return { problem: localized("skillTemplateInvalid", { skill: name }) };
  // steps are read by the agent as its own draft, so they must not speak to it
  const findings = await scan(steps.data.flatMap(wordsOf).join("\n"));
  if (findings.length > 0) return { problem: localized("skillTemplateSteers", { skill: name }) };
  return {
    template: { skill: name, ...(archetype.success ? { archetype: archetype.data } : {}), steps: steps.data },
  };
}

const wordsOf = ({ step, activeForm, acceptanceCriteria = [] }: TemplateStep): string[] => [
  step,
  ...(activeForm === undefined ? [] : [activeForm]),
  ...acceptanceCriteria,
];
