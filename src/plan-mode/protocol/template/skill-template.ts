/** Steps that a skill proposes for plans of its kind, and what became of them in a cycle. */
import { z } from "zod";
import { By } from "../../../protocol/actor.ts";
import { Archetype } from "./archetype.ts";

/** As many as there are skills in a session. */
export const TEMPLATES_MAX = 50;
/** In one front matter, before duplicates are dropped and the rest is cut. */
export const TEMPLATE_STEPS_READ_MAX = 500;
const CRITERIA_MAX = 50;

const line = z.string().trim().min(1).max(2_000);

/** `- Write the failing test`, or with how it is shown while it runs and what must hold afterwards. */
export const TemplateStep = z.strictObject({
  step: line,
  activeForm: line.optional(),
  acceptanceCriteria: z.array(line).max(CRITERIA_MAX).optional(),
});
export type TemplateStep = z.infer<typeof TemplateStep>;

export const SkillTemplate = z.strictObject({
  skill: z.string().min(1).max(64),
  archetype: Archetype.optional(),
  /** None: the skill declares a kind of plan and no steps. */
  steps: z.array(TemplateStep).max(TEMPLATE_STEPS_READ_MAX),
});
export type SkillTemplate = z.infer<typeof SkillTemplate>;

/** Where the draft of a cycle came from. */
export const Seed = z.strictObject({
  skill: z.string().max(64),
  by: By,
  /** Nobody has changed the draft since; another template may take its place. */
  untouched: z.literal(true).exactOptional(),
});
export type Seed = z.infer<typeof Seed>;
